"""Home: what needs its reader, and beside it what they wait for."""

from typing import Any

from litestar import get
from litestar.response import Template

from handraise.gateway.pages.needs import aside_of, needs_of
from handraise.gateway.pages.visit import PageRequest, Visit
from handraise.workspace.views import home as views
from handraise.workspace.views.places import places


@get("/")
async def home(request: PageRequest, part: str | None = None) -> Template:
    """Show Home, or one of its live parts."""
    visit = Visit(request, via="home")
    async with visit.read() as connection:
        context: dict[str, Any] = {}
        if part in (None, "head", "needs"):
            rows = await views.needs(connection, visit.who.member_id)
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
