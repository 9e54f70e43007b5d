"""Bring a database to the newest schema and give each service a role with no more rights than it uses."""

import asyncio
from collections.abc import Mapping
from urllib.parse import quote, urlsplit, urlunsplit

import asyncpg

HEAD = "0002"  # the newest migration; a test holds it to the scripts
SERVICES = ("gateway", "runner", "permissions", "notifier")

_ALL = "SELECT, INSERT, UPDATE, DELETE"
# What each service may do. Audit rows can be added and read, by nobody changed.
_GRANTS: dict[str, tuple[str, ...]] = {
    "gateway": (f"{_ALL} ON ALL TABLES IN SCHEMA public",),
    "runner": (f"{_ALL} ON ALL TABLES IN SCHEMA public",),
    "permissions": ("SELECT ON ALL TABLES IN SCHEMA public", "INSERT ON audit"),
    "notifier": (
        "SELECT ON ALL TABLES IN SCHEMA public",
        "INSERT ON messages, audit, conversations, conversation_members",
        "UPDATE ON reminders",
    ),
}


def service_dsn(owner_dsn: str, service: str, password: str) -> str:
    """Return the address under which `service` connects with its own role."""
    parts = urlsplit(owner_dsn)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"handraise_{service}:{quote(password, safe='')}@{host}"))


async def prepare(owner_dsn: str, passwords: Mapping[str, str]) -> None:
    """Migrate to the newest schema and set the services' roles, as the owner of the database.

    `passwords` has one for each of `SERVICES`. Runs any number of times, and from several places at once:
    an advisory lock lets one in. The owner needs CREATEROLE unless the roles are there already.
    """
    connection = await asyncpg.connect(owner_dsn)
    try:
        await connection.execute("SELECT pg_advisory_lock(4242424242)")
        if await _version(connection) != HEAD:
            await asyncio.to_thread(_upgrade, owner_dsn)
        await _roles(connection, passwords)
    finally:
        await connection.close()


async def _version(connection: asyncpg.Connection) -> str | None:
    if await connection.fetchval("SELECT to_regclass('public.alembic_version')") is None:
        return None
    version: str | None = await connection.fetchval("SELECT version_num FROM alembic_version")
    return version


def _upgrade(owner_dsn: str) -> None:
    # Imported here: a start that has nothing to migrate does not pay for it.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "handraise.workspace:migrations")
    config.attributes["dsn"] = owner_dsn
    command.upgrade(config, "head")


async def _roles(connection: asyncpg.Connection, passwords: Mapping[str, str]) -> None:
    # One statement batch, so one transaction. Utility statements take no parameters: quote_literal does it.
    statements = []
    for service in SERVICES:
        role = f"handraise_{service}"
        if not await connection.fetchval("SELECT 1 FROM pg_roles WHERE rolname = $1", role):
            statements.append(f"CREATE ROLE {role} LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE")
        secret = await connection.fetchval("SELECT quote_literal($1::text)", passwords[service])
        statements.append(f"ALTER ROLE {role} PASSWORD {secret}")
        statements.append(f"REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {role}")
        statements.append(f"GRANT USAGE ON SCHEMA public TO {role}")
        statements.extend(f"GRANT {grant} TO {role}" for grant in _GRANTS[service])
        statements.append(f"REVOKE ALL ON alembic_version FROM {role}")
        statements.append(f"REVOKE UPDATE, DELETE, TRUNCATE ON audit FROM {role}")
    await connection.execute(";\n".join(statements))
