"""Each stage of a job is guarded by the state it expects, and is one round trip."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import timedelta
from typing import Any
from uuid import UUID

import asyncpg
import msgspec
import pytest

from handraise.common.bus.messages import Place, Run, Wake
from handraise.common.clock import utc_now
from handraise.common.ids import new_id
from handraise.common.questions import Outcome
from handraise.workspace.audit import Tag
from handraise.workspace.database import Database
from handraise.workspace.jobs import JobState, JobStore, NewRequest, RoundRecord, Said
from handraise.workspace.words import ActionStatus, JobStatus
from tests.integration.workspace.world import World, new_world
from tests.support.databases import DatabaseForTest


class Bench(msgspec.Struct, frozen=True):
    """Two runners' stores over one database, and a workspace to work in."""

    world: World
    one: JobStore
    two: JobStore
    db: Database

    def new_run(self) -> Run:
        return Run(
            workspace_id=self.world.id,
            job_id=new_id(),
            message_id=new_id(),
            agent_id=new_id(),
            member_id=new_id(),
            place=Place("channel_thread", new_id(), new_id()),
            body="do it",
            at=utc_now(),
        )

    async def running(self, run: Run | None = None, *, store: JobStore | None = None) -> JobState:
        """Return a job that a runner has claimed."""
        run = run or self.new_run()
        claimed = await (store or self.one).job_in(run, "f", status=JobStatus.RUNNING)
        assert claimed is not None
        job = await self.one.job(self.world.id, run.job_id)
        assert job is not None
        return job

    async def parked(self, *kinds: str) -> tuple[JobState, list[NewRequest]]:
        """Return a job that waits for requests of these kinds."""
        job = await self.running()
        asked = [request(kind, call) for call, kind in enumerate(kinds)]
        assert await self.one.park(job, record(1), asked, utc_now() + timedelta(hours=1))
        now = await self.one.job(self.world.id, job.id)
        assert now is not None
        return now, asked

    def wake(self, job: JobState, asked: NewRequest, outcome: Outcome = Outcome.ACCEPT, **more: Any) -> Wake:
        return Wake(
            workspace_id=self.world.id,
            request_id=asked.id,
            job_id=job.id,
            outcome=outcome,
            by=more.pop("by", job.member_id),
            via="home",
            at=utc_now(),
            **more,
        )

    async def status(self, job: JobState) -> JobStatus:
        now = await self.one.job(self.world.id, job.id)
        assert now is not None
        return now.status


def record(number: int) -> RoundRecord:
    return RoundRecord(
        number=number, reply="r", calls=[], model="m", input_tokens=1, output_tokens=1, latency_us=1
    )


def request(kind: str, call: int) -> NewRequest:
    action = (
        {
            "action_id": new_id(),
            "tool": "update_task_status",
            "arguments": {"task_id": str(new_id()), "status": "done"},
            "digest": "d" * 64,
            "preview": {"sentence": "Mark it"},
        }
        if kind == "approval"
        else {}
    )
    return NewRequest(id=new_id(), call=call, kind=kind, text="Which?", audit_id=new_id(), **action)


@pytest.fixture
async def bench(module_database: DatabaseForTest) -> AsyncIterator[Bench]:
    async with AsyncExitStack() as stack:
        world = await stack.enter_async_context(new_world(module_database))
        dsn = module_database.dsn("runner")
        opened = [await Database.open(dsn, size=4) for _ in range(2)]
        for db in opened:
            stack.push_async_callback(db.close)
        yield Bench(world, JobStore(opened[0]), JobStore(opened[1]), opened[0])


async def test_a_job_comes_in_once_whoever_stores_it_first(bench: Bench) -> None:
    run = bench.new_run()
    assert await bench.one.job_in(run, "gateway's", status=JobStatus.QUEUED) is None
    assert await bench.one.job_in(run, "again", status=JobStatus.QUEUED) is None
    claimed = await bench.two.job_in(run, "runner's", status=JobStatus.RUNNING)
    assert claimed is not None
    assert (claimed.epoch, claimed.rounds, claimed.fence, claimed.stop_by) == (1, 0, "gateway's", None)
    # The gateway comes late, too late to set it back.
    assert await bench.one.job_in(run, "late", status=JobStatus.QUEUED) is None
    assert await bench.world.value("SELECT status FROM jobs WHERE id = $1", run.job_id) == "running"
    assert await bench.world.value("SELECT count(*) FROM messages WHERE id = $1", run.message_id) == 1
    assert await bench.world.value("SELECT count(*) FROM audit WHERE job_id = $1", run.job_id) == 1


async def test_the_runner_alone_stores_message_and_job_when_the_gateway_died(bench: Bench) -> None:
    run = bench.new_run()
    assert await bench.one.job_in(run, "f", status=JobStatus.RUNNING) is not None
    row = "SELECT body FROM messages WHERE id = $1 AND job_id = $2 AND author_id = $3"
    assert await bench.world.value(row, run.message_id, run.job_id, run.member_id) == "do it"


async def test_a_redelivered_run_takes_over_with_a_new_epoch_and_the_old_one_writes_nothing(
    bench: Bench,
) -> None:
    run = bench.new_run()
    old = await bench.running(run)
    again = await bench.two.job_in(run, "other", status=JobStatus.RUNNING)
    assert again is not None
    assert (again.epoch, again.fence) == (2, "f")
    asked = [request("question", 0)]
    assert await bench.one.keep_round(old, record(1)) == (False, None)
    assert not await bench.one.park(old, record(1), asked, utc_now())
    assert await bench.one.finish(old, JobStatus.DONE, final="no") is None
    for table in ("rounds", "requests"):
        count = await bench.world.value(f"SELECT count(*) FROM {table} WHERE job_id = $1", run.job_id)
        assert count == 0
    assert await bench.world.value("SELECT count(*) FROM audit WHERE job_id = $1", run.job_id) == 1
    new = msgspec.structs.replace(old, epoch=2)
    assert await bench.two.keep_round(new, record(1)) == (True, None)


async def test_a_run_that_is_past_running_is_not_claimed_again(bench: Bench) -> None:
    job, _ = await bench.parked("question")
    run = msgspec.structs.replace(bench.new_run(), job_id=job.id, message_id=job.message_id)
    assert await bench.two.job_in(run, "f", status=JobStatus.RUNNING) is None
    assert await bench.status(job) is JobStatus.PARKED


async def test_a_round_is_stored_once_and_in_its_order(bench: Bench) -> None:
    job = await bench.running()
    assert await bench.one.keep_round(job, record(2)) == (False, None)
    assert await bench.one.keep_round(job, record(1)) == (True, None)
    assert await bench.one.keep_round(job, record(1)) == (False, None)
    assert await bench.world.value("SELECT count(*) FROM rounds WHERE job_id = $1", job.id) == 1


async def test_a_round_tells_who_wants_the_job_stopped_and_a_park_is_not_made_then(bench: Bench) -> None:
    job = await bench.running()
    by = new_id()
    assert await bench.two.stop(bench.world.id, job.id, by) == (JobStatus.RUNNING, [])
    assert await bench.one.keep_round(job, record(1)) == (True, by)
    assert not await bench.one.park(job, record(2), [request("question", 0)], utc_now())
    assert await bench.status(job) is JobStatus.RUNNING
    assert (
        await bench.one.finish(job, JobStatus.STOPPED, final="Stopped.", reason="Stopped.", by=by) is not None
    )
    assert await bench.two.stop(bench.world.id, job.id, by) is None


async def test_the_second_wake_of_a_request_changes_nothing(bench: Bench) -> None:
    job, [asked] = await bench.parked("question")
    first = await bench.one.wake(bench.wake(job, asked, option="red", text="red"), utc_now())
    assert first is not None
    assert (first.job.status, first.job.cause, first.job.epoch) == (
        JobStatus.RUNNING,
        asked.id,
        job.epoch + 1,
    )
    for outcome in Outcome:
        assert await bench.two.wake(bench.wake(job, asked, outcome, by=new_id()), utc_now()) is None
    row = await bench.one.request(bench.world.id, asked.id)
    assert row is not None
    assert (row["status"], row["option"], row["answered_by"]) == ("accepted", "red", job.member_id)
    count = "SELECT count(*) FROM audit WHERE subject_id = $1"
    assert await bench.world.value(count, asked.id) == 2  # asked, answered
    now = await bench.one.job(bench.world.id, job.id)
    assert now is not None
    assert now.epoch == job.epoch + 1


async def test_two_requests_answered_in_the_same_moment_resume_the_job_exactly_once(bench: Bench) -> None:
    for _ in range(40):
        job, [one, two] = await bench.parked("question", "question")
        woken = await asyncio.gather(
            bench.one.wake(bench.wake(job, one, option="a", text="a"), utc_now()),
            bench.two.wake(bench.wake(job, two, option="b", text="b"), utc_now()),
        )
        resumed = [w for w in woken if w is not None and w.job.status is JobStatus.RUNNING]
        assert len(resumed) == 1
        # And whoever resumes it knows both answers, whichever of them was recorded by somebody else just now.
        told = {r["id"]: (r["status"], r["option"]) for r in resumed[0].requests}
        assert told == {str(one.id): ("accepted", "a"), str(two.id): ("accepted", "b")}
        now = await bench.one.job(bench.world.id, job.id)
        assert now is not None
        assert (now.waiting, now.epoch) == (0, job.epoch + 2)


async def test_an_answer_and_an_execution_that_end_in_the_same_moment_resume_the_job_exactly_once(
    bench: Bench,
) -> None:
    for _ in range(40):
        job, [question, card] = await bench.parked("question", "approval")
        assert card.action_id is not None
        confirmed = await bench.one.wake(bench.wake(job, card), utc_now())
        assert confirmed is not None
        assert confirmed.job.status is JobStatus.PARKED
        woken, settled = await asyncio.gather(
            bench.one.wake(bench.wake(job, question, option="a", text="a"), utc_now()),
            bench.two.settle(bench.world.id, card.action_id, ActionStatus.REFUSED, reason="no"),
        )
        assert woken is not None
        assert settled is not None
        assert settled.job is not None
        assert [woken.job.status, settled.job.status].count(JobStatus.RUNNING) == 1
        if woken.job.status is JobStatus.RUNNING:
            told = {r["id"]: (r["status"], r["action_status"]) for r in woken.requests}
            assert told == {str(question.id): ("accepted", None), str(card.id): ("accepted", "refused")}


@pytest.mark.parametrize("first", ["answer", "execution"])
async def test_whoever_goes_on_is_told_what_was_recorded_while_it_waited_its_turn(
    first: str, bench: Bench, module_database: DatabaseForTest
) -> None:
    job, [one, two, card] = await bench.parked("question", "question", "approval")
    assert card.action_id is not None
    await bench.one.wake(bench.wake(job, card), utc_now())
    if first == "answer":
        await bench.one.settle(bench.world.id, card.action_id, ActionStatus.REFUSED, reason="no")
    else:
        await bench.one.wake(bench.wake(job, one, option="a", text="a"), utc_now())
    # Somebody holds the job's row, so that both outcomes have seen the job as it is now and wait for each other.
    holder = await asyncpg.connect(module_database.owner_dsn)
    try:
        async with holder.transaction():
            await holder.execute("SELECT 1 FROM jobs WHERE id = $1 FOR UPDATE", job.id)
            other: Any = (
                bench.two.wake(bench.wake(job, one, option="a", text="a"), utc_now())
                if first == "answer"
                else bench.two.settle(bench.world.id, card.action_id, ActionStatus.REFUSED, reason="no")
            )
            works = [asyncio.ensure_future(other)]
            await _blocked(bench, 1)
            works.append(
                asyncio.ensure_future(bench.one.wake(bench.wake(job, two, option="b", text="b"), utc_now()))
            )
            await _blocked(bench, 2)
        _, last = await asyncio.gather(*works)
    finally:
        await holder.close()
    assert last.job.status is JobStatus.RUNNING
    told = {r["id"]: (r["status"], r["option"], r["action_status"]) for r in last.requests}
    assert told == {
        str(one.id): ("accepted", "a", None),
        str(two.id): ("accepted", "b", None),
        str(card.id): ("accepted", None, "refused"),
    }


async def test_a_stop_that_waited_for_the_park_is_told_what_to_close(
    bench: Bench, module_database: DatabaseForTest
) -> None:
    job, asked = await bench.running(), request("question", 0)
    holder = await asyncpg.connect(module_database.owner_dsn)
    try:
        async with holder.transaction():
            await holder.execute("SELECT 1 FROM jobs WHERE id = $1 FOR UPDATE", job.id)
            # First in the queue for the row is the park, behind it the stop: it has looked before the park wrote.
            park = bench.one.park(job, record(1), [asked], utc_now() + timedelta(hours=1))
            parking = asyncio.ensure_future(park)
            await _blocked(bench, 1)
            stopping = asyncio.ensure_future(bench.two.stop(bench.world.id, job.id, new_id()))
            await _blocked(bench, 2)
        assert await parking
        assert await stopping == (JobStatus.PARKED, [asked.id])
    finally:
        await holder.close()


async def _blocked(bench: Bench, count: int) -> None:
    """Return once so many statements wait for a lock in this database."""
    waiting = """SELECT count(*) FROM pg_stat_activity
                 WHERE datname = current_database() AND wait_event_type = 'Lock' AND state = 'active'"""
    async with asyncio.timeout(10):
        while await bench.world.value(waiting) < count:
            pass


async def test_a_confirmed_action_keeps_its_job_parked_until_it_is_settled_once(bench: Bench) -> None:
    job, [card] = await bench.parked("approval")
    assert card.action_id is not None
    woken = await bench.one.wake(bench.wake(job, card), utc_now())
    assert woken is not None
    assert (woken.job.status, woken.job.waiting) == (JobStatus.PARKED, 1)
    assert (woken.action_id, woken.action_digest) == (card.action_id, "d" * 64)
    first = await bench.one.settle(
        bench.world.id, card.action_id, ActionStatus.DONE, reason=None, receipt={"title": "Marked it"}
    )
    assert first is not None
    assert first.job is not None
    assert (first.job.status, first.job.cause) == (JobStatus.RUNNING, card.action_id)
    assert await bench.two.settle(bench.world.id, card.action_id, ActionStatus.FAILED, reason="again") is None
    row = await bench.one.action(bench.world.id, card.action_id)
    assert row is not None
    assert (row["status"], row["reason"], row["receipt"]) == ("done", None, {"title": "Marked it"})


async def test_an_action_that_was_not_confirmed_is_not_settled(bench: Bench) -> None:
    job, [card] = await bench.parked("approval")
    assert card.action_id is not None
    assert await bench.one.settle(bench.world.id, card.action_id, ActionStatus.DONE, reason=None) is None
    assert await bench.one.wake(bench.wake(job, card, Outcome.DECLINE, text="no"), utc_now()) is not None
    assert await bench.one.settle(bench.world.id, card.action_id, ActionStatus.DONE, reason=None) is None
    row = await bench.one.action(bench.world.id, card.action_id)
    assert row is not None
    assert (row["status"], row["reason"]) == ("rejected", "no")


async def test_a_cancel_wakes_the_job_with_another_request_open_and_its_end_closes_that(bench: Bench) -> None:
    job, [question, card] = await bench.parked("question", "approval")
    woken = await bench.one.wake(bench.wake(job, question, Outcome.CANCEL), utc_now())
    assert woken is not None
    assert woken.job.status is JobStatus.RUNNING
    closing = await bench.one.finish(
        woken.job, JobStatus.STOPPED, final="Stopped.", reason="Stopped.", by=job.member_id
    )
    assert closing is not None
    assert closing.closed == (card.id,)
    assert card.action_id is not None
    action = await bench.one.action(bench.world.id, card.action_id)
    assert action is not None
    assert action["status"] == "cancelled"
    # Its own answer comes late, to a request that is closed and a job that is over.
    assert await bench.two.wake(bench.wake(job, card), utc_now()) is None
    assert await bench.status(job) is JobStatus.STOPPED


async def test_the_end_of_a_job_withdraws_what_was_confirmed_and_has_not_run(bench: Bench) -> None:
    job, [card, question] = await bench.parked("approval", "question")
    assert card.action_id is not None
    await bench.one.wake(bench.wake(job, card), utc_now())
    woken = await bench.one.wake(bench.wake(job, question, Outcome.CANCEL), utc_now())
    assert woken is not None
    assert await bench.one.finish(woken.job, JobStatus.STOPPED, final="S", reason="S") is not None
    assert await bench.two.settle(bench.world.id, card.action_id, ActionStatus.DONE, reason=None) is None


async def test_only_the_cause_that_set_a_job_running_may_take_it_over(bench: Bench) -> None:
    job, [asked] = await bench.parked("question")
    woken = await bench.one.wake(bench.wake(job, asked, option="a", text="a"), utc_now())
    assert woken is not None
    assert await bench.two.take_over(bench.world.id, job.id, new_id()) is None
    assert await bench.two.take_over(bench.world.id, job.id, job.message_id) is None
    taken = await bench.two.take_over(bench.world.id, job.id, asked.id)
    assert taken is not None
    assert taken.epoch == woken.job.epoch + 1
    assert await bench.one.finish(woken.job, JobStatus.DONE, final="no") is None
    assert await bench.two.finish(taken, JobStatus.DONE, final="yes") is not None
    assert await bench.two.finish(taken, JobStatus.DONE, final="twice") is None


async def test_messages_are_stored_once_by_their_ids(bench: Bench) -> None:
    said = Said(
        id=new_id(),
        workspace_id=bench.world.id,
        place=Place("task", new_id()),
        author_id=new_id(),
        body="hello",
        at=utc_now(),
    )
    await asyncio.gather(*(store.say(said, Tag.TASK_COMMENT) for store in (bench.one, bench.two) * 3))
    assert await bench.world.value("SELECT count(*) FROM messages WHERE id = $1", said.id) == 1
    assert await bench.world.value("SELECT count(*) FROM audit WHERE subject_id = $1", said.id) == 1


async def test_no_statement_reaches_into_another_workspace(bench: Bench, module_database: Any) -> None:
    job, [asked] = await bench.parked("question")
    async with new_world(module_database, "Other") as other:
        foreign = msgspec.structs.replace(bench.wake(job, asked, option="a", text="a"), workspace_id=other.id)
        assert await bench.one.wake(foreign, utc_now()) is None
        assert await bench.one.job(other.id, job.id) is None
        assert await bench.one.request(other.id, asked.id) is None
        assert await bench.one.stop(other.id, job.id, new_id()) is None
        assert await bench.one.take_over(other.id, job.id, job.message_id) is None
        assert await bench.one.transcript(other.id, job.id) == ([], [])
    assert await bench.status(job) is JobStatus.PARKED


async def test_every_tag_the_stages_write_is_a_word_of_the_audit(bench: Bench) -> None:
    for kind in ("question", "approval"):
        for outcome in Outcome:
            job, [asked] = await bench.parked(kind)
            woken = await bench.one.wake(bench.wake(job, asked, outcome), utc_now())
            assert woken is not None
    for status in (JobStatus.DONE, JobStatus.STOPPED, JobStatus.FAILED):
        assert await bench.one.finish(await bench.running(), status, final="x", reason="x") is not None
    tags = await bench.world.value(
        "SELECT array_agg(DISTINCT tag) FROM audit WHERE workspace_id = $1", bench.world.id
    )
    assert len(tags) == 14
    assert set(tags) <= {tag.value for tag in Tag}


async def test_each_stage_is_one_round_trip(bench: Bench, module_database: DatabaseForTest) -> None:
    sent: list[str] = []
    counts: dict[str, int] = {}

    async def one(name: str, work: Any) -> Any:
        sent.clear()
        result = await work
        counts[name] = len(sent)
        return result

    async def every_stage() -> None:
        store, id = bench.one, bench.world.id
        run = bench.new_run()
        await one("job_in", store.job_in(run, "f", status=JobStatus.RUNNING))
        job = await one("job", store.job(id, run.job_id))
        await one("keep_round", store.keep_round(job, record(1)))
        question, card = request("question", 0), request("approval", 1)
        assert card.action_id is not None
        later = utc_now() + timedelta(hours=1)
        assert await one("park", store.park(job, record(2), [question, card], later))
        await one("wake", store.wake(bench.wake(job, card), utc_now()))
        await one("wake and run", store.wake(bench.wake(job, question, option="a", text="a"), utc_now()))
        settled = await one("settle", store.settle(id, card.action_id, ActionStatus.REFUSED, reason="no"))
        await one("transcript", store.transcript(id, run.job_id))
        await one("request", store.request(id, question.id))
        await one("action", store.action(id, card.action_id))
        await one("open_questions", store.open_questions(id, run.place, run.member_id))
        await one("briefing", store.briefing(id, run.agent_id, run.member_id))
        await one("stop", store.stop(id, run.job_id, new_id()))
        taken = await one("take_over", store.take_over(id, run.job_id, card.action_id))
        assert taken.epoch == settled.job.epoch + 1
        assert await one("finish", store.finish(taken, JobStatus.STOPPED, final="S", reason="S"))
        assert await one("finish of one that ended", store.finish(taken, JobStatus.DONE, final="S")) is None

    # On one connection, whose statements are known and whose workspace is set: as in a service that is warm.
    alone = await Database.open(module_database.dsn("runner"), size=1)
    try:
        bench = msgspec.structs.replace(bench, one=JobStore(alone))
        await every_stage()
        async with alone.hot(bench.world.id) as connection:
            connection.add_query_logger(lambda query: sent.append(query.query))
        await every_stage()
    finally:
        await alone.close()
    assert len(counts) == 16
    assert set(counts.values()) == {1}, counts


async def test_what_stages_share_a_transaction_keep_their_rows_apart(bench: Bench) -> None:
    jobs = await asyncio.gather(*(bench.parked("question") for _ in range(12)))
    woken = await asyncio.gather(
        *(
            bench.one.wake(bench.wake(job, asked, option=str(number), text=str(number)), utc_now())
            for number, (job, [asked]) in enumerate(jobs)
        )
    )
    for number, ((job, [asked]), done) in enumerate(zip(jobs, woken, strict=True)):
        assert done is not None
        assert done.job.id == job.id
        assert [(r["id"], r["option"]) for r in done.requests] == [(str(asked.id), str(number))]


async def test_one_bad_row_among_several_spoils_no_other(bench: Bench) -> None:
    runs = [bench.new_run() for _ in range(6)]
    runs[3] = msgspec.structs.replace(runs[3], place=Place("nowhere", new_id()))
    ends = await asyncio.gather(
        *(bench.one.job_in(run, "f", status=JobStatus.RUNNING) for run in runs), return_exceptions=True
    )
    assert isinstance(ends[3], asyncpg.CheckViolationError)
    assert all(end is not None and not isinstance(end, BaseException) for n, end in enumerate(ends) if n != 3)
    stored: list[UUID] = await bench.world.value(
        "SELECT array_agg(id) FROM jobs WHERE workspace_id = $1", bench.world.id
    )
    assert set(stored) == {run.job_id for n, run in enumerate(runs) if n != 3}
