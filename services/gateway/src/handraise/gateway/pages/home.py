"""Home: what needs its reader, and beside it what they wait for."""

from typing import Any
from urllib.parse import urlencode
from uuid import UUID

import msgspec
from litestar import get
from litestar.response import Template

from handraise.common.ids import parse_id
from handraise.gateway.pages.needs import aside_of, needs_of
from handraise.gateway.pages.visit import PageRequest, Visit
from handraise.workspace.views import home as views
from handraise.workspace.views.places import places


class Filter(msgspec.Struct, frozen=True):
    """Which of what waits is shown."""

    agents: tuple[str, ...]
    agent: str
    project: UUID | None
    query: str  # as it stands in an address, to keep it

    @property
    def is_on(self) -> bool:
        return bool(self.query)


@get("/")
async def home(request: PageRequest, part: str | None = None, agent: str = "", project: str = "") -> Template:
    """Show Home, or one of its live parts; of one agent or about one project alone."""
    visit = Visit(request, via="home")
    chosen = await _filter(visit, agent, project)
    async with visit.read() as connection:
        context: dict[str, Any] = {
            "filter": chosen,
            "back": f"/?{chosen.query}" if chosen.is_on else "/",
        }
        if part in (None, "head", "needs"):
            rows = await views.needs(
                connection, visit.who.member_id, agent=chosen.agent or None, project_id=chosen.project
            )
            context["needs"] = needs_of(rows, visit.who.member_id, visit.times)
        if part in (None, "aside"):
            beside = await views.aside(connection, visit.who.member_id)
            context["aside"] = aside_of(beside, visit.who.member_id, visit.times)
        match part:
            case "head":
                return visit.part("needs_head", **context)
            case "needs":
                around = await places(connection, visit.who.member_id)
                return visit.part("needs", places=around, **context)
            case "aside":
                return visit.part("aside", **context)
            case _:
                return await visit.page(connection, "home", here="home", **context)


async def _filter(visit: Visit, agent: str, project: str) -> Filter:
    """Read a filter from an address. What names no agent, and no id, filters nothing."""
    every = await visit.gateway.agents.of(visit.who.workspace_id)
    known = tuple(sorted(one.handle for one in every.values()))
    handle = agent if agent in known else ""
    project_id = parse_id(project)
    named = {"agent": handle, "project": str(project_id or "")}
    return Filter(known, handle, project_id, urlencode({key: value for key, value in named.items() if value}))


@get("/parts/side")
async def side(request: PageRequest, here: str = "") -> Template:
    """Show the live part of the side bar."""
    visit = Visit(request)
    async with visit.read() as connection:
        return visit.part("side", places=await places(connection, visit.who.member_id), here=here)


@get("/channels")
async def channels(request: PageRequest) -> Template:
    """List the channels and conversations, for screens without a side bar."""
    visit = Visit(request)
    async with visit.read() as connection:
        return await visit.page(connection, "channels", here="channels")


@get("/more")
async def more(request: PageRequest) -> Template:
    """List everything else, for screens without a side bar."""
    visit = Visit(request)
    async with visit.read() as connection:
        return await visit.page(connection, "more", here="more")


routes = [home, side, channels, more]
