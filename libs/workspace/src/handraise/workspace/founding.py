"""Makes a workspace of one's own: its first member, who is its admin, a channel, and an agent."""

import re
import secrets
from uuid import UUID
from zoneinfo import available_timezones

import asyncpg
import msgspec

from handraise.common.ids import derive, new_id
from handraise.common.passwords import hash_password
from handraise.workspace.tools import REGISTRY
from handraise.workspace.words import MemberRole, Role

_SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+")


class FoundingError(ValueError):
    """The workspace can't be made like this. The text says what to change."""


class Founded(msgspec.Struct, frozen=True, kw_only=True):
    """A new workspace, and how its admin signs in. The password is shown this once."""

    workspace_id: UUID
    slug: str
    email: str
    password: str


async def found(owner_dsn: str, *, slug: str, name: str, email: str, timezone: str = "UTC") -> Founded:
    """Make a workspace as the database's owner, in one transaction. Raises FoundingError."""
    email = email.strip().lower()
    _check(slug, name, email, timezone)
    workspace_id, password = new_id(), secrets.token_urlsafe(12)
    handle = re.sub(r"[^a-z0-9-]", "", email.partition("@")[0]) or "admin"
    connection = await asyncpg.connect(owner_dsn)
    try:
        async with connection.transaction():
            await connection.execute("SELECT set_config('handraise.workspace', $1, true)", str(workspace_id))
            await connection.execute("SELECT set_config('handraise.slug', $1, true)", slug)
            if await connection.fetchval("SELECT 1 FROM workspaces WHERE slug = $1", slug):
                raise FoundingError(f"There is a workspace “{slug}” already; choose another slug.")
            member, channel = derive(workspace_id, "admin"), derive(workspace_id, "general")
            await connection.execute(
                "INSERT INTO workspaces (id, slug, name) VALUES ($1, $2, $3)", workspace_id, slug, name
            )
            await connection.execute(
                "INSERT INTO members (id, workspace_id, email, name, handle, role, timezone, password_hash) "
                "VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
                member, workspace_id, email, handle.capitalize(), handle, MemberRole.ADMIN.value, timezone,
                hash_password(password),
            )  # fmt: skip
            await connection.execute(
                "INSERT INTO channels (id, workspace_id, name, topic) VALUES ($1, $2, 'general', 'Everybody')",
                channel, workspace_id,
            )  # fmt: skip
            await connection.execute(
                "INSERT INTO channel_members (workspace_id, channel_id, member_id, role) VALUES ($1, $2, $3, $4)",
                workspace_id, channel, member, Role.ADMIN.value,
            )  # fmt: skip
            await connection.execute(
                "INSERT INTO agents (id, workspace_id, handle, name, instructions, tools) "
                "VALUES ($1, $2, 'ray', 'Ray', $3, $4)",
                derive(workspace_id, "agent"), workspace_id,
                f"You help the people of {name} with their tasks, docs and channels. Be brief.", list(REGISTRY),
            )  # fmt: skip
    finally:
        await connection.close()
    return Founded(workspace_id=workspace_id, slug=slug, email=email, password=password)


def _check(slug: str, name: str, email: str, timezone: str) -> None:
    if not _SLUG.fullmatch(slug):
        raise FoundingError(f"“{slug}” is no slug: lower-case letters, digits and dashes, at most 63.")
    if not name.strip() or len(name) > 100 or not name.isprintable():
        raise FoundingError("The name needs 1 to 100 printable characters.")
    if not _EMAIL.fullmatch(email):
        raise FoundingError(f"“{email}” is no e-mail address.")
    if timezone not in available_timezones():
        raise FoundingError(f"“{timezone}” is no IANA time zone, like Europe/Berlin.")
