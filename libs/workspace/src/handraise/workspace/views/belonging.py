"""Who belongs to a team, a project or a channel, as its members page shows them."""

from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import ColumnElement, Table, exists, func, literal, select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.gates import may_read_channel, may_read_project, may_read_team
from handraise.workspace.schema import (
    channel_members,
    channels,
    members,
    project_members,
    projects,
    team_members,
    teams,
)
from handraise.workspace.subjects import SubjectKind
from handraise.workspace.views.people import PersonLink
from handraise.workspace.views.people_search import matching_people
from handraise.workspace.views.shapes import answered, gathered
from handraise.workspace.words import ChannelKind, MemberStatus, Role

LISTED = 200
FOUND = 20


class Belonging(PersonLink, frozen=True, kw_only=True):
    """Somebody in a place, and what they are there."""

    role: Role
    status: MemberStatus


class PlaceMembers(msgspec.Struct, frozen=True, kw_only=True):
    """A place and its people, admins first; of those who were looked for, only who fits."""

    id: UUID
    name: str
    channel: ChannelKind | None
    role: Role | None  # the viewer's
    number: int
    admins: int
    members: tuple[Belonging, ...]
    others: tuple[PersonLink, ...]  # who fits and is not in it; for its admins alone


_TABLES: dict[SubjectKind, tuple[Table, Table, str, Any]] = {
    SubjectKind.TEAM: (teams, team_members, "team_id", may_read_team),
    SubjectKind.PROJECT: (projects, project_members, "project_id", may_read_project),
    SubjectKind.CHANNEL: (channels, channel_members, "channel_id", may_read_channel),
}


async def place_members(
    connection: AsyncConnection,
    workspace_id: UUID,
    member_id: UUID,
    kind: SubjectKind,
    place_id: UUID,
    looked_for: str = "",
) -> PlaceMembers | None:
    """Return who is in a place that the member may read."""
    table, membership, column, gate = _TABLES[kind]
    of, who, role = membership.alias(), members.alias(), membership.alias()
    here = of.c[column] == place_id
    people = (
        select(who.c.id, who.c.name, who.c.handle, of.c.role, who.c.status)
        .select_from(of.join(who, who.c.id == of.c.member_id))
        .where(here)
        .order_by(of.c.role, who.c.status, who.c.name, who.c.id)
        .limit(LISTED)
    )
    own = (
        select(role.c.role).where(role.c[column] == place_id, role.c.member_id == member_id).scalar_subquery()
    )
    others = select(who.c.id, who.c.name, who.c.handle).where(literal(False))
    if looked_for.strip():
        found = matching_people(workspace_id, member_id, looked_for, LISTED).subquery("found")
        people = people.where(who.c.id.in_(select(found.c.id).correlate(None)))
        others = (
            select(who.c.id, who.c.name, who.c.handle)
            .join(found, found.c.id == who.c.id)
            .where(~exists(select(1).where(here, of.c.member_id == who.c.id).correlate(who)))
            .where(own == Role.ADMIN)
            .order_by(found.c.rank.desc(), who.c.name)
            .limit(FOUND)
        )
    statement = select(
        table.c.id,
        table.c.name,
        (table.c.kind if kind is SubjectKind.CHANNEL else literal(None)).label("channel"),
        own.label("role"),
        _count(of, here).label("number"),
        _count(of, here, of.c.role == Role.ADMIN).label("admins"),
        gathered(people).label("members"),
        gathered(others).label("others"),
    ).where(table.c.id == place_id, gate(member_id))
    return await answered(connection, statement, PlaceMembers)


def _count(of: Any, *where: ColumnElement[bool]) -> Any:
    return select(func.count()).select_from(of).where(*where).scalar_subquery()
