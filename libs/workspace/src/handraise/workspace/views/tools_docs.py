"""What previews of docs, projects and reminders look up: names, where the member can see them."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.gates import may_read_doc, may_read_team
from handraise.workspace.schema import docs, members, teams


async def doc_seen(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, doc_id: UUID
) -> str | None:
    """Return the title of a doc that the member can read."""
    statement = select(docs.c.title).where(
        docs.c.id == doc_id, docs.c.workspace_id == workspace_id, may_read_doc(member_id)
    )
    title: str | None = (await connection.execute(statement)).scalar_one_or_none()
    return title


async def team_seen(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, team_id: UUID
) -> str | None:
    """Return the name of a team that the member can see."""
    statement = select(teams.c.name).where(
        teams.c.id == team_id, teams.c.workspace_id == workspace_id, may_read_team(member_id)
    )
    name: str | None = (await connection.execute(statement)).scalar_one_or_none()
    return name


async def zone_seen(connection: AsyncConnection, workspace_id: UUID, member_id: UUID) -> str:
    """Return the member's IANA zone; UTC for one who is not there."""
    statement = select(members.c.timezone).where(
        members.c.id == member_id, members.c.workspace_id == workspace_id
    )
    zone: str | None = (await connection.execute(statement)).scalar_one_or_none()
    return zone or "UTC"
