"""kill -9 of any service while thirty jobs are in flight: all of them end, every action runs once, nothing twice."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import uuid4

import httpx
import pytest

from handraise.dev.client import ENDED, Client, Refused
from tests.support.records import Records, records
from tests.support.stack import House

pytestmark = [pytest.mark.crash, pytest.mark.timeout(400)]

JOBS = 30
PATIENCE = 180.0
"""Seconds until all is settled: what a killed runner had in hand comes again half a minute later."""


@pytest.fixture
def own_house(fresh_stack: Callable[..., House]) -> House:
    return fresh_stack()


def _wish(number: int) -> str:
    return (
        "@ray hello!",
        "@ray ask me: Which colour? red, green or blue",
        f"@ray open a task for crash {number:02d} in Atlas",
    )[number % 3]


async def _through(work: Callable[[], Awaitable[Any]]) -> Any:
    """Do it, and again while a part of the house is away: as a person who presses the button once more."""
    while True:
        try:
            return await work()
        except httpx.TransportError:
            await asyncio.sleep(0)
        except Refused as refused:
            if refused.status != 503:
                raise


class Crash:
    """Kills a service once so many of the tries have come through, and starts it again."""

    def __init__(self, house: House, name: str, after: int) -> None:
        self._house = house
        self._name = name
        self._left = after

    async def watching(self, work: Callable[[], Awaitable[Any]]) -> Any:
        result = await _through(work)
        self._left -= 1
        if self._left == 0:
            # Everything else goes on meanwhile but this client, whose requests are on their way.
            self._house.kill(self._name)
            self._house.start(self._name)
        return result


async def _all_at_once(crash: Crash, works: list[Callable[[], Awaitable[Any]]]) -> list[Any]:
    return list(await asyncio.gather(*(crash.watching(work) for work in works)))


async def _settled(ada: Client, owner: Records, states: tuple[str, ...]) -> None:
    """Return once every job has one of these states and nothing that was confirmed is yet to run."""

    async def look() -> bool | None:
        left = await owner.value("SELECT count(*) FROM jobs WHERE status != ALL($1::text[])", list(states))
        running = await owner.value("SELECT count(*) FROM actions WHERE status = 'confirmed'")
        return True if left == running == 0 else None

    await ada.until(look, PATIENCE)


@pytest.mark.parametrize("name", ["runner", "gateway", "notifier", "permissions"])
async def test_every_job_ends_and_nothing_happens_twice(own_house: House, name: str) -> None:
    async with own_house.as_("ada") as ada, records(own_house.database_url) as owner:
        before = await owner.value("SELECT count(*) FROM tasks")
        path = f"/api/channels/{await ada.channel_id('release')}/messages"

        def post(number: int) -> Callable[[], Awaitable[Any]]:
            content = {"body": _wish(number), "message_id": str(uuid4())}
            return lambda: ada.send(path, content)

        posted = await _all_at_once(Crash(own_house, name, JOBS // 2), [post(n) for n in range(JOBS)])
        await _settled(ada, owner, (*ENDED, "parked"))

        waiting = await _through(ada.open_requests)
        proposals = sum(request["kind"] == "approval" for request in waiting)
        assert len(waiting) - proposals == JOBS // 3
        # Nothing is proposed that nobody can judge: such a job ends, and says to try again.
        assert proposals == JOBS // 3 or name == "permissions"

        def decide(request: dict[str, Any]) -> Callable[[], Awaitable[Any]]:
            if request["kind"] == "question":
                return lambda: _once(ada.answer(request["id"], option="green"))
            return lambda: _once(ada.confirm(request["action_id"]))

        await _all_at_once(Crash(own_house, name, len(waiting) // 2), [decide(r) for r in waiting])
        await _settled(ada, owner, ENDED)

        jobs = {answer["job_id"] for answer in posted}
        assert len(jobs) == JOBS
        ends = await owner.rows("SELECT status, count(*) AS n FROM jobs GROUP BY status")
        assert ends == [{"status": "done", "n": JOBS}]
        # Every confirmed action ran once.
        assert await owner.value("SELECT count(*) FROM tasks") == before + proposals
        made = "SELECT count(*) FROM audit WHERE tag = 'task:create' AND verdict = 'allowed'"
        assert await owner.value(made) == proposals
        undone = "SELECT count(*) FROM actions WHERE status != 'done' OR receipt IS NULL"
        assert await owner.value(undone) == 0
        # Every answer was taken once, as it was given.
        answers = await owner.rows(
            "SELECT option, count(*) AS n FROM requests WHERE kind = 'question' GROUP BY 1"
        )
        assert answers == [{"option": "green", "n": JOBS // 3}]

        # No round ran beside another, and no message stands twice.
        async def said() -> list[dict[str, Any]] | None:
            finals = await owner.rows("SELECT job_id FROM messages WHERE kind = 'final'")
            return finals if len(finals) >= JOBS else None

        finals = await ada.until(said, PATIENCE)
        assert len(finals) == len({row["job_id"] for row in finals}) == JOBS
        twice = """SELECT job_id, kind, body, request_id FROM messages WHERE job_id IS NOT NULL
                   GROUP BY job_id, kind, body, request_id HAVING count(*) > 1"""
        assert await owner.rows(twice) == []
        roots = "SELECT count(*) FROM messages WHERE author_id IS NOT NULL AND body LIKE '@ray %'"
        assert await owner.value(roots) == JOBS


async def _once(deciding: Awaitable[Any]) -> Any:
    """Decide; that one's own first try was taken before the gateway was lost is as good."""
    try:
        return await deciding
    except Refused as refused:
        if refused.status == 409 and refused.problem.get("by") == "Ada Lindqvist":
            return refused.problem
        raise


async def test_everything_killed_at_once_in_the_middle_loses_nothing(own_house: House) -> None:
    async with own_house.as_("ada") as ada, records(own_house.database_url) as owner:
        path = f"/api/channels/{await ada.channel_id('release')}/messages"
        contents = [{"body": _wish(n), "message_id": str(uuid4())} for n in range(JOBS)]
        posted = await asyncio.gather(*(ada.send(path, content) for content in contents))
        # All of them were promised; some run, some wait, some have not begun.
        assert await owner.value("SELECT count(*) FROM jobs") == JOBS
    own_house.kill_all()
    own_house.start_all()
    async with own_house.as_("ada") as ada, records(own_house.database_url) as owner:
        await _settled(ada, owner, (*ENDED, "parked"))
        found = await owner.rows("SELECT id, status FROM jobs")
        assert {str(row["id"]) for row in found} == {answer["job_id"] for answer in posted}
        states = [row["status"] for row in found]
        assert (states.count("done"), states.count("parked")) == (JOBS // 3, JOBS * 2 // 3)
        assert len(await ada.open_requests()) == JOBS * 2 // 3
