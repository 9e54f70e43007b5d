"""The loop: one round after another until the job ends or waits for people. Every step is stored before the next.

It holds nothing that the database does not: killed anywhere, another runner goes on from the last stored round.
"""

import asyncio
import re
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol
from uuid import UUID
from zoneinfo import ZoneInfo

import structlog
from opentelemetry.trace import SpanKind
from prometheus_client import Counter, Histogram

from handraise.common import telemetry
from handraise.common.bus.messages import Card
from handraise.common.clock import Clock
from handraise.runner import endings
from handraise.runner.announce import Announcer
from handraise.runner.briefing import Briefing, Briefings
from handraise.runner.calls import Outcome, Toolbox, carry_out
from handraise.runner.chat.base import Chat, ChatError, ChatMessage, Completion
from handraise.runner.control import Control, Stop
from handraise.runner.protocol import (
    NEEDS_HUMAN,
    AgentCard,
    Fence,
    PersonCard,
    Reply,
    ResultStatus,
    ToolCard,
    parse_reply,
    request_message,
    system_prompt,
)
from handraise.runner.settings import ROUNDS_CEILING, RunnerSettings
from handraise.runner.transcript import CallRecord, Kept, Past, messages
from handraise.workspace.jobs import JobState, JobStore, RoundRecord
from handraise.workspace.words import JobStatus

_log = structlog.get_logger()
_PAUSES = (1.0, 3.0)  # seconds between tries of a model call, where the endpoint does not say
_LONGEST_PAUSE = 20.0
_EMPTY_REPLIES = 3
_REFUSED_QUESTIONS = 3
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")  # no text column can hold it, and no message carry it

rounds_total = Counter("handraise_rounds_total", "Model calls with what followed", ["end"])
jobs_total = Counter("handraise_jobs_ended_total", "Jobs that ended", ["status"])
model_seconds = Histogram("gen_ai_client_operation_duration_seconds", "Time of a model call", ["model"])


class Context(Protocol):
    """What stood on the surface before the job began."""

    async def before(self, job: JobState) -> Sequence[tuple[str, str]]:
        """Return (author, text) of earlier messages that the job's person may read, oldest first."""
        ...


class Tools(Protocol):
    """Where an agent's toolbox comes from."""

    def cards(self, names: Sequence[str]) -> Sequence[ToolCard]:
        """Return the cards of those of `names` that exist, and of the tool that asks people."""
        ...

    def box(self, names: Sequence[str]) -> Toolbox:
        """Return a toolbox with those of `names` that exist."""
        ...


class LostJob(Exception):
    """Another runner has the job by now. What this one was about to write is void."""


class _Stopped(Exception):
    """Somebody wants the job stopped."""


class Loop:
    """Runs jobs. One for all of a process: it keeps nothing of any."""

    def __init__(
        self,
        *,
        store: JobStore,
        chat: Chat,
        tools: Tools,
        briefings: Briefings,
        context: Context,
        control: Control,
        settings: RunnerSettings,
        clock: Clock,
    ) -> None:
        self._store = store
        self._chat = chat
        self._tools = tools
        self._briefings = briefings
        self._context = context
        self._control = control
        self._settings = settings
        self._clock = clock

    async def advance(self, job: JobState, past: Past, tell: Announcer) -> None:
        """Go on with a running job until it parks or ends; announce which. Raises LostJob."""
        with self._control.running(job.id) as stop:
            try:
                if job.stop_by:
                    raise _Stopped
                await self._rounds(job, past, tell, stop)
            except _Stopped:
                # Rounds that were stored meanwhile count: read anew what had been done.
                now = await self._store.job(job.workspace_id, job.id)
                by = now.stop_by if now else None
                await self.stop(
                    job, Past.of(*await self._store.transcript(job.workspace_id, job.id)), tell, by
                )

    async def stop(self, job: JobState, past: Past, tell: Announcer, by: UUID | None) -> None:
        """End a running job because a person said so, and say what had been done."""
        await self._finish(job, tell, past, JobStatus.STOPPED, endings.stopped(past), by=by)

    async def give_up(self, job: JobState, past: Past, tell: Announcer) -> None:
        """End a running job that none of its deliveries brought to an end. Raises LostJob."""
        await self._finish(job, tell, past, JobStatus.FAILED, endings.BROKEN)

    async def _rounds(self, job: JobState, past: Past, tell: Announcer, stop: Stop) -> None:
        brief = await self._briefings.of(job)
        if brief is None or not brief.active or not brief.member_active:
            await self._finish(job, tell, past, JobStatus.FAILED, endings.NOBODY)
            return
        fence = Fence(job.fence)
        system = self._system(job, brief, fence)
        request = request_message(
            _without_mention(job.prompt, brief.handle),
            person=PersonCard(brief.member_name, brief.member_handle, brief.timezone),
            fence=fence,
            context=await self._context.before(job),
        )
        box = self._tools.box(brief.tools)
        limit = min(brief.max_rounds, ROUNDS_CEILING)
        for number in range(len(past.rounds) + 1, limit + 1):
            if stop.is_set():
                raise _Stopped
            try:
                completion, took = await self._ask(messages(system, request, past, fence), stop)
            except ChatError as error:
                rounds_total.labels("model failed").inc()
                await self._finish(job, tell, past, JobStatus.FAILED, endings.no_model(error.reason))
                return
            reply = parse_reply(completion.text)
            outcome = await carry_out(job, number, reply.calls, past, box)
            outcome = _without_secrets(reply, outcome)
            record = _record(number, completion, outcome, took)
            if await self._ended(job, past, tell, brief, reply, outcome, record):
                return
            past = past.with_round(Kept(number=number, reply=record.reply, calls=outcome.records))
            if (reason := _hopeless(past)) is not None:
                await self._finish(job, tell, past, JobStatus.FAILED, reason)
                return
        await self._finish(job, tell, past, JobStatus.FAILED, endings.too_many_rounds(limit))

    async def _ended(
        self,
        job: JobState,
        past: Past,
        tell: Announcer,
        brief: Briefing,
        reply: Reply,
        outcome: Outcome,
        record: RoundRecord,
    ) -> bool:
        """Store the round: as the end, as a park, or as one of several. Return whether the loop is over."""
        if not outcome.records and not reply.problems and reply.text:
            rounds_total.labels("final").inc()
            text = endings.said(reply.text, past)
            await self._finish(job, tell, past, JobStatus.DONE, text, record=record)
            return True
        if outcome.requests:
            now = self._clock()
            expires_at = now + timedelta(seconds=brief.request_ttl)
            if not await self._store.park(job, record, outcome.requests, expires_at):
                await self._lost_or_stopped(job)
            rounds_total.labels("parked").inc()
            kept = Kept(number=record.number, reply=reply.text, calls=outcome.records)
            tell.parked(
                job,
                record.number,
                [Card(r.id, r.kind, r.text, r.member_id) for r in outcome.requests],
                expires_at,
                said=endings.said(reply.text, past),
                notices=endings.notices((*past.rounds, kept)),
                at=now,
            )
            return True
        ours, stop_by = await self._store.keep_round(job, record)
        if not ours:
            raise LostJob(str(job.id))
        rounds_total.labels("read").inc()
        if stop_by:
            raise _Stopped
        return False

    async def _lost_or_stopped(self, job: JobState) -> None:
        now = await self._store.job(job.workspace_id, job.id)
        if now and now.stop_by and now.epoch == job.epoch and now.status == JobStatus.RUNNING:
            raise _Stopped
        raise LostJob(str(job.id))

    async def _finish(
        self,
        job: JobState,
        tell: Announcer,
        past: Past,
        status: JobStatus,
        text: str,
        *,
        record: RoundRecord | None = None,
        by: UUID | None = None,
    ) -> None:
        reason = None if status == JobStatus.DONE else text
        closing = await self._store.finish(job, status, final=text, reason=reason, record=record, by=by)
        if closing is None:
            raise LostJob(str(job.id))
        jobs_total.labels(status.value).inc()
        tell.finished(
            job,
            status=status.value,
            text=text,
            by=by,
            notices=endings.notices(past.rounds),
            closed=closing.closed,
            at=self._clock(),
        )

    async def _ask(self, told: Sequence[ChatMessage], stop: Stop) -> tuple[Completion, int]:
        """Call the model, again where it says so. Raises ChatError at last, _Stopped as soon as told."""
        for attempt in range(self._settings.handraise_model_attempts):
            began = time.perf_counter_ns()
            try:
                completion = await self._call(told, stop)
            except ChatError as error:
                if not error.retryable or attempt + 1 == self._settings.handraise_model_attempts:
                    raise
                pause = error.retry_after or _PAUSES[min(attempt, len(_PAUSES) - 1)]
                if pause > _LONGEST_PAUSE:
                    raise
                _log.warning("model call failed", reason=error.reason, again_in=pause)
                await _wait(stop, pause)
            else:
                return completion, (time.perf_counter_ns() - began) // 1_000
        raise AssertionError("the last attempt returns or raises")

    async def _call(self, told: Sequence[ChatMessage], stop: Stop) -> Completion:
        model = self._chat.model
        attributes = {
            "gen_ai.operation.name": "chat",
            "gen_ai.provider.name": self._chat.name,
            "gen_ai.request.model": model,
        }
        with (
            telemetry.span(f"chat {model}", SpanKind.CLIENT, None, **attributes) as span,
            model_seconds.labels(model).time(),
        ):
            work = asyncio.ensure_future(
                self._chat.complete(
                    told,
                    max_tokens=self._settings.handraise_model_max_tokens,
                    timeout=self._settings.handraise_model_timeout,
                )
            )
            with stop.ends(work):
                try:
                    completion = await work
                except asyncio.CancelledError:
                    if stop.is_set():
                        raise _Stopped from None
                    raise
            span.set_attribute("gen_ai.usage.input_tokens", completion.input_tokens or 0)
            span.set_attribute("gen_ai.usage.output_tokens", completion.output_tokens or 0)
            return completion

    def _system(self, job: JobState, brief: Briefing, fence: Fence) -> str:
        return system_prompt(
            AgentCard(brief.name, brief.handle, brief.workspace, brief.instructions),
            self._tools.cards(brief.tools),
            person=PersonCard(brief.member_name, brief.member_handle, brief.timezone),
            now=_local(self._clock(), brief.timezone),
            fence=fence,
            surface=job.place.surface,
        )


def _record(number: int, completion: Completion, outcome: Outcome, took: int) -> RoundRecord:
    return RoundRecord(
        number=number,
        reply=_UNSTORABLE.sub("\ufffd", completion.text),
        calls=outcome.records,
        model=completion.model,
        input_tokens=completion.input_tokens,
        output_tokens=completion.output_tokens,
        latency_us=took,
    )


def _without_secrets(reply: Reply, outcome: Outcome) -> Outcome:
    """Turn a final message that asks for a secret into a refusal that the model reads, and nobody else (law 6)."""
    reason = endings.asks_for_secret(reply.text) if reply.text and not reply.calls else None
    if reason is None:
        return outcome
    refused = CallRecord(
        tool=NEEDS_HUMAN,
        args={},
        status=ResultStatus.REFUSED,
        note=f"Your message was not shown to anybody: {reason}",
        title="A message that may not be sent",
    )
    return Outcome(records=[refused], requests=[], refusals=1)


def _hopeless(past: Past) -> str | None:
    empty = sum(not k.calls and not parse_reply(k.reply).problems for k in past.rounds)
    if empty >= _EMPTY_REPLIES:
        return endings.EMPTY
    refused = [c for k in past.rounds for c in k.calls if c.tool == "needs_human" and c.status == "refused"]
    if len(refused) >= _REFUSED_QUESTIONS:
        return endings.refused_questions(refused[-1].note or "")
    return None


async def _wait(stop: Stop, seconds: float) -> None:
    try:
        await asyncio.wait_for(stop.wait(), seconds)
    except TimeoutError:
        return
    raise _Stopped


def _local(moment: datetime, zone: str) -> datetime:
    return moment.astimezone(ZoneInfo(zone))


def _without_mention(prompt: str, handle: str) -> str:
    return re.sub(rf"^\s*@{re.escape(handle)}\b[\s,:]*", "", prompt, flags=re.IGNORECASE) or prompt
