"""People by what somebody remembers of their name: its beginning, a part of it, or something near."""

from typing import Any
from uuid import UUID

from sqlalchemy import ARRAY, Select, Text, cast, exists, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.schema import members
from handraise.workspace.words import MemberStatus


def matching_people(workspace_id: UUID, member_id: UUID, text: str, limit: int) -> Select[Any]:
    """Select `id` and `rank` of the active people whose name or handle fits, for an active member."""
    query = text.strip().removeprefix("@")
    found = func.search_people(query, cast(_patterns(query), ARRAY(Text)), limit).table_valued(
        "id", "rank", name="found_people"
    )
    who = members.alias()
    asks = exists().where(
        who.c.id == member_id, who.c.workspace_id == workspace_id, who.c.status == MemberStatus.ACTIVE
    )
    return select(found.c.id, found.c.rank).where(asks)


async def people(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, text: str, limit: int = 10
) -> list[dict[str, str]]:
    """Return the active people whose name or handle fits, those who begin with it first."""
    found = matching_people(workspace_id, member_id, text, limit).subquery("found")
    statement = (
        select(members.c.id, members.c.name, members.c.handle)
        .join(found, found.c.id == members.c.id)
        .where(members.c.workspace_id == workspace_id)
        .order_by(found.c.rank.desc(), members.c.name, members.c.id)
    )
    rows = await connection.execute(statement)
    return [{"id": str(row.id), "name": row.name, "handle": row.handle} for row in rows]


def _patterns(query: str) -> list[str]:
    """Return what to match: the beginning first. Less than three characters are only looked for at beginnings."""
    escaped = query.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    if len(query) < 3:
        return [f"{escaped}%", f"% {escaped}%", f"%@{escaped}%"]
    return [f"{escaped}%", f"%{escaped}%"]
