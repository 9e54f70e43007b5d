"""Jobs: the list of those that a member may see, and one of them with all its rounds."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.schema import agents, audit, jobs, members, messages, requests, rounds
from handraise.workspace.views.naming import place_name
from handraise.workspace.views.places import may_see_job
from handraise.workspace.views.shapes import answered, gathered
from handraise.workspace.views.talk import Card, card_rows
from handraise.workspace.words import JobStatus, MessageKind, RequestStatus, Surface

LISTED = 50


class JobLine(msgspec.Struct, frozen=True, kw_only=True):
    """A job in the list."""

    id: UUID
    status: JobStatus
    reason: str | None
    agent: str | None
    runs_as: str | None
    runs_as_id: UUID
    prompt: str
    place: str | None
    rounds: int
    open_requests: int
    created_at: datetime
    finished_at: datetime | None


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """One call of a round, with what came of it."""

    tool: str = ""
    args: Any = None
    status: str = ""
    body: Any = None
    note: str | None = None
    title: str | None = None


class RoundLine(msgspec.Struct, frozen=True, kw_only=True):
    """One round as it was stored."""

    number: int
    reply: str
    calls: tuple[Call, ...]
    model: str
    input_tokens: int | None
    output_tokens: int | None
    latency_us: int
    created_at: datetime


class JobPage(msgspec.Struct, frozen=True, kw_only=True):
    """One job from the message that started it to its end."""

    id: UUID
    status: JobStatus
    reason: str | None
    agent: str | None
    max_rounds: int | None
    runs_as: str | None
    runs_as_id: UUID
    prompt: str
    surface: Surface
    place_id: UUID
    thread_id: UUID | None
    place: str | None
    thread: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    stopped_by: str | None
    final: str | None
    trace_id: str | None
    rounds: tuple[RoundLine, ...]
    cards: tuple[Card, ...]


class _Lines(msgspec.Struct, frozen=True):
    jobs: tuple[JobLine, ...]


async def job_lines(connection: AsyncConnection, member_id: UUID) -> tuple[JobLine, ...]:
    """Return the newest jobs that the member may see."""
    open_requests = (
        select(func.count())
        .select_from(requests)
        .where(requests.c.job_id == jobs.c.id, requests.c.status == RequestStatus.OPEN)
        .correlate(jobs)
        .scalar_subquery()
    )
    lines = (
        select(
            jobs.c.id,
            jobs.c.status,
            jobs.c.reason,
            agents.c.handle.label("agent"),
            members.c.name.label("runs_as"),
            jobs.c.member_id.label("runs_as_id"),
            jobs.c.prompt,
            place_name(jobs.c.surface, jobs.c.place_id).label("place"),
            jobs.c.rounds,
            open_requests.label("open_requests"),
            jobs.c.created_at,
            jobs.c.finished_at,
        )
        .select_from(
            jobs.outerjoin(agents, agents.c.id == jobs.c.agent_id).outerjoin(
                members, members.c.id == jobs.c.member_id
            )
        )
        .where(may_see_job(member_id))
        .order_by(jobs.c.created_at.desc())
        .limit(LISTED)
    )
    found = await answered(connection, select(gathered(lines).label("jobs")), _Lines)
    return found.jobs if found else ()


async def job_page(connection: AsyncConnection, member_id: UUID, job_id: UUID) -> JobPage | None:
    """Return a job that the member may see, with its rounds and requests."""
    root, final, stopper = messages.alias(), messages.alias(), members.alias()
    last_words = (
        select(final.c.body)
        .where(final.c.job_id == jobs.c.id, final.c.kind == MessageKind.FINAL)
        .order_by(final.c.created_at.desc())
        .limit(1)
        .correlate(jobs)
        .scalar_subquery()
    )
    trace = (
        select(audit.c.trace_id)
        .where(audit.c.job_id == jobs.c.id, audit.c.trace_id.is_not(None))
        .order_by(audit.c.at)
        .limit(1)
        .correlate(jobs)
        .scalar_subquery()
    )
    of_rounds = (
        select(
            rounds.c.number,
            rounds.c.reply,
            rounds.c.calls,
            rounds.c.model,
            rounds.c.input_tokens,
            rounds.c.output_tokens,
            rounds.c.latency_us,
            rounds.c.created_at,
        )
        .where(rounds.c.job_id == job_id)
        .order_by(rounds.c.number)
    )
    statement = (
        select(
            jobs.c.id,
            jobs.c.status,
            jobs.c.reason,
            agents.c.handle.label("agent"),
            agents.c.max_rounds,
            members.c.name.label("runs_as"),
            jobs.c.member_id.label("runs_as_id"),
            jobs.c.prompt,
            jobs.c.surface,
            jobs.c.place_id,
            jobs.c.thread_id,
            place_name(jobs.c.surface, jobs.c.place_id).label("place"),
            root.c.body.label("thread"),
            jobs.c.created_at,
            jobs.c.started_at,
            jobs.c.finished_at,
            stopper.c.name.label("stopped_by"),
            last_words.label("final"),
            trace.label("trace_id"),
            gathered(of_rounds).label("rounds"),
            gathered(card_rows(requests.c.job_id == job_id)).label("cards"),
        )
        .select_from(
            jobs.outerjoin(agents, agents.c.id == jobs.c.agent_id)
            .outerjoin(members, members.c.id == jobs.c.member_id)
            .outerjoin(root, root.c.id == jobs.c.thread_id)
            .outerjoin(stopper, stopper.c.id == jobs.c.stop_by)
        )
        .where(jobs.c.id == job_id, may_see_job(member_id))
    )
    return await answered(connection, statement, JobPage)
