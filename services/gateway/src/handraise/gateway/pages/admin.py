"""What admins of the workspace look after: messages that could not be handled."""

from typing import Any

from litestar import Response, get, post
from litestar.response import Template

from handraise.common.problems import Problem
from handraise.gateway.letters import letters, replay
from handraise.gateway.pages.forms import Form, settled
from handraise.gateway.pages.toasts import Toast
from handraise.gateway.pages.visit import PageRequest, Visit


@get("/admin/dead-letters")
async def dead_letters(request: PageRequest) -> Template:
    """List the workspace's dead letters, newest first, to its admins."""
    visit = Visit(request)
    found = await letters(visit.gateway, visit.who)
    async with visit.read() as connection:
        return await visit.page(connection, "dead_letters", here="dead-letters", letters=found)


@post("/admin/dead-letters/{seq:int}/replay")
async def replay_letter(request: PageRequest, seq: int) -> Response[Any]:
    """Put a dead letter back where it came from."""
    form = await Form.of(request)
    visit = Visit(request)
    return await settled(request, form, _replayed(visit, seq))


async def _replayed(visit: Visit, seq: int) -> Toast:
    try:
        await replay(visit.gateway, visit.who, seq)
    except Problem as problem:
        if problem.status != 404:
            raise
        return Toast("Not replayed.", "The letter is not on the list any more.", stays=True)
    return Toast("Replayed.", "It is handled as if it had just arrived.", tone="good")


routes = [dead_letters, replay_letter]
