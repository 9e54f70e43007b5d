"""The pieces every conversation is made of: messages, cards, and the jobs that speak in it."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    column,
    func,
    literal_column,
    select,
    true,
)
from sqlalchemy.dialects.postgresql import JSONB

from handraise.workspace.schema import (
    actions,
    agents,
    jobs,
    members,
    messages,
    requests,
    rounds,
)
from handraise.workspace.views.naming import place_name
from handraise.workspace.views.shapes import Preview, Read, Receipt
from handraise.workspace.words import (
    ActionStatus,
    JobStatus,
    MessageKind,
    RequestKind,
    RequestStatus,
    Surface,
)


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """One message and who wrote it: a member, or an agent working for somebody."""

    id: UUID
    kind: MessageKind
    body: str
    created_at: datetime
    author_id: UUID | None
    author: str | None
    agent: str | None  # handle
    for_whom: str | None  # the name of whoever the agent's job runs as
    job_id: UUID | None
    job_status: JobStatus | None
    request_id: UUID | None


class Card(msgspec.Struct, frozen=True, kw_only=True):
    """A request with all that its card shows, open or decided."""

    id: UUID
    kind: RequestKind
    status: RequestStatus
    text: str
    option: str | None
    answer: str | None
    answered_from: str | None
    answered_at: datetime | None
    expires_at: datetime
    created_at: datetime
    asked_id: UUID
    asked: str | None
    answerer_id: UUID | None
    answerer: str | None
    runs_as_id: UUID
    runs_as: str | None
    agent: str | None
    prompt: str
    job_id: UUID
    round: int
    surface: Surface
    place_id: UUID
    thread_id: UUID | None
    place: str | None
    thread: str | None  # the message a thread hangs on
    action_id: UUID | None
    action_status: ActionStatus | None
    preview: Preview | None
    receipt: Receipt | None
    reason: str | None
    executed_at: datetime | None
    reads: int
    changes: int


class Work(msgspec.Struct, frozen=True, kw_only=True):
    """A job as its conversation shows it."""

    id: UUID
    status: JobStatus
    agent: str | None
    runs_as_id: UUID
    runs_as: str | None
    message_id: UUID
    prompt: str
    rounds: int
    max_rounds: int | None
    created_at: datetime
    started_at: datetime | None
    surface: Surface
    place_id: UUID
    thread_id: UUID | None
    place: str | None


class RoundRead(msgspec.Struct, frozen=True, kw_only=True):
    """What one round read on its own, and how long the round took."""

    job_id: UUID
    number: int
    created_at: datetime
    latency_us: int
    reads: tuple[Read, ...]


def message_rows(*where: ColumnElement[bool]) -> Select[Any]:
    """Select `Message` rows, oldest first."""
    runs_as = members.alias()
    return (
        select(
            messages.c.id,
            messages.c.kind,
            messages.c.body,
            messages.c.created_at,
            messages.c.author_id,
            members.c.name.label("author"),
            agents.c.handle.label("agent"),
            runs_as.c.name.label("for_whom"),
            messages.c.job_id,
            jobs.c.status.label("job_status"),
            messages.c.request_id,
        )
        .select_from(
            messages.outerjoin(members, members.c.id == messages.c.author_id)
            .outerjoin(agents, agents.c.id == messages.c.agent_id)
            .outerjoin(jobs, jobs.c.id == messages.c.job_id)
            .outerjoin(runs_as, and_(runs_as.c.id == jobs.c.member_id, messages.c.agent_id.is_not(None)))
        )
        .where(*where)
        .order_by(messages.c.created_at, messages.c.id)
    )


def card_rows(*where: ColumnElement[bool]) -> Select[Any]:
    """Select `Card` rows, oldest first."""
    asked, answerer, runs_as = members.alias(), members.alias(), members.alias()
    root = messages.alias()
    reads = (
        select(func.count())
        .select_from(rounds.join(call := _each_call(), true()))
        .where(rounds.c.job_id == jobs.c.id, call.c.value["status"].astext == "ran")
        .correlate(jobs)
        .scalar_subquery()
    )
    done = actions.alias()
    changes = (
        select(func.count())
        .select_from(done)
        .where(done.c.job_id == jobs.c.id, done.c.status == ActionStatus.DONE)
        .correlate(jobs)
        .scalar_subquery()
    )
    return (
        select(
            requests.c.id,
            requests.c.kind,
            requests.c.status,
            requests.c.text,
            requests.c.option,
            requests.c.answer,
            requests.c.answered_from,
            requests.c.answered_at,
            requests.c.expires_at,
            requests.c.created_at,
            requests.c.member_id.label("asked_id"),
            asked.c.name.label("asked"),
            requests.c.answered_by.label("answerer_id"),
            answerer.c.name.label("answerer"),
            jobs.c.member_id.label("runs_as_id"),
            runs_as.c.name.label("runs_as"),
            agents.c.handle.label("agent"),
            jobs.c.prompt,
            requests.c.job_id,
            requests.c.round,
            requests.c.surface,
            requests.c.place_id,
            requests.c.thread_id,
            place_name(requests.c.surface, requests.c.place_id).label("place"),
            root.c.body.label("thread"),
            actions.c.id.label("action_id"),
            actions.c.status.label("action_status"),
            actions.c.preview,
            actions.c.receipt,
            actions.c.reason,
            actions.c.executed_at,
            reads.label("reads"),
            changes.label("changes"),
        )
        .select_from(
            requests.join(jobs, jobs.c.id == requests.c.job_id)
            .outerjoin(actions, actions.c.request_id == requests.c.id)
            .outerjoin(agents, agents.c.id == requests.c.agent_id)
            .outerjoin(asked, asked.c.id == requests.c.member_id)
            .outerjoin(answerer, answerer.c.id == requests.c.answered_by)
            .outerjoin(runs_as, runs_as.c.id == jobs.c.member_id)
            .outerjoin(root, root.c.id == requests.c.thread_id)
        )
        .where(*where)
        .order_by(requests.c.created_at, requests.c.round, requests.c.call)
    )


def work_rows(*where: ColumnElement[bool]) -> Select[Any]:
    """Select `Work` rows, oldest first."""
    return (
        select(
            jobs.c.id,
            jobs.c.status,
            agents.c.handle.label("agent"),
            jobs.c.member_id.label("runs_as_id"),
            members.c.name.label("runs_as"),
            jobs.c.message_id,
            jobs.c.prompt,
            jobs.c.rounds,
            agents.c.max_rounds,
            jobs.c.created_at,
            jobs.c.started_at,
            jobs.c.surface,
            jobs.c.place_id,
            jobs.c.thread_id,
            place_name(jobs.c.surface, jobs.c.place_id).label("place"),
        )
        .select_from(
            jobs.outerjoin(agents, agents.c.id == jobs.c.agent_id).outerjoin(
                members, members.c.id == jobs.c.member_id
            )
        )
        .where(*where)
        .order_by(jobs.c.created_at)
    )


def read_rows(of_jobs: Select[Any]) -> Select[Any]:
    """Select `RoundRead` rows of the jobs whose ids `of_jobs` selects: the titles of reads, not what they read."""
    call = _each_call()
    value = call.c.value
    listed = (
        select(
            func.coalesce(
                func.json_agg(
                    func.json_build_object(
                        "tool",
                        value["tool"].astext,
                        "title",
                        value["title"].astext,
                        "args",
                        func.coalesce(value["args"], literal_column("'{}'::jsonb")),
                    )
                ),
                literal_column("'[]'::json"),
            )
        )
        .select_from(call)
        .where(value["status"].astext == "ran")
        .correlate(rounds)
        .scalar_subquery()
    )
    return (
        select(
            rounds.c.job_id,
            rounds.c.number,
            rounds.c.created_at,
            rounds.c.latency_us,
            listed.label("reads"),
        )
        .where(rounds.c.job_id.in_(of_jobs))
        .order_by(rounds.c.created_at, rounds.c.number)
    )


def _each_call() -> Any:
    return func.jsonb_array_elements(rounds.c.calls).table_valued(column("value", JSONB)).lateral()


def is_live() -> ColumnElement[bool]:
    """Hold for jobs that an agent works on now, or will as soon as a runner is free."""
    # That it has not ended follows from the rest; said for the index that holds just those.
    return and_(jobs.c.finished_at.is_(None), jobs.c.status.in_([JobStatus.RUNNING, JobStatus.QUEUED]))
