"""Row-level security: the database itself holds every statement to one workspace (law 12)."""

from collections.abc import Iterator

CURRENT = "nullif(current_setting('handraise.workspace', true), '')::uuid"


def statements(tables: list[str]) -> Iterator[str]:
    """Yield the statements that shut `tables`, each with a `workspace_id`, to all but the set workspace.

    FORCE binds the owner too; only a superuser or a role with BYPASSRLS sees more.
    """
    for table in tables:
        yield f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY"
        yield f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY"
        yield (
            f"CREATE POLICY workspace ON {table} "
            f"USING (workspace_id = {CURRENT}) WITH CHECK (workspace_id = {CURRENT})"
        )


def directory_statements() -> Iterator[str]:
    """Yield the statements for `workspaces` itself, the one table that is read before a workspace is known.

    A row is also visible to who has named its slug, so that a sign-in finds it and a list of tenants is
    never to be had.
    """
    yield "ALTER TABLE workspaces ENABLE ROW LEVEL SECURITY"
    yield "ALTER TABLE workspaces FORCE ROW LEVEL SECURITY"
    yield (
        f"CREATE POLICY workspace ON workspaces USING (id = {CURRENT} "
        f"OR slug = nullif(current_setting('handraise.slug', true), '')) WITH CHECK (id = {CURRENT})"
    )
