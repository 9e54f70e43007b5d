"""Places to talk in, made by hand: channels, groups, direct messages."""

from typing import Any

from litestar import Request, post

from handraise.gateway.api.receipts import done
from handraise.gateway.api.shapes import Receipt
from handraise.gateway.api.shapes_work import NewChannel, NewDm, NewGroup


@post("/channels", summary="Create a channel", tags=["talk"])
async def create_channel(request: Request[Any, Any, Any], data: NewChannel) -> Receipt:
    """Create a channel, as its admin."""
    arguments = {"name": data.name, "kind": data.kind, "topic": data.topic}
    return await done(request, "create_channel", arguments, key=data.key)


@post("/groups", summary="Create a group", tags=["talk"])
async def create_group(request: Request[Any, Any, Any], data: NewGroup) -> Receipt:
    """Create a group of these people and oneself. What is said there goes to `/conversations`."""
    arguments = {"name": data.name, "people": [str(person) for person in data.people]}
    return await done(request, "create_group", arguments, key=data.key)


@post("/conversations", summary="Open a direct message", tags=["talk"])
async def open_dm(request: Request[Any, Any, Any], data: NewDm) -> Receipt:
    """Return the one conversation with a person, opened if it is not yet."""
    return await done(request, "open_dm", {"person_id": str(data.person_id)})


routes = [create_channel, create_group, open_dm]
