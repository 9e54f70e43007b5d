"""What is made once and then lived in: teams, projects, channels."""

from typing import Any
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.response import Template

from handraise.gateway.pages.forms import Form
from handraise.gateway.pages.visit import PageRequest, Visit, go_to, present
from handraise.gateway.pages.writing import Fault, attempt, saved
from handraise.workspace.policy import Act, SubjectKind
from handraise.workspace.views.team_pages import team_page, teams_of
from handraise.workspace.words import ChannelKind, Role


class NewTeam(msgspec.Struct, frozen=True):
    """The form of a new team."""

    name: str = ""
    fault: Fault | None = None


class NewProject(msgspec.Struct, frozen=True):
    """The form of a new project."""

    name: str = ""
    key: str = ""
    team: str = ""
    description: str = ""
    fault: Fault | None = None


class NewChannel(msgspec.Struct, frozen=True):
    """The form of a new channel."""

    name: str = ""
    kind: str = ChannelKind.PUBLIC.value
    topic: str = ""
    fault: Fault | None = None


@get("/teams")
async def teams(request: PageRequest) -> Template:
    """List the teams that the reader may know of."""
    return await _teams(Visit(request), NewTeam(), status=200)


@post("/teams")
async def create_team(request: PageRequest) -> Response[Any]:
    """Create a team and go to it."""
    form = await Form.of(request)
    visit = Visit(request)
    name = form.words("name")
    done = await attempt(visit, form, "create_team", {"name": name})
    if isinstance(done, Fault):
        return await _teams(visit, NewTeam(name, done), status=done.status)
    return go_to(request, done.link, saved(done))


@get("/teams/{team_id:uuid}")
async def team(request: PageRequest, team_id: UUID) -> Template:
    """Show a team: its projects, and the way to its members."""
    visit = Visit(request)
    async with visit.read() as connection:
        found = present(await team_page(connection, visit.who.member_id, team_id))
        return await visit.page(connection, "team", here="teams", team=found)


@get("/projects/new")
async def new_project(request: PageRequest, team: str = "") -> Template:
    """Show the form of a new project to admins of a team."""
    return await _project(Visit(request), NewProject(team=team), status=200)


@post("/projects")
async def create_project(request: PageRequest) -> Response[Any]:
    """Create a project and go to it."""
    form = await Form.of(request)
    visit = Visit(request)
    words = {name: form.words(name) for name in ("name", "key", "team", "description")}
    arguments = {
        "team_id": words["team"],
        "name": words["name"],
        "key": words["key"].strip().upper() or None,
        "description": words["description"],
    }
    done = await attempt(visit, form, "create_project", arguments)
    if isinstance(done, Fault):
        return await _project(visit, NewProject(**words, fault=done), status=done.status)
    return go_to(request, done.link, saved(done))


@get("/channels/new")
async def new_channel(request: PageRequest) -> Template:
    """Show the form of a new channel."""
    visit = Visit(request)
    await visit.gateway.permit(visit.who, Act.CHANNEL_CREATE, SubjectKind.WORKSPACE, None)
    return await _channel(visit, NewChannel(), status=200)


@post("/channels")
async def create_channel(request: PageRequest) -> Response[Any]:
    """Create a channel and go to it."""
    form = await Form.of(request)
    visit = Visit(request)
    words = {name: form.words(name) for name in ("name", "kind", "topic")}
    done = await attempt(visit, form, "create_channel", words)
    if isinstance(done, Fault):
        return await _channel(visit, NewChannel(**words, fault=done), status=done.status)
    return go_to(request, done.link, saved(done))


async def _teams(visit: Visit, form: NewTeam, *, status: int) -> Template:
    async with visit.read() as connection:
        found = await teams_of(connection, visit.who.member_id)
        return await visit.page(connection, "teams", here="teams", status=status, teams=found, form=form)


async def _project(visit: Visit, form: NewProject, *, status: int) -> Template:
    async with visit.read() as connection:
        own = [one for one in await teams_of(connection, visit.who.member_id) if one.role is Role.ADMIN]
        return await visit.page(connection, "project_new", here="teams", status=status, teams=own, form=form)


async def _channel(visit: Visit, form: NewChannel, *, status: int) -> Template:
    async with visit.read() as connection:
        return await visit.page(connection, "channel_new", here="channels", status=status, form=form)


routes = [teams, create_team, team, new_project, create_project, new_channel, create_channel]
