"""Tasks as pages show them: one with all that was said and done about it, and lists of them."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import Select, and_, case, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.gates import may_read_task
from handraise.workspace.schema import (
    actions,
    agents,
    audit,
    jobs,
    members,
    messages,
    project_members,
    projects,
    requests,
    tasks,
)
from handraise.workspace.views.people import PersonLink, people_of_project
from handraise.workspace.views.shapes import answered, gathered
from handraise.workspace.views.talk import Card, card_rows
from handraise.workspace.views.threads import Talk, talk_columns
from handraise.workspace.words import RequestStatus, Role, Surface, TaskStatus, Verdict

HISTORY = 30
LISTED = 200


class TaskLine(msgspec.Struct, frozen=True, kw_only=True):
    """A task in a list."""

    id: UUID
    key: str  # ATL-118
    title: str
    status: TaskStatus
    assignee: str | None
    due_at: datetime | None
    due_zone: str | None
    project: str


class Event(msgspec.Struct, frozen=True, kw_only=True):
    """One audited thing that happened to a task, refusals too."""

    at: datetime
    tag: str
    verdict: Verdict
    reason: str | None  # why not; of what was done, its receipt with the title on the first line
    actor: str | None
    acted_as: str | None
    agent: str | None


class TaskPage(Talk, frozen=True, kw_only=True):
    """One task, what is said about it, what waits on it, and its history."""

    id: UUID
    key: str
    title: str
    description: str
    status: TaskStatus
    version: int
    assignee: str | None
    assignee_id: UUID | None
    due_at: datetime | None
    due_zone: str | None
    project_id: UUID
    project: str
    role: Role | None
    created_by: str | None
    created_at: datetime
    people: tuple[PersonLink, ...]  # whom it may be assigned to; for admins of its project alone
    waiting: tuple[Card, ...]
    history: tuple[Event, ...]


class _Lines(msgspec.Struct, frozen=True):
    tasks: tuple[TaskLine, ...]


async def task_page(connection: AsyncConnection, member_id: UUID, task_id: UUID) -> TaskPage | None:
    """Return a task of a project that the member belongs to."""
    assignee, creator = members.alias(), members.alias()
    here = and_(requests.c.surface == Surface.TASK, requests.c.place_id == task_id)
    on_it = actions.c.arguments["task_id"].astext == str(task_id)
    statement = (
        select(
            tasks.c.id,
            _key().label("key"),
            tasks.c.title,
            tasks.c.description,
            tasks.c.status,
            tasks.c.version,
            assignee.c.name.label("assignee"),
            tasks.c.assignee_id,
            tasks.c.due_at,
            tasks.c.due_zone,
            tasks.c.project_id,
            projects.c.name.label("project"),
            role_in_project(member_id).label("role"),
            creator.c.name.label("created_by"),
            tasks.c.created_at,
            gathered(_assignable(member_id, task_id)).label("people"),
            gathered(card_rows(or_(here, on_it), requests.c.status == RequestStatus.OPEN)).label("waiting"),
            gathered(_events(task_id)).label("history"),
            *talk_columns(
                and_(messages.c.surface == Surface.TASK, messages.c.place_id == task_id),
                here,
                and_(jobs.c.surface == Surface.TASK, jobs.c.place_id == task_id),
            ),
        )
        .select_from(
            tasks.join(projects, projects.c.id == tasks.c.project_id)
            .outerjoin(assignee, assignee.c.id == tasks.c.assignee_id)
            .outerjoin(creator, creator.c.id == tasks.c.created_by)
        )
        .where(tasks.c.id == task_id, may_read_task(member_id))
    )
    return await answered(connection, statement, TaskPage)


async def tasks_of(connection: AsyncConnection, member_id: UUID) -> tuple[TaskLine, ...]:
    """Return the member's own tasks, open ones first, then by due date."""
    mine = task_lines().where(tasks.c.assignee_id == member_id, may_read_task(member_id))
    found = await answered(connection, select(gathered(mine).label("tasks")), _Lines)
    return found.tasks if found else ()


def _assignable(member_id: UUID, task_id: UUID) -> Select[Any]:
    its = tasks.alias()
    project_id = select(its.c.project_id).where(its.c.id == task_id).scalar_subquery()
    return people_of_project(project_id, for_admin=member_id)


def _key() -> Any:
    return func.concat(projects.c.key, "-", tasks.c.number)


def role_in_project(member_id: UUID) -> Any:
    """Return the member's role in the project of the row."""
    return (
        select(project_members.c.role)
        .where(project_members.c.project_id == projects.c.id, project_members.c.member_id == member_id)
        .correlate(projects)
        .scalar_subquery()
    )


def task_lines() -> Select[Any]:
    """Select `TaskLine` rows, open ones first, then by due date."""
    return (
        select(
            tasks.c.id,
            _key().label("key"),
            tasks.c.title,
            tasks.c.status,
            members.c.name.label("assignee"),
            tasks.c.due_at,
            tasks.c.due_zone,
            projects.c.name.label("project"),
        )
        .select_from(
            tasks.join(projects, projects.c.id == tasks.c.project_id).outerjoin(
                members, members.c.id == tasks.c.assignee_id
            )
        )
        .order_by(
            case((tasks.c.status == TaskStatus.DONE, 1), else_=0),
            tasks.c.due_at.asc().nulls_last(),
            projects.c.key,
            tasks.c.number,
        )
        .limit(LISTED)
    )


def _events(task_id: UUID) -> Select[Any]:
    actor, acted_as = members.alias(), members.alias()
    return (
        select(
            audit.c.at,
            audit.c.tag,
            audit.c.verdict,
            audit.c.reason,
            actor.c.name.label("actor"),
            acted_as.c.name.label("acted_as"),
            agents.c.handle.label("agent"),
        )
        .select_from(
            audit.outerjoin(actor, actor.c.id == audit.c.actor_id)
            .outerjoin(acted_as, acted_as.c.id == audit.c.as_id)
            .outerjoin(agents, agents.c.id == audit.c.agent_id)
        )
        .where(audit.c.subject_kind == "task", audit.c.subject_id == task_id)
        .order_by(audit.c.at.desc())
        .limit(HISTORY)
    )
