"""What the API reads: gated rows, as plain values."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Select, String, and_, cast, exists, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.gates import may_read_channel, may_read_conversation, may_read_project, may_read_task
from handraise.workspace.schema import (
    actions,
    agents,
    channels,
    conversations,
    jobs,
    members,
    messages,
    projects,
    requests,
    tasks,
)
from handraise.workspace.schema import rounds as rounds_table
from handraise.workspace.words import ConversationKind, RequestStatus

_MOST = 500  # rows


async def _rows(connection: AsyncConnection, statement: Select[Any]) -> list[dict[str, Any]]:
    return [dict(row) for row in (await connection.execute(statement)).mappings()]


async def _one(connection: AsyncConnection, statement: Select[Any]) -> dict[str, Any] | None:
    row = (await connection.execute(statement)).mappings().first()
    return dict(row) if row else None


async def channels_of(connection: AsyncConnection, member_id: UUID) -> Sequence[Any]:
    """Return id, name and kind of the channels the member may read."""
    statement = select(channels.c.id, channels.c.name, channels.c.kind).where(may_read_channel(member_id))
    return (await connection.execute(statement.order_by(channels.c.name))).all()


async def projects_of(connection: AsyncConnection, member_id: UUID) -> Sequence[Any]:
    """Return id, key and name of the projects the member may read."""
    statement = select(projects.c.id, projects.c.key, projects.c.name).where(may_read_project(member_id))
    return (await connection.execute(statement.order_by(projects.c.name))).all()


async def task(connection: AsyncConnection, member_id: UUID, task_id: UUID) -> dict[str, Any] | None:
    """Return a task the member may read."""
    key = projects.c.key + "-" + cast(tasks.c.number, String)
    return await _one(
        connection,
        select(
            tasks.c.id,
            key.label("key"),
            tasks.c.title,
            tasks.c.description,
            tasks.c.status,
            tasks.c.project_id,
            tasks.c.assignee_id,
            tasks.c.due_at,
            tasks.c.version,
        )
        .join(projects, projects.c.id == tasks.c.project_id)
        .where(tasks.c.id == task_id, may_read_task(member_id)),
    )


def _talk() -> Select[Any]:
    return (
        select(
            messages.c.id,
            messages.c.kind,
            messages.c.body,
            messages.c.author_id,
            members.c.name.label("author"),
            agents.c.handle.label("agent"),
            messages.c.job_id,
            messages.c.request_id,
            messages.c.thread_id,
            messages.c.created_at,
        )
        .outerjoin(members, members.c.id == messages.c.author_id)
        .outerjoin(agents, agents.c.id == messages.c.agent_id)
        .order_by(messages.c.created_at, messages.c.id)
        .limit(_MOST)
    )


async def thread(
    connection: AsyncConnection, member_id: UUID, channel_id: UUID, thread_id: UUID
) -> list[dict[str, Any]]:
    """Return a thread's messages, oldest first; none when there is none the member may read."""
    return await _rows(
        connection,
        _talk().where(
            messages.c.place_id == channel_id,
            or_(messages.c.thread_id == thread_id, messages.c.id == thread_id),
            exists().where(channels.c.id == channel_id, may_read_channel(member_id)),
        ),
    )


async def is_thread(connection: AsyncConnection, member_id: UUID, channel_id: UUID, thread_id: UUID) -> bool:
    """Say whether a message of the channel begins this thread."""
    statement = select(messages.c.id).where(
        messages.c.id == thread_id,
        messages.c.place_id == channel_id,
        messages.c.thread_id.is_(None),
        exists().where(channels.c.id == channel_id, may_read_channel(member_id)),
    )
    return (await connection.execute(statement)).first() is not None


async def comments(connection: AsyncConnection, member_id: UUID, task_id: UUID) -> list[dict[str, Any]]:
    """Return a task's comments, oldest first."""
    gate = exists().where(tasks.c.id == task_id, may_read_task(member_id))
    return await _rows(connection, _talk().where(messages.c.place_id == task_id, gate))


async def conversation_kind(
    connection: AsyncConnection, member_id: UUID, conversation_id: UUID
) -> ConversationKind | None:
    """Return what kind of conversation it is; None when the member is not in it."""
    statement = select(conversations.c.kind).where(
        conversations.c.id == conversation_id, may_read_conversation(member_id)
    )
    kind = await connection.scalar(statement)
    return ConversationKind(kind) if kind else None


async def conversation(
    connection: AsyncConnection, member_id: UUID, conversation_id: UUID
) -> list[dict[str, Any]]:
    """Return a conversation's messages, oldest first."""
    gate = exists().where(conversations.c.id == conversation_id, may_read_conversation(member_id))
    return await _rows(connection, _talk().where(messages.c.place_id == conversation_id, gate))


def _requests() -> Select[Any]:
    r, a = requests.c, actions.c
    return (
        select(
            r.id,
            r.kind,
            r.status,
            r.job_id,
            agents.c.handle.label("agent"),
            r.member_id,
            r.surface,
            r.place_id,
            r.thread_id,
            r.text,
            a.id.label("action_id"),
            a.tool,
            a.arguments,
            a.preview,
            a.receipt,
            a.status.label("action_status"),
            a.reason,
            r.option,
            r.answer,
            r.answered_by,
            r.answered_at,
            r.answered_from,
            r.expires_at,
            r.created_at,
        )
        .select_from(
            requests.join(agents, agents.c.id == r.agent_id).outerjoin(actions, a.request_id == r.id)
        )
        .order_by(r.created_at, r.call)
    )


def _concerns(member_id: UUID) -> Any:
    """Say that a request asks the member, or that its job runs as the member."""
    return or_(
        requests.c.member_id == member_id,
        exists().where(and_(jobs.c.id == requests.c.job_id, jobs.c.member_id == member_id)),
    )


async def requests_of(
    connection: AsyncConnection, member_id: UUID, status: RequestStatus, limit: int
) -> list[dict[str, Any]]:
    """Return the requests that concern the member and are in this state, oldest first."""
    statement = _requests().where(requests.c.status == status.value, _concerns(member_id)).limit(limit)
    return await _rows(connection, statement)


async def request(connection: AsyncConnection, member_id: UUID, request_id: UUID) -> dict[str, Any] | None:
    """Return a request that concerns the member, or that stands where the member may read."""
    visible = or_(_concerns(member_id), _place_is_read_by(member_id))
    return await _one(connection, _requests().where(requests.c.id == request_id, visible))


def _place_is_read_by(member_id: UUID, of: Any = requests) -> Any:
    return or_(
        exists().where(channels.c.id == of.c.place_id, may_read_channel(member_id)),
        exists().where(conversations.c.id == of.c.place_id, may_read_conversation(member_id)),
        exists().where(tasks.c.id == of.c.place_id, may_read_task(member_id)),
    )


async def requests_of_job(connection: AsyncConnection, job_id: UUID) -> list[dict[str, Any]]:
    """Return a job's requests; the caller has seen to it that the job may be read."""
    return await _rows(connection, _requests().where(requests.c.job_id == job_id))


async def job(connection: AsyncConnection, member_id: UUID, job_id: UUID) -> dict[str, Any] | None:
    """Return a job that runs as the member.

    What a job read stands in its rounds, so nobody else sees them here: rights differ.
    """
    j = jobs.c
    return await _one(
        connection,
        select(
            j.id,
            j.status,
            j.reason,
            j.final,
            j.agent_id,
            j.member_id,
            j.surface,
            j.place_id,
            j.thread_id,
            j.message_id,
            j.prompt,
            j.created_at,
            j.started_at,
            j.finished_at,
        ).where(j.id == job_id, j.member_id == member_id),
    )


async def rounds(connection: AsyncConnection, job_id: UUID) -> list[dict[str, Any]]:
    """Return a job's rounds; the caller has seen to it that the job may be read."""
    c = rounds_table.c
    statement = select(
        c.number, c.reply, c.calls, c.model, c.input_tokens, c.output_tokens, c.latency_us, c.created_at
    ).where(c.job_id == job_id)
    return await _rows(connection, statement.order_by(c.number))
