"""A project as its page shows it: who the reader is there, what it holds, its tasks by status."""

from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import and_, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.gates import may_read_project
from handraise.workspace.schema import project_members, projects, tasks, teams
from handraise.workspace.views.people import PersonLink, people_of_project
from handraise.workspace.views.shapes import answered, gathered
from handraise.workspace.views.tasks import TaskLine, role_in_project, task_lines
from handraise.workspace.words import Role, TaskStatus


class StatusCount(msgspec.Struct, frozen=True):
    status: TaskStatus
    number: int


class ProjectHead(msgspec.Struct, frozen=True, kw_only=True):
    """A project by itself, and whom its tasks may be assigned to."""

    id: UUID
    key: str
    name: str
    description: str
    team: str | None
    role: Role | None
    people: tuple[PersonLink, ...]  # for its admins alone


class ProjectPage(msgspec.Struct, frozen=True, kw_only=True):
    """A project and its tasks, open ones first."""

    id: UUID
    key: str
    name: str
    description: str
    team: str | None
    role: Role | None
    people: int
    counts: tuple[StatusCount, ...]
    tasks: tuple[TaskLine, ...]


async def project_page(connection: AsyncConnection, member_id: UUID, project_id: UUID) -> ProjectPage | None:
    """Return a project that the member belongs to, with its tasks."""
    people = (
        select(func.count())
        .select_from(project_members)
        .where(project_members.c.project_id == projects.c.id)
        .correlate(projects)
        .scalar_subquery()
    )
    counts = (
        select(tasks.c.status, func.count().label("number"))
        .where(tasks.c.project_id == project_id)
        .group_by(tasks.c.status)
    )
    statement = (
        select(
            *_head(member_id),
            people.label("people"),
            gathered(counts).label("counts"),
            gathered(task_lines().where(tasks.c.project_id == project_id)).label("tasks"),
        )
        .select_from(projects.outerjoin(teams, teams.c.id == projects.c.team_id))
        .where(projects.c.id == project_id, may_read_project(member_id))
    )
    return await answered(connection, statement, ProjectPage)


async def project_head(connection: AsyncConnection, member_id: UUID, project_id: UUID) -> ProjectHead | None:
    """Return a project that the member belongs to, without its tasks."""
    people = people_of_project(project_id, for_admin=member_id)
    statement = (
        select(*_head(member_id), gathered(people).label("people"))
        .select_from(projects.outerjoin(teams, teams.c.id == projects.c.team_id))
        .where(and_(projects.c.id == project_id, may_read_project(member_id)))
    )
    return await answered(connection, statement, ProjectHead)


def _head(member_id: UUID) -> tuple[Any, ...]:
    return (
        projects.c.id,
        projects.c.key,
        projects.c.name,
        projects.c.description,
        teams.c.name.label("team"),
        role_in_project(member_id).label("role"),
    )
