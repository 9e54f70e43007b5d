"""One function a subject: run a job, wake a parked one, execute what was confirmed. Each acks last."""

from uuid import UUID

import structlog

from handraise.common.bus.consume import Delivery, Retry
from handraise.common.bus.messages import Card, Execute, Run, Wake
from handraise.common.bus.publish import Bus
from handraise.common.bus.topology import MAX_DELIVER
from handraise.common.clock import Clock
from handraise.common.outages import is_outage
from handraise.common.questions import Outcome
from handraise.runner import endings
from handraise.runner.announce import Announcer
from handraise.runner.execute import Executor
from handraise.runner.loop import Loop, LostJob
from handraise.runner.protocol import Fence, parse_reply
from handraise.runner.transcript import Past
from handraise.workspace.jobs import JobState, JobStore
from handraise.workspace.words import JobStatus, RequestStatus

VERSION = 1  # of the stored shape of rounds that this code reads
_log = structlog.get_logger()


class Handlers:
    """What the runner does with what arrives."""

    def __init__(self, *, bus: Bus, store: JobStore, loop: Loop, executor: Executor, clock: Clock) -> None:
        self._bus = bus
        self._store = store
        self._loop = loop
        self._executor = executor
        self._clock = clock

    async def run(self, run: Run, delivery: Delivery) -> None:
        """Start a job, or go on with one whose runner was lost."""
        tell = Announcer(self._bus)
        claimed = await self._store.job_in(run, Fence.new().boundary, status=JobStatus.RUNNING)
        if claimed is None:
            await self._say_again(run.workspace_id, run.job_id, run.message_id, tell)
        else:
            job = JobState(
                id=run.job_id,
                workspace_id=run.workspace_id,
                agent_id=run.agent_id,
                member_id=run.member_id,
                place=run.place,
                message_id=run.message_id,
                prompt=run.body,
                status=JobStatus.RUNNING,
                reason=None,
                rounds=claimed.rounds,
                waiting=0,
                cause=run.message_id,
                epoch=claimed.epoch,
                fence=claimed.fence,
                stop_by=claimed.stop_by,
                created_at=run.at,
                version=VERSION,
            )
            await self._advance(job, delivery, tell)
        await tell.settle()

    async def wake(self, wake: Wake, delivery: Delivery) -> None:
        """Record the outcome of a request, and go on with its job when nothing else is outstanding."""
        tell = Announcer(self._bus)
        woken = await self._store.wake(wake, self._clock())
        if woken is None:
            await self._wake_again(wake, delivery, tell)
        else:
            tell.resumed(woken.job, wake, woken.request_kind, woken.asked, self._clock())
            if woken.action_id and wake.outcome is Outcome.ACCEPT:
                digest = wake.digest or woken.action_digest or ""
                tell.execute(woken.job, woken.action_id, wake.request_id, digest)
            if woken.job.status == JobStatus.RUNNING:
                past = Past.of(woken.rounds, woken.requests)
                if wake.outcome is Outcome.CANCEL:
                    await self._stop(woken.job, past, tell, wake)
                else:
                    await self._advance(woken.job, delivery, tell, past)
        await tell.settle()

    async def execute(self, command: Execute, delivery: Delivery) -> None:
        """Execute a confirmed action as the person the job runs as, and go on with its job."""
        tell = Announcer(self._bus)
        settled = await self._executor.execute(command, delivery, tell)
        if settled is None:
            job = await self._store.take_over(command.workspace_id, command.job_id, command.action_id)
            if job:
                await self._advance(job, delivery, tell)
            else:
                await self._say_again(command.workspace_id, command.job_id, command.action_id, tell)
        elif settled.job and settled.job.status == JobStatus.RUNNING:
            await self._advance(settled.job, delivery, tell)
        await tell.settle()

    async def _advance(
        self, job: JobState, delivery: Delivery, tell: Announcer, past: Past | None = None
    ) -> None:
        if job.version > VERSION:
            raise Retry(f"job {job.id} was stored by a newer version")
        if past is None:
            past = await self._past(job) if job.rounds else Past()
        try:
            await self._loop.advance(job, past, tell)
        except LostJob:
            await self._lost(job)
        except Exception as error:
            if delivery.deliveries >= MAX_DELIVER and not is_outage(error):
                # The message goes to the dead letters now: nobody would ever go on with the job, or say so.
                await self._loop.give_up(job, await self._past(job), tell)
                await tell.settle()
            raise

    async def _stop(self, job: JobState, past: Past, tell: Announcer, wake: Wake) -> None:
        try:
            await self._loop.stop(job, past, tell, wake.by)
        except LostJob:
            await self._lost(job)

    async def _lost(self, job: JobState) -> None:
        """Let go of a job that another runner has. Raises Retry where nobody took it over."""
        now = await self._store.job(job.workspace_id, job.id)
        if now is not None and now.epoch == job.epoch:
            # Written by us: the connection was lost with the reply, and what was written came in its own way.
            raise Retry(f"job {job.id} is further than was heard of")
        _log.warning("another runner has the job", job_id=str(job.id), epoch=job.epoch)

    async def _past(self, job: JobState) -> Past:
        return Past.of(*await self._store.transcript(job.workspace_id, job.id))

    async def _wake_again(self, wake: Wake, delivery: Delivery, tell: Announcer) -> None:
        """The outcome is recorded already: by this message before a crash, or by another that was first."""
        request = await self._store.request(wake.workspace_id, wake.request_id)
        if request is None:
            # Parked a moment before its row is there can't be: rows come first. Another store, then.
            raise Retry(f"request {wake.request_id} is not known here", delay=5.0)
        job = await self._store.job(wake.workspace_id, request["job_id"])
        if job is None or request["status"] == RequestStatus.OPEN:
            raise Retry(f"job {request['job_id']} does not wait for this yet")
        mine = request["answered_by"] == wake.by and request["option"] == wake.option
        if not mine:
            return
        tell.resumed(job, wake, request["kind"], request["member_id"], self._clock())
        if request["action_status"] == "confirmed":
            tell.execute(job, request["action_id"], wake.request_id, wake.digest or request["digest"])
        taken = await self._store.take_over(wake.workspace_id, job.id, wake.request_id)
        if taken is None:
            await self._say_again(wake.workspace_id, job.id, wake.request_id, tell)
        elif wake.outcome is Outcome.CANCEL:
            await self._stop(taken, await self._past(taken), tell, wake)
        else:
            await self._advance(taken, delivery, tell)

    async def _say_again(self, workspace_id: UUID, job_id: UUID, cause: UUID, tell: Announcer) -> None:
        """Publish again what this cause led to, in case a crash came between database and bus."""
        job = await self._store.job(workspace_id, job_id)
        if job is None or job.cause != cause:
            return
        past = await self._past(job)
        now = self._clock()
        if job.status == JobStatus.PARKED and past.rounds:
            last = past.rounds[-1]
            waiting = [a for a in past.asked if a.round == last.number and a.status == "open"]
            if waiting:
                tell.parked(
                    job,
                    last.number,
                    [Card(a.id, a.kind, a.text, a.member_id) for a in waiting],
                    waiting[0].expires_at,
                    said=endings.said(parse_reply(last.reply).text, past),
                    notices=endings.notices(past.rounds),
                    at=now,
                )
        elif job.status in (JobStatus.DONE, JobStatus.FAILED, JobStatus.STOPPED):
            tell.finished(
                job,
                status=job.status.value,
                text=job.final or "",
                by=job.stop_by,
                notices=endings.notices(past.rounds),
                closed=(),
                at=now,
            )
