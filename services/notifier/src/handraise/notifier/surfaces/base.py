"""What a poster is: it turns something to be said into a message of its surface."""

from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

import msgspec

from handraise.common.bus.messages import Place
from handraise.workspace.words import MessageKind


class UnknownSurface(LookupError):
    """No poster is registered for this surface."""


class Post(msgspec.Struct, frozen=True, kw_only=True):
    """Something to be said on a surface, by an agent or in a member's name."""

    id: UUID
    place: Place
    kind: MessageKind
    body: str
    job_id: UUID
    at: datetime
    agent_id: UUID | None = None
    author_id: UUID | None = None
    request_id: UUID | None = None


class Poster(Protocol):
    """One surface."""

    def message(self, post: Post) -> dict[str, Any]:
        """Return the row of `messages` that says it."""
        ...


def row(post: Post, *, surface: str, thread_id: UUID | None) -> dict[str, Any]:
    """Return the message row that all surfaces share."""
    return {
        "id": post.id,
        "surface": surface,
        "place_id": post.place.place_id,
        "thread_id": thread_id,
        "author_id": post.author_id,
        "agent_id": post.agent_id,
        "job_id": post.job_id,
        "request_id": post.request_id,
        "kind": post.kind.value,
        "body": post.body,
        "created_at": post.at,
    }
