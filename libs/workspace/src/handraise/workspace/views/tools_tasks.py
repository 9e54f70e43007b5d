"""Tasks and projects as the read tools and the previews see them."""

from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct
from sqlalchemy import ColumnElement, Row, Select, cast, select
from sqlalchemy.dialects.postgresql import TEXT
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.wording import in_zone
from handraise.workspace.gates import may_read_project, may_read_task
from handraise.workspace.schema import members, project_members, projects, tasks
from handraise.workspace.words import MemberStatus, TaskStatus

LIMIT = 50

_assignee = members.alias("assignee")
_OPEN_FIRST = (
    tasks.c.status == TaskStatus.DONE,
    tasks.c.due_at.asc().nulls_last(),
    tasks.c.number,
)
KEY = (projects.c.key + "-" + cast(tasks.c.number, TEXT)).label("key")


async def my_tasks(connection: AsyncConnection, workspace_id: UUID, member_id: UUID) -> list[dict[str, Any]]:
    """Return the tasks assigned to the member, open ones first."""
    statement = (
        _tasks()
        .where(
            tasks.c.workspace_id == workspace_id,
            tasks.c.assignee_id == member_id,
            may_read_task(member_id),
        )
        .order_by(*_OPEN_FIRST)
        .limit(LIMIT)
    )
    return [_task(row) for row in await connection.execute(statement)]


async def project_tasks(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, project_id: UUID
) -> list[dict[str, Any]] | None:
    """Return the tasks of a project, open ones first; None when the member can see no such project."""
    statement = (
        select(*_columns())
        .select_from(
            projects.outerjoin(tasks, tasks.c.project_id == projects.c.id).outerjoin(
                _assignee, _assignee.c.id == tasks.c.assignee_id
            )
        )
        .where(
            projects.c.id == project_id,
            projects.c.workspace_id == workspace_id,
            may_read_project(member_id),
        )
        .order_by(*_OPEN_FIRST)
        .limit(LIMIT)
    )
    rows = (await connection.execute(statement)).all()
    if not rows:
        return None
    return [_task(row) | {"assignee": row.assignee} for row in rows if row.id is not None]


async def my_projects(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID
) -> list[dict[str, Any]]:
    """Return the projects the member is in, with what they are there."""
    statement = (
        select(projects.c.id, projects.c.key, projects.c.name, project_members.c.role)
        .join(project_members, project_members.c.project_id == projects.c.id)
        .where(
            projects.c.workspace_id == workspace_id,
            project_members.c.member_id == member_id,
            may_read_project(member_id),
        )
        .order_by(projects.c.name)
        .limit(LIMIT)
    )
    rows = await connection.execute(statement)
    return [{"id": str(row.id), "key": row.key, "name": row.name, "role": row.role} for row in rows]


class TaskSeen(Struct, frozen=True):
    """A task as a preview shows it."""

    key: str
    title: str
    status: TaskStatus
    project: str
    project_id: UUID
    assignee: str | None
    assignee_id: UUID | None
    due_at: datetime | None
    zone: str
    """The IANA zone of the member who looks."""
    other: str | None
    """The name of the other person asked for, where they can be assigned."""


async def task_seen(
    connection: AsyncConnection,
    workspace_id: UUID,
    member_id: UUID,
    task_id: UUID,
    other_id: UUID | None = None,
) -> TaskSeen | None:
    """Return a task the member can see, and the name of `other_id` where that is a member of its project."""
    statement = (
        _tasks(
            tasks.c.project_id,
            tasks.c.assignee_id,
            _zone(member_id).label("zone"),
            _in_project(tasks.c.project_id, other_id).label("other"),
        )
        .where(tasks.c.id == task_id, tasks.c.workspace_id == workspace_id, may_read_task(member_id))
        .limit(1)
    )
    row = (await connection.execute(statement)).first()
    if row is None:
        return None
    return TaskSeen(
        row.key,
        row.title,
        TaskStatus(row.status),
        row.project,
        row.project_id,
        row.assignee,
        row.assignee_id,
        row.due_at,
        row.zone,
        row.other,
    )


async def project_seen(
    connection: AsyncConnection,
    workspace_id: UUID,
    member_id: UUID,
    project_id: UUID,
    other_id: UUID | None = None,
) -> Row[Any, Any, Any] | None:
    """Return `name`, the looking member's `zone`, and `other` as above, of a project the member can see."""
    statement = select(
        projects.c.name,
        _zone(member_id).label("zone"),
        _in_project(projects.c.id, other_id).label("other"),
    ).where(projects.c.id == project_id, projects.c.workspace_id == workspace_id, may_read_project(member_id))
    return (await connection.execute(statement)).first()


def _zone(member_id: UUID) -> ColumnElement[str]:
    who = members.alias()
    return select(who.c.timezone).where(who.c.id == member_id).scalar_subquery()


def _in_project(project: ColumnElement[UUID], other_id: UUID | None) -> ColumnElement[str | None]:
    who, of = members.alias(), project_members.alias()
    return (
        select(who.c.name)
        .join(of, of.c.member_id == who.c.id)
        .where(of.c.project_id == project, who.c.id == other_id, who.c.status == MemberStatus.ACTIVE)
        .correlate(tasks, projects)
        .scalar_subquery()
    )


def _columns() -> tuple[ColumnElement[Any], ...]:
    return (
        tasks.c.id,
        KEY,
        tasks.c.title,
        tasks.c.status,
        projects.c.name.label("project"),
        tasks.c.due_at,
        tasks.c.due_zone,
        _assignee.c.name.label("assignee"),
    )


def _tasks(*more: ColumnElement[Any]) -> Select[Any]:
    return select(*_columns(), *more).select_from(
        tasks.join(projects, projects.c.id == tasks.c.project_id).outerjoin(
            _assignee, _assignee.c.id == tasks.c.assignee_id
        )
    )


def _task(row: Row[Any]) -> dict[str, Any]:
    due = in_zone(row.due_at, row.due_zone).isoformat() if row.due_at else None
    return {
        "id": str(row.id),
        "key": row.key,
        "title": row.title,
        "status": row.status,
        "project": row.project,
        "due": due,
    }
