"""Calls the named statements. Parameters and rows are typed here, so that nobody else counts dollar signs."""

import re
from datetime import datetime
from functools import partial
from importlib.resources import files
from typing import Any
from uuid import UUID

import asyncpg
import msgspec
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.common import telemetry
from handraise.common.bus.messages import Place, Run, Wake
from handraise.common.gather import Gatherer
from handraise.common.ids import derive
from handraise.common.questions import Outcome
from handraise.workspace.database import Database
from handraise.workspace.words import ActionStatus, JobStatus, RequestStatus

_TEXT = (files(__package__) / "statements.sql").read_text()
_FOUND: list[tuple[str, str, str]] = re.findall(
    r"(?ms)^-- (name|part): (\w+)\n(.*?)(?=^-- (?:name|part): |\Z)", _TEXT
)
_PARTS = {name: body.strip() for kind, name, body in _FOUND if kind == "part"}
SQL = {
    name: re.sub(r"\{(\w+)\}", lambda found: _PARTS[found[1]], body.strip().rstrip(";"))
    for kind, name, body in _FOUND
    if kind == "name"
}

STATUS_OF = {
    Outcome.ACCEPT: RequestStatus.ACCEPTED,
    Outcome.DECLINE: RequestStatus.DECLINED,
    Outcome.CANCEL: RequestStatus.CANCELLED,
    Outcome.EXPIRED: RequestStatus.EXPIRED,
}

ACTION_STATUS_OF = {
    Outcome.ACCEPT: ActionStatus.CONFIRMED,
    Outcome.DECLINE: ActionStatus.REJECTED,
    Outcome.CANCEL: ActionStatus.CANCELLED,
    Outcome.EXPIRED: ActionStatus.EXPIRED,
}


class Claimed(msgspec.Struct, frozen=True):
    """A job that a runner may work on: writes with another `epoch` do nothing."""

    epoch: int
    rounds: int
    fence: str
    stop_by: UUID | None


class JobState(msgspec.Struct, frozen=True, kw_only=True):
    """A job's row."""

    id: UUID
    workspace_id: UUID
    agent_id: UUID
    member_id: UUID
    place: Place
    message_id: UUID
    prompt: str
    status: JobStatus
    reason: str | None
    final: str | None = None  # what people read at its end
    rounds: int
    waiting: int
    cause: UUID | None
    epoch: int
    fence: str
    stop_by: UUID | None
    created_at: datetime
    version: int


class RoundRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One model call and what followed from it, as it is stored."""

    number: int
    reply: str
    calls: list[Any]  # what a runner keeps of each call, as JSON
    model: str
    input_tokens: int | None
    output_tokens: int | None
    latency_us: int


class NewRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request to park on; with the action it would approve, where it is one."""

    id: UUID
    call: int
    kind: str
    text: str
    audit_id: UUID
    member_id: UUID | None = None  # who is asked; None: whoever the job runs as
    action_id: UUID | None = None
    tool: str | None = None
    arguments: dict[str, Any] | None = None
    digest: str | None = None
    preview: Any = None


class Woken(msgspec.Struct, frozen=True, kw_only=True):
    """What a recorded outcome led to."""

    job: JobState
    request_kind: str
    asked: UUID  # who was asked
    action_id: UUID | None
    action_digest: str | None
    rounds: list[Any]  # the transcript of a job that runs now, this outcome included
    requests: list[Any]


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    """An action that was settled; its job, running where nothing else is outstanding.

    No job where it was no longer parked: somebody is stopping it.
    """

    job: JobState | None


class Closing(msgspec.Struct, frozen=True, kw_only=True):
    """A job's end: the requests that closed with it."""

    closed: tuple[UUID, ...]


def job_of(row: Any) -> JobState:
    """Read a job's columns."""
    return JobState(
        id=row["id"],
        workspace_id=row["workspace_id"],
        agent_id=row["agent_id"],
        member_id=row["member_id"],
        place=Place(row["surface"], row["place_id"], row["thread_id"]),
        message_id=row["message_id"],
        prompt=row["prompt"],
        status=JobStatus(row["status"]),
        reason=row["reason"],
        final=row["final"],
        rounds=row["rounds"],
        waiting=row["waiting"],
        cause=row["cause"],
        epoch=row["epoch"],
        fence=row["fence"],
        stop_by=row["stop_by"],
        created_at=row["created_at"],
        version=row["version"],
    )


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """Something a person wrote that starts no job."""

    id: UUID
    workspace_id: UUID
    place: Place
    author_id: UUID
    body: str
    at: datetime
    request_id: UUID | None = None  # the question it answers


class _Call(msgspec.Struct, frozen=True):
    workspace_id: UUID
    key: UUID
    args: tuple[Any, ...]


class JobStore:
    """The stages of a job, over one service's connections."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._gatherers: dict[str, Gatherer[_Call, asyncpg.Record | None]] = {}
        self._posts: Gatherer[tuple[UUID, list[dict[str, Any]]], None] = Gatherer(self._post_together)

    async def _one(self, workspace_id: UUID, name: str, key: UUID, *args: Any) -> asyncpg.Record | None:
        """Run a statement about `key`, its first parameter, together with others of its name."""
        if (gatherer := self._gatherers.get(name)) is None:
            gatherer = self._gatherers[name] = Gatherer(partial(self._together, SQL[name]))
        return await gatherer(_Call(workspace_id, key, args))

    async def _together(self, statement: str, calls: "list[_Call]") -> list[asyncpg.Record | None]:
        """Run a statement for each call, those of one workspace in one transaction."""
        rows: list[asyncpg.Record | None] = [None] * len(calls)
        left = list(range(len(calls)))
        while left:
            workspace_id = calls[left[0]].workspace_id
            # In the order of their keys, so that no two transactions wait for each other; and no key twice in
            # one, since it is the key that tells their rows apart.
            chosen: dict[UUID, int] = {}
            for index in left:
                if calls[index].workspace_id == workspace_id:
                    chosen.setdefault(calls[index].key, index)
            order = [chosen[key] for key in sorted(chosen)]
            async with self._db.hot(workspace_id) as connection:
                if len(order) == 1:
                    call = calls[order[0]]
                    rows[order[0]] = await connection.fetchrow(statement, call.key, *call.args)
                else:
                    given = [(calls[index].key, *calls[index].args) for index in order]
                    for row in await connection.fetchmany(statement, given):
                        rows[chosen[row["key"]]] = row
            left = [index for index in left if index not in order]
        return rows

    async def job_in(self, run: Run, fence: str, *, status: JobStatus) -> Claimed | None:
        """Store the message and its job. With `running`, claim it: None when it is past that already."""
        row = await self._one(
            run.workspace_id,
            "job_in",
            run.job_id,
            run.workspace_id,
            run.message_id,
            run.agent_id,
            run.member_id,
            run.place.surface,
            run.place.place_id,
            run.place.thread_id,
            run.body,
            run.at,
            status.value,
            fence,
            derive(run.job_id, "audit", "start"),
            telemetry.trace_id(),
        )
        return Claimed(row["epoch"], row["rounds"], row["fence"], row["stop_by"]) if row else None

    async def job(self, workspace_id: UUID, job_id: UUID) -> JobState | None:
        """Return a job as it is now."""
        row = await self._one(workspace_id, "job_state", job_id)
        return job_of(row) if row else None

    async def keep_round(self, job: JobState, record: RoundRecord) -> "tuple[bool, UUID | None]":
        """Store a round of reads. Return whether the job is still ours, and who wants it stopped."""
        row = await self._one(job.workspace_id, "keep_round", job.id, job.epoch, *_round(record))
        return (False, None) if row is None else (True, row["stop_by"])

    async def park(
        self, job: JobState, record: RoundRecord, asked: list[NewRequest], expires_at: datetime
    ) -> bool:
        """Store a round that asks or proposes, and park. False when the job is not ours, or to be stopped."""
        row = await self._one(
            job.workspace_id,
            "park",
            job.id,
            job.epoch,
            *_round(record),
            asked,
            expires_at,
            telemetry.trace_id(),
        )
        return row is not None

    async def wake(self, wake: Wake, at: datetime) -> Woken | None:
        """Record the outcome of a request. None when it had one already."""
        row = await self._one(
            wake.workspace_id,
            "wake",
            wake.request_id,
            STATUS_OF[wake.outcome].value,
            wake.option,
            wake.text,
            wake.by,
            wake.at or at,
            wake.via,
            derive(wake.request_id, "audit", "outcome"),
            telemetry.trace_id(),
            derive(wake.request_id, "answer"),
        )
        if row is None:
            return None
        job, rounds = job_of(row), row["told_rounds"] or []
        requests = _with_outcome(row["told_requests"] or [], wake)
        if wake.outcome is not Outcome.CANCEL and any(_outstanding(request) for request in requests):
            # Something else of the job was settled in the same moment, and this statement saw it from before.
            rounds, requests = await self.transcript(wake.workspace_id, job.id)
        return Woken(
            job=job,
            request_kind=row["request_kind"],
            asked=row["asked"],
            action_id=row["action_id"],
            action_digest=row["action_digest"],
            rounds=rounds,
            requests=requests,
        )

    async def take_over(self, workspace_id: UUID, job_id: UUID, cause: UUID) -> JobState | None:
        """Take over a job that `cause` had set running. None when something else has it, or it ended."""
        row = await self._one(workspace_id, "take_over", job_id, cause)
        return job_of(row) if row else None

    async def request(self, workspace_id: UUID, request_id: UUID) -> asyncpg.Record | None:
        """Return a request as it is now, with its action's state."""
        return await self._one(workspace_id, "request_state", request_id)

    async def action(self, workspace_id: UUID, action_id: UUID) -> asyncpg.Record | None:
        """Return an action as it is now."""
        return await self._one(workspace_id, "action_state", action_id)

    async def settle(
        self,
        workspace_id: UUID,
        action_id: UUID,
        status: ActionStatus,
        *,
        reason: str | None,
        receipt: Any = None,
    ) -> Settled | None:
        """Record what came of a confirmed action that wrote nothing. None when it was settled before."""
        async with self._db.hot(workspace_id) as connection:
            row = await connection.fetchrow(SQL["settle"], action_id, status.value, reason, receipt)
        return _settled(row) if row else None

    async def transcript(self, workspace_id: UUID, job_id: UUID) -> tuple[list[Any], list[Any]]:
        """Return a job's rounds and requests, oldest first."""
        row = await self._one(workspace_id, "transcript", job_id)
        return (row["told_rounds"], row["told_requests"]) if row else ([], [])

    async def finish(
        self,
        job: JobState,
        status: JobStatus,
        *,
        final: str,
        reason: str | None = None,
        record: RoundRecord | None = None,
        by: UUID | None = None,
    ) -> Closing | None:
        """End a job. None when it is not ours any more."""
        values = _round(record) if record else (0, None, [], "", None, None, 0)
        row = await self._one(
            job.workspace_id,
            "finish",
            job.id,
            job.epoch,
            status.value,
            reason,
            *values,
            by,
            derive(job.id, "audit", "end", job.epoch),
            telemetry.trace_id(),
            final,
        )
        return Closing(closed=tuple(row["closed"])) if row else None

    async def stop(self, workspace_id: UUID, job_id: UUID, by: UUID) -> "tuple[JobStatus, list[UUID]] | None":
        """Note that `by` wants the job stopped. Return how it stood and its open requests; None if it ended."""
        row = await self._one(workspace_id, "stop", job_id, by)
        if row and row["status"] == JobStatus.PARKED and not row["open"]:
            # It parked while the statement waited for its row, and the requests were not yet there to be seen.
            row = await self._one(workspace_id, "stop", job_id, by)
        return (JobStatus(row["status"]), list(row["open"] or ())) if row else None

    async def post(self, workspace_id: UUID, messages: list[dict[str, Any]]) -> None:
        """Store messages, each once by its id."""
        await self._posts((workspace_id, messages))

    async def _post_together(self, posts: list[tuple[UUID, list[dict[str, Any]]]]) -> list[None]:
        by_workspace: dict[UUID, list[dict[str, Any]]] = {}
        for workspace_id, messages in posts:
            by_workspace.setdefault(workspace_id, []).extend(messages)
        for workspace_id, messages in by_workspace.items():
            async with self._db.hot(workspace_id) as connection:
                await connection.execute(SQL["post"], workspace_id, messages)
        return [None] * len(posts)

    async def say(self, said: Said, tag: str) -> None:
        """Store what a person wrote, once by its id, with its audit row."""
        async with self._db.hot(said.workspace_id) as connection:
            await connection.execute(
                SQL["say"],
                said.id,
                said.workspace_id,
                said.place.surface,
                said.place.place_id,
                said.place.thread_id,
                said.author_id,
                said.request_id,
                said.body,
                said.at,
                derive(said.id, "audit"),
                tag,
                telemetry.trace_id(),
            )

    async def open_questions(self, workspace_id: UUID, place: Place, member_id: UUID) -> list[asyncpg.Record]:
        """Return the questions that wait for this member in a thread, or in a place without threads."""
        async with self._db.hot(workspace_id) as connection:
            return await connection.fetch(SQL["open_questions"], place.place_id, member_id, place.thread_id)

    async def briefing(self, workspace_id: UUID, agent_id: UUID, member_id: UUID) -> asyncpg.Record | None:
        """Return what the prompt says of agent, person and workspace."""
        async with self._db.hot(workspace_id) as connection:
            return await connection.fetchrow(SQL["briefing"], agent_id, member_id)


async def settle_within(
    connection: AsyncConnection, action_id: UUID, status: ActionStatus, *, receipt: Any
) -> Settled | None:
    """Record what a confirmed action did, in the transaction that does it. None when it was settled before."""
    encoded = msgspec.json.encode(receipt).decode()  # on this connection jsonb travels as text
    found = await connection.exec_driver_sql(SQL["settle"], (action_id, status.value, None, encoded))
    row = found.mappings().first()
    return _settled(row) if row else None


def _settled(row: Any) -> Settled:
    return Settled(job=job_of(row) if row["id"] else None)


def _outstanding(request: Any) -> bool:
    return request["status"] == RequestStatus.OPEN or request["action_status"] in (
        ActionStatus.PROPOSED,
        ActionStatus.CONFIRMED,
    )


def _with_outcome(requests: list[Any], wake: Wake) -> list[Any]:
    """Put the outcome that was just recorded into a transcript that was read in the same statement."""
    status = STATUS_OF[wake.outcome]
    for request in requests:
        if request["id"] == str(wake.request_id):
            request.update(status=status, option=wake.option, answer=wake.text)
            if request["action_status"]:
                request.update(action_status=ACTION_STATUS_OF[wake.outcome])
                if wake.outcome is Outcome.DECLINE:
                    request.update(reason=wake.text or None)
    return requests


def _round(record: RoundRecord) -> tuple[Any, ...]:
    return (
        record.number,
        record.reply,
        record.calls,
        record.model,
        record.input_tokens,
        record.output_tokens,
        record.latency_us,
    )
