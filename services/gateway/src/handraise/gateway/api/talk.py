"""Channels, conversations and what is written in them."""

from typing import Any
from uuid import UUID

from litestar import Request, get, post

from handraise.common.problems import Problem, not_found
from handraise.gateway import talking
from handraise.gateway.api.shapes import ChannelLink, Message, Posted, Write
from handraise.gateway.auth import signed
from handraise.gateway.state import gateway_of
from handraise.gateway.unseen import may_read
from handraise.workspace.views import api as views
from handraise.workspace.words import Surface

_CONVERSATION = "/conversations/{conversation_id:uuid}"


async def _post(request: Request[Any, Any, Any], surface: Surface, place_id: UUID, data: Write) -> Posted:
    gateway, who = gateway_of(request), signed(request)
    thread_id = data.thread_id if surface is Surface.CHANNEL_THREAD else None
    if thread_id is not None:
        async with gateway.db.read(who.workspace_id) as connection:
            if not await views.is_thread(connection, who.member_id, place_id, thread_id):
                raise not_found("thread")
    try:
        posted = await talking.post(gateway, who, surface, place_id, thread_id, data.body, data.message_id)
    except Problem as problem:
        if problem.code == "not_permitted" and not await may_read(gateway, who, surface, place_id):
            raise not_found("place") from None
        raise
    return Posted(
        message_id=posted.message_id,
        thread_id=posted.thread_id,
        job_id=posted.job_id,
        request_id=posted.request_id,
    )


@get("/channels", summary="Channels one can go to", tags=["talk"])
async def channels(request: Request[Any, Any, Any]) -> list[ChannelLink]:
    """Return the channels that the member may read, by name."""
    gateway, who = gateway_of(request), signed(request)
    async with gateway.db.read(who.workspace_id) as connection:
        return [ChannelLink(*row) for row in await views.channels_of(connection, who.member_id)]


@post("/channels/{channel_id:uuid}/messages", status_code=202, summary="Write to a channel", tags=["talk"])
async def post_to_channel(request: Request[Any, Any, Any], channel_id: UUID, data: Write) -> Posted:
    """Post to a channel, or to a thread in it. Mention an agent to give it work."""
    return await _post(request, Surface.CHANNEL_THREAD, channel_id, data)


@post("/tasks/{task_id:uuid}/comments", status_code=202, summary="Comment on a task", tags=["talk"])
async def comment(request: Request[Any, Any, Any], task_id: UUID, data: Write) -> Posted:
    """Comment on a task. Mention an agent to give it work there."""
    return await _post(request, Surface.TASK, task_id, data)


@post(f"{_CONVERSATION}/messages", status_code=202, summary="Write in a conversation", tags=["talk"])
async def post_to_conversation(request: Request[Any, Any, Any], conversation_id: UUID, data: Write) -> Posted:
    """Write into a direct message or a group."""
    gateway, who = gateway_of(request), signed(request)
    async with gateway.db.read(who.workspace_id) as connection:
        kind = await views.conversation_kind(connection, who.member_id, conversation_id)
    if kind is None:
        raise not_found("conversation")
    return await _post(request, Surface(kind), conversation_id, data)


@get("/channels/{channel_id:uuid}/threads/{thread_id:uuid}", summary="A thread", tags=["talk"])
async def thread(
    request: Request[Any, Any, Any], channel_id: UUID, thread_id: UUID
) -> dict[str, list[Message]]:
    """Return a thread's messages, oldest first."""
    gateway, who = gateway_of(request), signed(request)
    async with gateway.db.read(who.workspace_id) as connection:
        rows = await views.thread(connection, who.member_id, channel_id, thread_id)
    if not rows:
        raise not_found("thread")
    return {"messages": [Message(**row) for row in rows]}


@get("/tasks/{task_id:uuid}/comments", summary="A task's comments", tags=["talk"])
async def comments(request: Request[Any, Any, Any], task_id: UUID) -> dict[str, list[Message]]:
    """Return a task's comments, oldest first."""
    gateway, who = gateway_of(request), signed(request)
    async with gateway.db.read(who.workspace_id) as connection:
        if await views.task(connection, who.member_id, task_id) is None:
            raise not_found("task")
        rows = await views.comments(connection, who.member_id, task_id)
    return {"messages": [Message(**row) for row in rows]}


@get(_CONVERSATION, summary="A conversation", tags=["talk"])
async def conversation(request: Request[Any, Any, Any], conversation_id: UUID) -> dict[str, list[Message]]:
    """Return a conversation's messages, oldest first."""
    gateway, who = gateway_of(request), signed(request)
    async with gateway.db.read(who.workspace_id) as connection:
        if await views.conversation_kind(connection, who.member_id, conversation_id) is None:
            raise not_found("conversation")
        rows = await views.conversation(connection, who.member_id, conversation_id)
    return {"messages": [Message(**row) for row in rows]}


routes = [channels, post_to_channel, comment, post_to_conversation, thread, comments, conversation]
