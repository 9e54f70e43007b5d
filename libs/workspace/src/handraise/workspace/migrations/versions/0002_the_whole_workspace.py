"""The whole workspace: reminders, revisions of docs, and what search and thousands of people need."""
# ruff: noqa: S608 - what is put into the functions is the text of this file and of `rls`

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from handraise.workspace import rls

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_SEARCHED = {
    "messages": "body",
    "tasks": "title || ' ' || description",
    "docs": "title || ' ' || body",
}
_AUDIENCE = (
    "CASE visibility WHEN 'private' THEN owner_id WHEN 'project' THEN project_id "
    "WHEN 'team' THEN team_id ELSE workspace_id END"
)
_ADMINS = {"team_members": "team_id", "project_members": "project_id", "channel_members": "channel_id"}

# Run as the owner, whom a policy of its own lets read all workspaces of these tables: under the policy of
# everybody else no search operator may use an index before the workspace is checked. So they check the
# workspace themselves, and it is the session's own, never an argument. They give no more than ids and ranks of
# places that the caller names: what somebody may see of them is the caller's affair, as in every other read.
_HEAD = """
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
SET plan_cache_mode = force_custom_plan
"""
_FUNCTIONS = (
    f"""CREATE FUNCTION search_messages(wanted tsquery, places uuid[], projects uuid[], most integer)
RETURNS TABLE (id uuid, rank real, at timestamptz) {_HEAD} AS $$
  SELECT h.id, ts_rank(h.words, wanted), h.created_at FROM (
    SELECT m.id, m.words, m.created_at, m.workspace_id, m.kind FROM messages m
    WHERE m.words @@ wanted AND m.place_id = ANY (places)
    UNION ALL
    SELECT m.id, m.words, m.created_at, m.workspace_id, m.kind
    FROM messages m JOIN tasks t ON t.id = m.place_id
    WHERE m.words @@ wanted AND m.surface = 'task' AND t.project_id = ANY (projects)
  ) h
  WHERE h.workspace_id = {rls.CURRENT} AND h.kind IN ('text', 'question', 'answer', 'final')
  ORDER BY 2 DESC, 3 DESC, 1 LIMIT most
$$""",
    f"""CREATE FUNCTION search_tasks(wanted tsquery, projects uuid[], most integer)
RETURNS TABLE (id uuid, rank real, at timestamptz) {_HEAD} AS $$
  SELECT t.id, ts_rank(t.words, wanted), t.updated_at FROM tasks t
  WHERE t.words @@ wanted AND t.project_id = ANY (projects) AND t.workspace_id = {rls.CURRENT}
  ORDER BY 2 DESC, 3 DESC, 1 LIMIT most
$$""",
    f"""CREATE FUNCTION search_docs(wanted tsquery, audiences uuid[], most integer)
RETURNS TABLE (id uuid, rank real, at timestamptz) {_HEAD} AS $$
  SELECT d.id, ts_rank(d.words, wanted), d.updated_at FROM docs d
  WHERE d.words @@ wanted AND d.audience_id = ANY (audiences) AND d.workspace_id = {rls.CURRENT}
  ORDER BY 2 DESC, 3 DESC, 1 LIMIT most
$$""",
    f"""CREATE FUNCTION search_people(wanted text, patterns text[], most integer)
RETURNS TABLE (id uuid, rank real) {_HEAD} AS $$
  SELECT p.id, CASE WHEN p.name ILIKE patterns[1] OR p.handle ILIKE patterns[1] THEN 2
      WHEN p.name || ' @' || p.handle ILIKE ANY (patterns) THEN 1 ELSE 0 END::real
    + word_similarity(wanted, p.name || ' @' || p.handle)
  FROM members p
  WHERE (p.name || ' @' || p.handle ILIKE ANY (patterns) OR wanted <% (p.name || ' @' || p.handle))
    AND p.status = 'active' AND p.workspace_id = {rls.CURRENT}
  ORDER BY 2 DESC, p.name, 1 LIMIT most
$$""",
)


def upgrade() -> None:
    op.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    _tables()
    op.add_column("docs", sa.Column("updated_by", sa.Uuid(), nullable=True))
    op.create_foreign_key(
        op.f("fk_docs_updated_by"), "docs", "members", ["updated_by"], ["id"], ondelete="SET NULL"
    )
    op.add_column("docs", sa.Column("audience_id", sa.Uuid(), sa.Computed(_AUDIENCE, persisted=True)))
    op.create_index(op.f("ix_docs_audience_id"), "docs", ["audience_id"])
    for table, text in _SEARCHED.items():
        words = sa.Computed(f"to_tsvector('simple', {text})", persisted=True)
        op.add_column(table, sa.Column("words", postgresql.TSVECTOR(), words))
        op.create_index(f"ix_{table}_words", table, ["words"], postgresql_using="gin")
    op.execute("CREATE INDEX ix_members_names ON members USING gin ((name || ' @' || handle) gin_trgm_ops)")
    op.create_index(
        "ix_members_admins", "members", ["workspace_id"], postgresql_where=sa.text("role = 'admin'")
    )
    for table, column in _ADMINS.items():
        op.create_index(f"ix_{table}_admins", table, [column], postgresql_where=sa.text("role = 'admin'"))
    # A conversation's and a task's messages are looked up by place too, whatever their thread.
    op.drop_index("ix_messages_place", "messages")
    op.create_index("ix_messages_place", "messages", ["place_id", "created_at"])
    for table in ("messages", "tasks", "docs", "members"):
        op.execute(f"CREATE POLICY search ON {table} FOR SELECT TO CURRENT_USER USING (true)")
    for function in _FUNCTIONS:
        op.execute(function)


def _tables() -> None:
    op.create_table(
        "reminders",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("member_id", sa.Uuid(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), server_default="set", nullable=False),
        sa.Column("job_id", sa.Uuid(), nullable=True),
        sa.Column("agent_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("fired_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("status IN ('set', 'fired', 'cancelled')", name=op.f("ck_reminders_status")),
        sa.ForeignKeyConstraint(
            ["member_id"], ["members.id"], name=op.f("fk_reminders_member_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_reminders_workspace_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reminders")),
    )
    op.create_index(
        "ix_reminders_member",
        "reminders",
        ["member_id", "due_at"],
        postgresql_where=sa.text("status = 'set'"),
    )
    op.create_table(
        "doc_revisions",
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("doc_id", sa.Uuid(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["author_id"], ["members.id"], name=op.f("fk_doc_revisions_author_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["doc_id"], ["docs.id"], name=op.f("fk_doc_revisions_doc_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_doc_revisions_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("doc_id", "version", name=op.f("pk_doc_revisions")),
    )
    for statement in rls.statements(["reminders", "doc_revisions"]):
        op.execute(statement)


def downgrade() -> None:
    for function in ("search_messages", "search_tasks", "search_docs", "search_people"):
        op.execute(f"DROP FUNCTION {function}")
    for table in ("messages", "tasks", "docs", "members"):
        op.execute(f"DROP POLICY search ON {table}")
    op.drop_index("ix_messages_place", "messages")
    op.create_index(
        "ix_messages_place",
        "messages",
        ["place_id", "created_at"],
        postgresql_where=sa.text("thread_id IS NULL"),
    )
    for table in (*_ADMINS, "members"):
        op.drop_index(f"ix_{table}_admins", table)
    op.drop_index("ix_members_names", "members")
    for table in _SEARCHED:
        op.drop_column(table, "words")
    op.drop_column("docs", "audience_id")
    op.drop_column("docs", "updated_by")
    op.drop_table("doc_revisions")
    op.drop_table("reminders")
