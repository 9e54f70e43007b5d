"""Teams as pages show them: those that a member may know of, and one with its projects."""

from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import Select, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.gates import may_read_project, may_read_team
from handraise.workspace.schema import projects, team_members, teams
from handraise.workspace.views.places import ProjectLink
from handraise.workspace.views.shapes import answered, gathered
from handraise.workspace.words import Role


class TeamLine(msgspec.Struct, frozen=True, kw_only=True):
    """A team, and what the member is in it."""

    id: UUID
    name: str
    role: Role | None
    people: int
    projects: tuple[ProjectLink, ...]  # that the member may read


class _Lines(msgspec.Struct, frozen=True):
    teams: tuple[TeamLine, ...]


async def teams_of(connection: AsyncConnection, member_id: UUID) -> tuple[TeamLine, ...]:
    """Return the teams that the member may know of, by name."""
    found = await answered(connection, select(gathered(_lines(member_id)).label("teams")), _Lines)
    return found.teams if found else ()


async def team_page(connection: AsyncConnection, member_id: UUID, team_id: UUID) -> TeamLine | None:
    """Return a team that the member may know of."""
    return await answered(connection, _lines(member_id).where(teams.c.id == team_id), TeamLine)


def _lines(member_id: UUID) -> Select[Any]:
    role = (
        select(team_members.c.role)
        .where(team_members.c.team_id == teams.c.id, team_members.c.member_id == member_id)
        .scalar_subquery()
    )
    people = (
        select(func.count())
        .select_from(team_members)
        .where(team_members.c.team_id == teams.c.id)
        .scalar_subquery()
    )
    of_team = (
        select(projects.c.id, projects.c.key, projects.c.name)
        .where(projects.c.team_id == teams.c.id, may_read_project(member_id))
        .order_by(projects.c.name)
        .correlate(teams)
    )
    return (
        select(
            teams.c.id,
            teams.c.name,
            role.label("role"),
            people.label("people"),
            _gathered_of(of_team).label("projects"),
        )
        .where(may_read_team(member_id))
        .order_by(teams.c.name)
    )


def _gathered_of(statement: Select[Any]) -> Any:
    """Gather rows that belong to a row of the statement round them."""
    rows = statement.lateral()
    every = func.json_agg(rows.table_valued())
    return select(func.coalesce(every, func.json_build_array())).select_from(rows).scalar_subquery()
