"""A parked request wakes once: with the first answer, or when the broker's clock says that it expired."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

import msgspec
import pytest

from handraise.common import parking
from handraise.common.bus import subjects, topology
from handraise.common.bus.consume import Delivery
from handraise.common.bus.messages import Wake
from handraise.common.bus.publish import Bus
from handraise.common.clock import utc_now
from handraise.common.ids import new_id
from handraise.common.questions import Outcome
from handraise.dev.nats import EmbeddedNats
from tests.integration.bus.conftest import Subscribe, reconnected


def expired() -> Wake:
    return Wake(workspace_id=new_id(), request_id=new_id(), job_id=new_id(), outcome=Outcome.EXPIRED)


def answer_to(request: Wake, option: str = "red", name: str = "Ada") -> Wake:
    return msgspec.structs.replace(
        request,
        outcome=Outcome.ACCEPT,
        by=new_id(),
        by_name=name,
        option=option,
        text=option,
        via="home",
        at=utc_now(),
    )


@pytest.fixture
async def woken(take: Subscribe) -> Callable[[Wake], Awaitable["asyncio.Queue[Wake]"]]:
    """Listens on the shard of a request and queues what arrives."""

    async def listen(request: Wake) -> "asyncio.Queue[Wake]":
        arrived: asyncio.Queue[Wake] = asyncio.Queue()

        async def handle(wake: Wake, _: Delivery) -> None:
            arrived.put_nowait(wake)

        shard = subjects.shard(request.request_id)
        await take(
            handle,
            stream="PARK",
            consumer=topology.parked(int(shard)),
            subject=f"wake.{shard}.*",
            kind=Wake,
        )
        return arrived

    return listen


Listen = Callable[[Wake], Awaitable["asyncio.Queue[Wake]"]]


async def held(bus: Bus, subject: str) -> int:
    info = await bus.jetstream.stream_info("PARK", subjects_filter=subject)
    return sum((info.state.subjects or {}).values())


async def test_when_nobody_answers_it_wakes_as_expired_once(bus: Bus, woken: Listen) -> None:
    request = expired()
    arrived = await woken(request)
    due = utc_now() + timedelta(seconds=1)
    await parking.park(bus, request, due)
    assert await parking.is_parked(bus, request.request_id)
    wake = await asyncio.wait_for(arrived.get(), 10)
    assert wake == request
    assert utc_now() >= due
    assert not await parking.is_parked(bus, request.request_id)
    assert await held(bus, subjects.park(request.request_id)) == 0
    assert arrived.empty()


async def test_an_answer_wakes_at_once_and_ends_the_schedule(bus: Bus, woken: Listen) -> None:
    request = expired()
    arrived = await woken(request)
    await parking.park(bus, request, utc_now() + timedelta(seconds=1))
    answer = answer_to(request)
    await parking.answer(bus, answer)
    assert await asyncio.wait_for(arrived.get(), 10) == answer
    assert not await parking.is_parked(bus, request.request_id)
    # Another request, due later than the first would have been: it wakes, and the first does not.
    later = expired()
    while subjects.shard(later.request_id) != subjects.shard(request.request_id):
        later = expired()
    await parking.park(bus, later, utc_now() + timedelta(seconds=2))
    assert (await asyncio.wait_for(arrived.get(), 10)).request_id == later.request_id


async def test_the_second_answer_is_told_who_was_first(bus: Bus) -> None:
    request = expired()
    await parking.park(bus, request, utc_now() + timedelta(hours=1))
    first = answer_to(request, "red", "Ada")
    await parking.answer(bus, first)
    with pytest.raises(parking.AlreadyAnswered) as late:
        await parking.answer(bus, answer_to(request, "blue", "Ben"))
    assert late.value.winner == first


async def test_of_many_answers_at_once_exactly_one_is_taken(bus: Bus) -> None:
    for _ in range(10):
        request = expired()
        await parking.park(bus, request, utc_now() + timedelta(hours=1))
        answers = [answer_to(request, f"option {n}") for n in range(8)]
        ends: list[Any] = await asyncio.gather(
            *(parking.answer(bus, answer) for answer in answers), return_exceptions=True
        )
        assert ends.count(None) == 1
        winner = answers[ends.index(None)]
        assert {end.winner for end in ends if end is not None} == {winner}
        assert await held(bus, subjects.wake(request.request_id)) == 1


async def test_the_same_person_answering_the_same_twice_is_told_too(bus: Bus) -> None:
    request = expired()
    await parking.park(bus, request, utc_now() + timedelta(hours=1))
    answer = answer_to(request)
    await parking.answer(bus, answer)
    with pytest.raises(parking.AlreadyAnswered) as late:
        await parking.answer(bus, answer)
    assert late.value.winner == answer


async def test_what_the_broker_knows_nothing_of_is_not_parked(bus: Bus, woken: Listen) -> None:
    with pytest.raises(parking.NotParked):
        await parking.answer(bus, answer_to(expired()))
    request = expired()
    arrived = await woken(request)
    await parking.park(bus, request, utc_now() + timedelta(hours=1))
    await parking.answer(bus, answer_to(request))
    await asyncio.wait_for(arrived.get(), 10)
    # Taken and acknowledged: only the database knows who was first from here on.
    async with asyncio.timeout(10):
        while await held(bus, subjects.wake(request.request_id)):
            await bus.connection.flush()
    with pytest.raises(parking.NotParked):
        await parking.answer(bus, answer_to(request))


async def test_what_was_unparked_neither_wakes_nor_can_be_answered(bus: Bus, woken: Listen) -> None:
    gone, stays = expired(), expired()
    while subjects.shard(stays.request_id) != subjects.shard(gone.request_id):
        stays = expired()
    arrived = await woken(gone)
    await parking.park(bus, gone, utc_now() + timedelta(seconds=1))
    await parking.unpark(bus, gone.request_id)
    await parking.unpark(bus, gone.request_id)
    await parking.park(bus, stays, utc_now() + timedelta(seconds=1))
    assert (await asyncio.wait_for(arrived.get(), 10)).request_id == stays.request_id
    with pytest.raises(parking.NotParked):
        await parking.answer(bus, answer_to(gone))


async def test_parking_again_parks_once_and_a_later_turn_replaces_the_clock(bus: Bus, woken: Listen) -> None:
    request = expired()
    arrived = await woken(request)
    hour = utc_now() + timedelta(hours=1)
    first = await parking.park(bus, request, hour)
    assert await parking.park(bus, request, hour) == first
    assert await parking.park(bus, request, utc_now() + timedelta(seconds=1), turn=1) > first
    assert await held(bus, subjects.park(request.request_id)) == 1
    assert await asyncio.wait_for(arrived.get(), 10) == request


async def test_parking_again_after_the_answer_does_not_bring_it_back(bus: Bus) -> None:
    request = expired()
    hour = utc_now() + timedelta(hours=1)
    await parking.park(bus, request, hour)
    await parking.answer(bus, answer_to(request))
    # A runner that was lost between database and bus says again what it had said.
    await parking.park(bus, request, hour)
    assert not await parking.is_parked(bus, request.request_id)


async def test_what_came_due_while_the_broker_was_down_wakes_when_it_is_back(
    nats_server: EmbeddedNats, bus: Bus, woken: Listen
) -> None:
    request = expired()
    arrived = await woken(request)
    due = utc_now() + timedelta(seconds=1)
    await parking.park(bus, request, due)
    nats_server.kill()
    past_due = asyncio.Event()  # the broker's clock is this machine's, to whole seconds
    asyncio.get_running_loop().call_later((due - utc_now()).total_seconds() + 1, past_due.set)
    await past_due.wait()
    nats_server.start()
    assert await asyncio.wait_for(arrived.get(), 30) == request


async def test_a_parked_request_outlives_kill_9_of_the_broker(nats_server: EmbeddedNats, bus: Bus) -> None:
    waiting = [expired() for _ in range(50)]
    for request in waiting:
        await parking.park(bus, request, utc_now() + timedelta(hours=1))
    answered = answer_to(waiting[0])
    await parking.answer(bus, answered)
    nats_server.kill()
    nats_server.start()
    await reconnected(bus)
    for request in waiting[1:]:
        assert await parking.is_parked(bus, request.request_id)
    await parking.answer(bus, answer_to(waiting[1]))
    with pytest.raises(parking.AlreadyAnswered) as late:
        await parking.answer(bus, answer_to(waiting[0]))
    assert late.value.winner == answered


async def test_an_answer_with_a_place_that_is_out_of_date_finds_the_right_one(bus: Bus) -> None:
    wake = expired()
    first = await parking.park(bus, wake, utc_now() + timedelta(hours=1))
    second = await parking.park(bus, wake, utc_now() + timedelta(hours=2), turn=1)
    assert second > first
    await parking.answer(bus, answer_to(wake, "red", "Ada"), seq=first)
    with pytest.raises(parking.AlreadyAnswered) as late:
        await parking.answer(bus, answer_to(wake, "blue", "Ben"), seq=second)
    assert late.value.winner is not None
    assert late.value.winner.by_name == "Ada"
