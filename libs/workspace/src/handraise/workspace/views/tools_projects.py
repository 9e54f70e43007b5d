"""Projects and teams at a glance, as the read tools and the API see them."""

from typing import Any
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.gates import may_read_project, may_read_team, projects_read_by
from handraise.workspace.schema import (
    docs,
    members,
    project_members,
    projects,
    tasks,
    team_members,
    teams,
)
from handraise.workspace.words import MemberStatus, Visibility

PEOPLE = 50
DOCS = 10
TEAMS = 50


async def project(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, project_id: UUID
) -> dict[str, Any] | None:
    """Return a project that the member can see: its people, how its tasks stand, its newest docs."""
    by_status = (
        select(tasks.c.status, func.count().label("count"))
        .where(tasks.c.project_id == projects.c.id)
        .group_by(tasks.c.status)
        .correlate(projects)
        .subquery()
    )
    counts = select(func.json_object_agg(by_status.c.status, by_status.c.count)).scalar_subquery()
    people = (
        select(members.c.id, members.c.name, members.c.handle, project_members.c.role)
        .join(project_members, project_members.c.member_id == members.c.id)
        .where(project_members.c.project_id == projects.c.id, members.c.status == MemberStatus.ACTIVE)
        .order_by(project_members.c.role, members.c.name)
        .limit(PEOPLE)
        .correlate(projects)
        .subquery()
    )
    filed = (
        select(docs.c.id, docs.c.title)
        .where(docs.c.project_id == projects.c.id, docs.c.visibility == Visibility.PROJECT)
        .order_by(docs.c.updated_at.desc())
        .limit(DOCS)
        .correlate(projects)
        .subquery()
    )
    mine = (
        select(project_members.c.role)
        .where(project_members.c.project_id == projects.c.id, project_members.c.member_id == member_id)
        .correlate(projects)
        .scalar_subquery()
    )
    statement = (
        select(
            projects.c.id,
            projects.c.key,
            projects.c.name,
            projects.c.description,
            projects.c.team_id,
            teams.c.name.label("team"),
            mine.label("role"),
            counts.label("tasks"),
            _rows(people).label("people"),
            _rows(filed).label("docs"),
        )
        .select_from(projects.outerjoin(teams, teams.c.id == projects.c.team_id))
        .where(
            projects.c.id == project_id, projects.c.workspace_id == workspace_id, may_read_project(member_id)
        )
    )
    row = (await connection.execute(statement)).mappings().first()
    if row is None:
        return None
    found = {str(name): value for name, value in row.items()}
    found |= {"id": str(row["id"]), "tasks": row["tasks"] or {}}
    found["team_id"] = str(row["team_id"]) if row["team_id"] else None
    return found


async def teams_of(connection: AsyncConnection, workspace_id: UUID, member_id: UUID) -> list[dict[str, Any]]:
    """Return the teams that the member can see, their own first, with their projects that they can read."""
    mine = (
        select(team_members.c.role)
        .where(team_members.c.team_id == teams.c.id, team_members.c.member_id == member_id)
        .correlate(teams)
        .scalar_subquery()
    )
    of_team = (
        select(projects.c.id, projects.c.key, projects.c.name)
        .where(projects.c.team_id == teams.c.id, projects.c.id.in_(projects_read_by(member_id)))
        .order_by(projects.c.name)
        .correlate(teams)
        .subquery()
    )
    shown = (
        select(teams.c.id, teams.c.name, mine.label("role"), _rows(of_team).label("projects"))
        .where(teams.c.workspace_id == workspace_id, may_read_team(member_id))
        .order_by(mine.is_(None), teams.c.name)
        .limit(TEAMS)
    )
    rows = (await connection.execute(shown)).mappings()
    return [{str(name): value for name, value in row.items()} | {"id": str(row["id"])} for row in rows]


def _rows(rows: Any) -> Any:
    every = func.json_agg(rows.table_valued())
    return select(func.coalesce(every, func.json_build_array())).scalar_subquery()
