"""Channels, their threads and conversations: reading them, and writing there."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.response import Template

from handraise.common.ids import parse_id
from handraise.gateway import talking
from handraise.gateway.pages.conversation import Dialogue, dialogue
from handraise.gateway.pages.forms import Form, settled
from handraise.gateway.pages.streams import stream_view
from handraise.gateway.pages.toasts import Toast
from handraise.gateway.pages.visit import PageRequest, Visit, present
from handraise.gateway.pages.wording import listed, plain_title
from handraise.workspace.views import conversations
from handraise.workspace.views import threads as views
from handraise.workspace.views.conversations import Conversation
from handraise.workspace.views.threads import TALK, Talk
from handraise.workspace.words import ConversationKind, Surface


class ThreadHead(msgspec.Struct, frozen=True):
    """What stands over a thread."""

    title: str
    starter: str | None
    jobs: int
    newest_job: UUID | None


class ConversationHead(msgspec.Struct, frozen=True):
    """What stands over a direct message or a group."""

    id: UUID
    title: str
    about: str
    mark: str
    agent: str | None
    empty: str


_TRIES = (
    ("what happened in #release this week?", "reads, changes nothing"),
    ("open a task for the API deploy", "asks which environment, then proposes the task"),
    ("which of my tasks are due this week?", "reads, changes nothing"),
)


@get("/channels/{channel_id:uuid}")
async def channel(
    request: PageRequest,
    channel_id: UUID,
    part: str | None = None,
    before: datetime | None = None,
    thread: UUID | None = None,
) -> Template:
    """Show a channel, or its live part; `thread` is the one that is open beside it."""
    visit = Visit(request, via="thread")
    async with visit.read() as connection:
        found = present(await views.stream(connection, visit.who.member_id, channel_id, before=before))
        context = {
            "stream": stream_view(found, visit.times),
            "thread_id": thread,
            **await _tries(visit),
        }
        if part == "stream":
            return visit.part("stream", **context)
        return await visit.page(
            connection,
            "channel",
            here=f"channel:{channel_id}",
            topics=[f"place-{channel_id}"],
            thread=None,
            channel_url=f"/channels/{channel_id}",
            stream_draft=_offered(request) or visit.draft(request.url.path),
            **context,
        )


@get("/channels/{channel_id:uuid}/threads/{root_id:uuid}")
async def thread(
    request: PageRequest,
    channel_id: UUID,
    root_id: UUID,
    part: str | None = None,
    before: datetime | None = None,
) -> Template:
    """Show a thread beside its channel, or one of its live parts."""
    visit = Visit(request, via="thread")
    async with visit.read() as connection:
        found = present(
            await views.thread(connection, visit.who.member_id, channel_id, root_id, before=before)
        )
        said = talk_of(found, visit)
        context = {
            "dialogue": said,
            **composer_words(visit, said, "Reply in the thread", "Reply"),
        }
        if part in ("thread", "composer"):
            return visit.part(part, **context)
        stream = present(await views.stream(connection, visit.who.member_id, channel_id))
        root = found.messages[0] if found.messages else None
        title = plain_title(root.body, 50) if root else "Thread"
        return await visit.page(
            connection,
            "channel",
            here=f"channel:{channel_id}",
            topics=[f"place-{channel_id}", f"thread-{root_id}"],
            stream=stream_view(stream, visit.times),
            thread=ThreadHead(
                title, (root.author or root.agent) if root else None, found.jobs, found.newest_job
            ),
            thread_id=root_id,
            channel_url=f"/channels/{channel_id}",
            stream_draft="",
            **await _tries(visit),
            **context,
        )


@get("/dm/{conversation_id:uuid}")
async def conversation(
    request: PageRequest, conversation_id: UUID, part: str | None = None, before: datetime | None = None
) -> Template:
    """Show a direct message or a group, or one of its live parts."""
    visit = Visit(request, via="dm")
    async with visit.read() as connection:
        found = present(
            await conversations.conversation(connection, visit.who.member_id, conversation_id, before=before)
        )
        head = _head(found)
        said = talk_of(found, visit)
        context = {
            "dialogue": said,
            "conversation": head,
            **await _tries(visit, spoken_to=True),
            **composer_words(visit, said, f"Message to {head.title}", f"Write to {head.title}"),
        }
        if part == "thread":
            return visit.part("talk_dm", **context)
        if part == "composer":
            return visit.part("composer", **context)
        return await visit.page(
            connection,
            "dm",
            here=f"dm:{conversation_id}",
            topics=[f"place-{conversation_id}"],
            **context,
        )


@post("/channels/{channel_id:uuid}")
async def post_to_channel(request: PageRequest, channel_id: UUID) -> Response[Any]:
    """Write to a channel. Work for an agent opens its thread."""
    return await write(request, Surface.CHANNEL_THREAD, channel_id, None)


@post("/channels/{channel_id:uuid}/threads/{root_id:uuid}")
async def post_to_thread(request: PageRequest, channel_id: UUID, root_id: UUID) -> Response[Any]:
    """Reply in a thread."""
    visit = Visit(request)
    async with visit.read() as connection:
        # A reply belongs to a message that is there, in that channel, where its author may read it.
        present(await views.thread_exists(connection, visit.who.member_id, channel_id, root_id))
    return await write(request, Surface.CHANNEL_THREAD, channel_id, root_id)


@post("/dm/{conversation_id:uuid}")
async def post_to_conversation(request: PageRequest, conversation_id: UUID) -> Response[Any]:
    """Write to a conversation."""
    visit = Visit(request)
    async with visit.read() as connection:
        kind = present(
            await conversations.conversation_kind(connection, visit.who.member_id, conversation_id)
        )
    surface = Surface.GROUP if kind is ConversationKind.GROUP else Surface.DM
    return await write(request, surface, conversation_id, None)


async def write(
    request: PageRequest, surface: Surface, place_id: UUID, thread_id: UUID | None
) -> Response[Any]:
    """Post what a composer sent, once however often it is sent, and go back; to the thread where work began."""
    form = await Form.of(request)
    visit = Visit(request, via=form.via)
    body = form.words("body")
    target = form.back

    async def posted() -> Toast | None:
        nonlocal target
        done = await talking.post(
            visit.gateway, visit.who, surface, place_id, thread_id, body, parse_id(form.words("message_id"))
        )
        if surface is Surface.CHANNEL_THREAD and thread_id is None and done.job_id:
            target = f"/channels/{place_id}/threads/{done.thread_id}"
        return None

    return await settled(request, form, posted(), words=body, place=request.url.path, target=lambda: target)


def talk_of(found: Talk, visit: Visit) -> Dialogue:
    """Put a talk's rows in order for its reader."""
    return dialogue(
        messages=found.messages,
        cards=found.cards,
        work=found.work,
        reads=found.reads,
        viewer_id=visit.who.member_id,
        times=visit.times,
        limit=TALK,
    )


def composer_words(visit: Visit, said: Dialogue, label: str, verb: str) -> dict[str, Any]:
    """Return what the composer below a talk says."""
    agents = [f"@{card.row.agent}" for card in said.questions if card.row.agent]
    return {
        "talk_label": label,
        "talk_placeholder": f"{verb}, or answer {agents[0]}" if agents else verb,
        "talk_draft": _offered(visit.request) or visit.draft(visit.request.url.path),
        "talk_inline": False,
    }


def _offered(request: PageRequest) -> str:
    """Return the words of a suggestion that was chosen without script. They only fill the composer."""
    words = request.query_params.get("words", "")
    return words if any(words.endswith(known) for known, _ in _TRIES) and len(words) < 120 else ""


async def _tries(visit: Visit, *, spoken_to: bool = False) -> dict[str, Any]:
    """Return what an empty place offers to try, spoken to an agent of the workspace; nothing without one."""
    handles = sorted(await visit.gateway.agents.of(visit.who.workspace_id))
    name = f"@{handles[0]}" if handles else ""
    before = "" if spoken_to else f"{name} "
    tries = [{"words": before + words, "what": what} for words, what in _TRIES] if handles else []
    return {"tries": tries, "agent_name": name}


def _head(found: Conversation) -> ConversationHead:
    others: Sequence[str] = found.others
    if found.kind is ConversationKind.GROUP:
        title = found.name or listed(others) or "Group"
        about, mark = f"You and {listed(others)}" if others else "You alone", "people"
        empty = f"A message here is read by {listed(others) or 'nobody else yet'}."
    elif found.agent:
        title, about, mark = (
            f"@{found.agent}",
            "Agent. Reads by itself, proposes every change, asks you",
            "hand",
        )
        empty = f"What you write here goes straight to @{found.agent}, nobody else reads it."
    else:
        title = listed(others) or "Yourself"
        about, mark = "Direct message", "person"
        empty = f"Only {title} and you read this."
    return ConversationHead(found.id, title, about, mark, found.agent, empty)


routes = [channel, thread, conversation, post_to_channel, post_to_thread, post_to_conversation]
