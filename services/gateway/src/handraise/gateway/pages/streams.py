"""From rows to the messages of a channel, and who may write there."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from handraise.gateway.pages.times import Times
from handraise.workspace.views.talk import Work
from handraise.workspace.views.threads import STREAM, ChannelHead, Root, Stream
from handraise.workspace.words import ChannelKind, Role

FACES = 4


class RootView(msgspec.Struct, frozen=True, kw_only=True):
    """One message of a channel as it is shown."""

    row: Root
    day: str | None
    author: str
    faces: tuple[str, ...]
    work: tuple[Work, ...]


class StreamView(msgspec.Struct, frozen=True, kw_only=True):
    """A channel as it is shown."""

    head: ChannelHead
    roots: tuple[RootView, ...]
    earlier: datetime | None
    may_post: bool
    shut: str  # why not


def stream_view(stream: Stream, times: Times) -> StreamView:
    """Make a channel's page of its rows."""
    shown = stream.messages[-STREAM:]
    roots: list[RootView] = []
    day = ""
    for row in shown:
        today = times.day(row.created_at)
        roots.append(
            RootView(
                row=row,
                day=today if today != day else None,
                author=row.author or row.agent or "Somebody who has left",
                faces=_faces(row.faces),
                work=tuple(job for job in stream.work if row.id in (job.thread_id, job.message_id)),
            )
        )
        day = today
    shut = shut_reason(stream.kind, stream.role, stream.name)
    return StreamView(
        head=stream,
        roots=tuple(roots),
        earlier=shown[0].created_at if len(stream.messages) > STREAM else None,
        may_post=not shut,
        shut=shut,
    )


def shut_reason(kind: ChannelKind, role: Role | None, name: str) -> str:
    """Say why the reader can't write in a channel; empty when they can."""
    if role is None:
        return f"You read along. Only members of #{name} write here."
    if kind is ChannelKind.ANNOUNCEMENT and role is not Role.ADMIN:
        return f"Only admins of #{name} write here. You are a member."
    return ""


def _faces(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(names, key=lambda name: (not name.startswith("@"), name))[:FACES])
