"""What the API reads of docs, people and reminders: gated rows, as plain values, one statement each."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Table, and_, case, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace import gates
from handraise.workspace.actions.membership import PlaceKind
from handraise.workspace.schema import (
    channel_members,
    channels,
    doc_revisions,
    docs,
    members,
    project_members,
    projects,
    reminders,
    team_members,
    teams,
)
from handraise.workspace.views.people_search import matching_people
from handraise.workspace.words import MemberStatus, ReminderStatus, Visibility

Rows = list[dict[str, Any]]

_PLACES: dict[PlaceKind, tuple[Table, Table, Callable[[UUID], ColumnElement[bool]]]] = {
    PlaceKind.TEAM: (teams, team_members, gates.may_read_team),
    PlaceKind.PROJECT: (projects, project_members, gates.may_read_project),
    PlaceKind.CHANNEL: (channels, channel_members, gates.may_read_channel),
}


async def doc(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, doc_id: UUID
) -> dict[str, Any] | None:
    """Return a doc that the member may read, and whether they may change it."""
    owner, editor = members.alias(), members.alias()
    statement = (
        select(
            docs.c.id,
            docs.c.title,
            docs.c.body,
            docs.c.visibility,
            docs.c.project_id,
            docs.c.team_id,
            docs.c.owner_id,
            owner.c.name.label("owner"),
            func.coalesce(editor.c.name, owner.c.name).label("updated_by"),
            docs.c.updated_at,
            docs.c.version,
            or_(docs.c.owner_id == member_id, _is_filed_with(member_id)).label("may_edit"),
        )
        .join(owner, owner.c.id == docs.c.owner_id)
        .outerjoin(editor, editor.c.id == docs.c.updated_by)
        .where(docs.c.id == doc_id, docs.c.workspace_id == workspace_id, gates.may_read_doc(member_id))
    )
    row = (await connection.execute(statement)).mappings().first()
    return dict(row) if row else None


def _is_filed_with(member_id: UUID) -> ColumnElement[bool]:
    """Say of a doc that may be read whether the member is in what it is filed with, as `facts` reckons it."""
    project = and_(
        project_members.c.project_id == docs.c.project_id, project_members.c.member_id == member_id
    )
    team = and_(team_members.c.team_id == docs.c.team_id, team_members.c.member_id == member_id)
    return case(
        (docs.c.visibility == Visibility.PRIVATE, False),
        (docs.c.project_id.is_not(None), select(1).where(project).correlate(docs).exists()),
        (docs.c.team_id.is_not(None), select(1).where(team).correlate(docs).exists()),
        else_=True,
    )


async def revisions(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, doc_id: UUID
) -> Rows | None:
    """Return the versions of a doc that newer ones have replaced, the newest first; None for no such doc."""
    statement = (
        select(
            doc_revisions.c.version,
            doc_revisions.c.title,
            doc_revisions.c.body,
            members.c.name.label("author"),
            doc_revisions.c.created_at,
        )
        .select_from(
            docs.outerjoin(doc_revisions, doc_revisions.c.doc_id == docs.c.id).outerjoin(
                members, members.c.id == doc_revisions.c.author_id
            )
        )
        .where(docs.c.id == doc_id, docs.c.workspace_id == workspace_id, gates.may_read_doc(member_id))
        .order_by(doc_revisions.c.version.desc())
        .limit(100)
    )
    rows = [dict(row) for row in (await connection.execute(statement)).mappings()]
    return [row for row in rows if row["version"] is not None] if rows else None


async def people(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, text: str | None, limit: int
) -> Rows:
    """Return people of the workspace: those whose name fits, the best first, or all by name."""
    columns = (members.c.id, members.c.name, members.c.handle, members.c.role, members.c.status)
    if text:
        found = matching_people(workspace_id, member_id, text, limit).subquery("found")
        statement = (
            select(*columns)
            .join(found, found.c.id == members.c.id)
            .where(members.c.workspace_id == workspace_id)
            .order_by(found.c.rank.desc(), members.c.name, members.c.id)
        )
    else:
        who = members.alias()
        asks = (
            select(1)
            .where(
                who.c.id == member_id,
                who.c.workspace_id == workspace_id,
                who.c.status == MemberStatus.ACTIVE,
            )
            .exists()
        )
        statement = (
            select(*columns)
            .where(members.c.workspace_id == workspace_id, asks)
            .order_by(members.c.handle)
            .limit(limit)
        )
    return [dict(row) for row in (await connection.execute(statement)).mappings()]


async def members_of(
    connection: AsyncConnection,
    workspace_id: UUID,
    member_id: UUID,
    place: PlaceKind,
    place_id: UUID,
    limit: int,
    after: UUID | None = None,
) -> Rows | None:
    """Return who is in a place, by id, `limit` of them after `after`; None when the member can see no such place."""
    table, membership, gate = _PLACES[place]
    of_place = membership.c[f"{place}_id"]
    belongs = [of_place == table.c.id] + ([membership.c.member_id > after] if after else [])
    statement = (
        select(members.c.id, members.c.name, members.c.handle, membership.c.role)
        .select_from(
            table.outerjoin(membership, and_(*belongs)).outerjoin(
                members, members.c.id == membership.c.member_id
            )
        )
        .where(table.c.id == place_id, table.c.workspace_id == workspace_id, gate(member_id))
        .order_by(membership.c.member_id)
        .limit(limit)
    )
    rows = [dict(row) for row in (await connection.execute(statement)).mappings()]
    return [row for row in rows if row["id"] is not None] if rows else None


async def reminders_of(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, status: ReminderStatus
) -> Rows:
    """Return the member's own reminders in this state: those to come by their time, the others newest first."""
    c = reminders.c
    by_time = c.due_at if status is ReminderStatus.SET else c.due_at.desc()
    statement = (
        select(c.id, c.text, c.due_at, c.zone, c.status, c.job_id)
        .where(c.workspace_id == workspace_id, c.member_id == member_id, c.status == status)
        .order_by(by_time)
        .limit(200)
    )
    return [dict(row) for row in (await connection.execute(statement)).mappings()]
