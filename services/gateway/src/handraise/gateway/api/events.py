"""The event stream: what changed, as it changes, for one person. It resumes with `Last-Event-ID`."""

import re
from collections.abc import AsyncIterator
from typing import Annotated, Any

from litestar import Request, get
from litestar.params import HeaderParameter
from litestar.response import ServerSentEvent
from litestar.response.sse import ServerSentEventMessage

from handraise.common.problems import Problem
from handraise.gateway.auth import signed
from handraise.gateway.live import Sent
from handraise.gateway.state import gateway_of

_TOPIC = re.compile(r"^(home|(place|thread|task|job)-[0-9a-f-]{36})$")
_EVENT_ID = re.compile(r"[0-9]{1,18}")
LastEventId = Annotated[str | None, HeaderParameter(name="Last-Event-ID", required=False)]


@get("/events", summary="Event stream", tags=["events"], media_type="text/event-stream")
async def events(
    request: Request[Any, Any, Any],
    last_event_id: LastEventId = None,
) -> ServerSentEvent:
    """Stream what changes, each message named by its kind, until the client leaves."""
    return _stream(request, None, last_event_id)


@get("/events", include_in_schema=False)
async def page_events(
    request: Request[Any, Any, Any],
    topics: str = "home",
    last_event_id: LastEventId = None,
) -> ServerSentEvent:
    """Stream what changes on a page, each message named by its topic."""
    wanted = frozenset(topics.split(","))
    if len(wanted) > 50 or not all(_TOPIC.match(topic) for topic in wanted):
        raise Problem(400, "invalid_topics", "topics are home, or place-, thread-, task-, job- with an id.")
    return _stream(request, wanted, last_event_id)


def _stream(
    request: Request[Any, Any, Any], topics: frozenset[str] | None, last_event_id: str | None
) -> ServerSentEvent:
    gateway, who = gateway_of(request), signed(request)
    last_id = None
    if last_event_id:
        # An id that is not ours: tell everything that is kept, then `sync`.
        last_id = int(last_event_id) if _EVENT_ID.fullmatch(last_event_id) else 0
    return ServerSentEvent(
        _messages(gateway.hub.stream(who, topics, last_id)), headers={"x-accel-buffering": "no"}
    )


async def _messages(sent: AsyncIterator[Sent]) -> AsyncIterator[ServerSentEventMessage]:
    async for message in sent:
        if not message.event:
            yield ServerSentEventMessage(comment="still here")
        else:
            id = None if message.id is None else str(message.id)
            yield ServerSentEventMessage(event=message.event, data=message.data, id=id)


routes = [events]
