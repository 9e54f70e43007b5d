"""What is said in a channel and in a thread of it: each one gated statement."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import ColumnElement, Select, and_, exists, func, literal, literal_column, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.gates import may_read_channel
from handraise.workspace.schema import (
    agents,
    channel_members,
    channels,
    jobs,
    members,
    messages,
    requests,
)
from handraise.workspace.views.shapes import answered, gathered
from handraise.workspace.views.talk import (
    Card,
    Message,
    RoundRead,
    Work,
    card_rows,
    is_live,
    message_rows,
    read_rows,
    work_rows,
)
from handraise.workspace.words import (
    ChannelKind,
    RequestKind,
    RequestStatus,
    Role,
    Surface,
)

STREAM = 60  # messages of a channel on one page
TALK = 200  # messages of a thread or conversation on one page
RECENT_JOBS = 100


class Root(Message, frozen=True, kw_only=True):
    """A message of a channel with what its thread holds."""

    replies: int
    last_at: datetime | None
    faces: tuple[str, ...]  # names, and handles with their @
    questions: int
    proposals: int


class ChannelHead(msgspec.Struct, frozen=True, kw_only=True):
    """A channel, and what the member is in it."""

    id: UUID
    name: str
    topic: str
    kind: ChannelKind
    people: int
    role: Role | None


class Stream(ChannelHead, frozen=True, kw_only=True):
    """The latest messages of a channel, one more than `STREAM` when there are earlier ones."""

    messages: tuple[Root, ...]
    work: tuple[Work, ...]


class Talk(msgspec.Struct, frozen=True, kw_only=True):
    """Everything in one thread or conversation, one message more than `TALK` when there are earlier ones."""

    messages: tuple[Message, ...]
    cards: tuple[Card, ...]
    work: tuple[Work, ...]
    reads: tuple[RoundRead, ...]


class Thread(Talk, frozen=True, kw_only=True):
    """A thread of a channel."""

    channel: str
    kind: ChannelKind
    role: Role | None
    jobs: int
    newest_job: UUID | None


async def stream(
    connection: AsyncConnection, member_id: UUID, channel_id: UUID, *, before: datetime | None = None
) -> Stream | None:
    """Return a channel and its latest messages; with `before`, the latest of the earlier ones."""
    where = [
        messages.c.surface == Surface.CHANNEL_THREAD,
        messages.c.place_id == channel_id,
        messages.c.thread_id.is_(None),
    ]
    if before is not None:
        where.append(messages.c.created_at < before)
    roots = message_rows(*where).add_columns(*_thread_counts())
    statement = (
        select(
            channels.c.id,
            channels.c.name,
            channels.c.topic,
            channels.c.kind,
            _people(channels.c.id).label("people"),
            _role(channels.c.id, member_id).label("role"),
            gathered(_latest(roots, STREAM)).label("messages"),
            gathered(work_rows(jobs.c.place_id == channel_id, is_live())).label("work"),
        )
        .select_from(channels)
        .where(channels.c.id == channel_id, may_read_channel(member_id))
    )
    return await answered(connection, statement, Stream)


async def thread(
    connection: AsyncConnection,
    member_id: UUID,
    channel_id: UUID,
    root_id: UUID,
    *,
    before: datetime | None = None,
) -> Thread | None:
    """Return a thread of a channel; None also when the message is not of that channel."""
    root = messages.alias()
    of_thread = jobs.c.thread_id == root_id
    statement = (
        select(
            channels.c.name.label("channel"),
            channels.c.kind,
            _role(channels.c.id, member_id).label("role"),
            select(func.count()).select_from(jobs).where(of_thread).scalar_subquery().label("jobs"),
            select(jobs.c.id)
            .where(of_thread)
            .order_by(jobs.c.created_at.desc())
            .limit(1)
            .scalar_subquery()
            .label("newest_job"),
            *talk_columns(
                or_(messages.c.id == root_id, messages.c.thread_id == root_id),
                requests.c.thread_id == root_id,
                of_thread,
                before,
            ),
        )
        .select_from(channels)
        .where(
            channels.c.id == channel_id,
            may_read_channel(member_id),
            exists().where(
                root.c.id == root_id,
                root.c.place_id == channel_id,
                root.c.thread_id.is_(None),
                root.c.surface == Surface.CHANNEL_THREAD,
            ),
        )
    )
    return await answered(connection, statement, Thread)


async def thread_exists(
    connection: AsyncConnection, member_id: UUID, channel_id: UUID, root_id: UUID
) -> UUID | None:
    """Return the root's id, where it begins a thread in a channel that the member may read."""
    found: UUID | None = await connection.scalar(
        select(messages.c.id)
        .select_from(messages.join(channels, channels.c.id == messages.c.place_id))
        .where(
            messages.c.id == root_id,
            messages.c.place_id == channel_id,
            messages.c.surface == Surface.CHANNEL_THREAD,
            messages.c.thread_id.is_(None),
            may_read_channel(member_id),
        )
    )
    return found


def talk_columns(
    of_messages: ColumnElement[bool],
    of_requests: ColumnElement[bool],
    of_jobs: ColumnElement[bool],
    before: datetime | None = None,
) -> list[ColumnElement[Any]]:
    """Return the columns of a `Talk`, to be gathered beside those of the place it stands in."""
    where = [of_messages] if before is None else [of_messages, messages.c.created_at < before]
    recent = select(jobs.c.id).where(of_jobs).order_by(jobs.c.created_at.desc()).limit(RECENT_JOBS)
    return [
        gathered(_latest(message_rows(*where), TALK)).label("messages"),
        gathered(card_rows(of_requests)).label("cards"),
        gathered(work_rows(of_jobs, is_live())).label("work"),
        gathered(read_rows(recent)).label("reads"),
    ]


def _latest(rows: Select[Any], limit: int) -> Select[Any]:
    newest = (
        rows.order_by(None)
        .order_by(messages.c.created_at.desc(), messages.c.id.desc())
        .limit(limit + 1)
        .subquery()
    )
    return select(newest).order_by(newest.c.created_at, newest.c.id)


def _thread_counts() -> list[ColumnElement[Any]]:
    reply, author, agent = messages.alias(), members.alias(), agents.alias()
    in_thread = reply.c.thread_id == messages.c.id

    def of_replies(value: ColumnElement[Any], source: Any = reply) -> ColumnElement[Any]:
        return select(value).select_from(source).where(in_thread).correlate(messages).scalar_subquery()

    def open_requests(kind: RequestKind) -> ColumnElement[Any]:
        return (
            select(func.count())
            .select_from(requests)
            .where(
                requests.c.place_id == messages.c.place_id,
                requests.c.thread_id == messages.c.id,
                requests.c.status == RequestStatus.OPEN,
                requests.c.kind == kind,
            )
            .correlate(messages)
            .scalar_subquery()
        )

    names = func.array_agg(func.coalesce(literal("@") + agent.c.handle, author.c.name).distinct())
    authors = reply.outerjoin(author, author.c.id == reply.c.author_id).outerjoin(
        agent, and_(agent.c.id == reply.c.agent_id, reply.c.author_id.is_(None))
    )
    return [
        of_replies(func.count()).label("replies"),
        of_replies(func.max(reply.c.created_at)).label("last_at"),
        func.coalesce(of_replies(names, authors), literal_column("'{}'::text[]")).label("faces"),
        open_requests(RequestKind.QUESTION).label("questions"),
        open_requests(RequestKind.APPROVAL).label("proposals"),
    ]


def _people(channel_id: ColumnElement[Any]) -> ColumnElement[Any]:
    return (
        select(func.count())
        .select_from(channel_members)
        .where(channel_members.c.channel_id == channel_id)
        .correlate(channels)
        .scalar_subquery()
    )


def _role(channel_id: ColumnElement[Any], member_id: UUID) -> ColumnElement[Any]:
    return (
        select(channel_members.c.role)
        .where(channel_members.c.channel_id == channel_id, channel_members.c.member_id == member_id)
        .correlate(channels)
        .scalar_subquery()
    )
