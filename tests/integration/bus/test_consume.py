"""Ack last: a message is done with when its handler is, comes again when not, and is never dropped."""

import asyncio
from typing import Any

import msgspec
import pytest
from nats.aio.msg import Msg
from nats.js.api import ConsumerConfig
from opentelemetry import trace
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context, use_span

from handraise.common import telemetry
from handraise.common.bus import consume, subjects
from handraise.common.bus.consume import Delivery, Retry, Unreadable
from handraise.common.bus.messages import Execute, Run, encode
from handraise.common.bus.publish import Bus
from handraise.common.ids import new_id
from tests.integration.bus.conftest import Subscribe, dead_letters, new_run, send


@pytest.fixture(autouse=True)
def _in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consume, "_BACKOFF", (0.05, 0.1, 0.15))
    monkeypatch.setattr(consume, "MAX_DELIVER", 4)


async def _settled(bus: Bus, stream: str = "CMD") -> None:
    """Return once a work queue holds nothing any more: everything in it was acknowledged or terminated."""
    acks = await bus.connection.subscribe(f"$JS.ACK.{stream}.>")
    try:
        async with asyncio.timeout(20):
            while (await bus.jetstream.stream_info(stream)).state.messages:
                await acks.next_msg(timeout=20)
    finally:
        await acks.unsubscribe()


async def test_what_is_handled_is_gone_from_the_queue(bus: Bus, take: Subscribe) -> None:
    taken: asyncio.Queue[tuple[Run, Delivery]] = asyncio.Queue()

    async def handle(run: Run, delivery: Delivery) -> None:
        taken.put_nowait((run, delivery))

    await take(handle)
    run = new_run()
    await send(bus, run)
    got, delivery = await asyncio.wait_for(taken.get(), 10)
    assert got == run
    assert (delivery.deliveries, delivery.again) == (1, False)
    assert delivery.subject == subjects.cmd_run(run.workspace_id, run.job_id)
    await _settled(bus)


async def test_a_handler_that_raises_gets_it_again_and_it_is_acked_only_after(
    bus: Bus, take: Subscribe
) -> None:
    deliveries: list[int] = []
    loop = asyncio.get_running_loop()
    times: list[float] = []
    done = asyncio.Event()

    async def handle(_: Run, delivery: Delivery) -> None:
        deliveries.append(delivery.deliveries)
        times.append(loop.time())
        assert (await bus.jetstream.stream_info("CMD")).state.messages == 1
        if delivery.deliveries < 3:
            raise RuntimeError("not yet")
        done.set()

    await take(handle)
    await send(bus, new_run())
    await asyncio.wait_for(done.wait(), 20)
    await _settled(bus)
    assert deliveries == [1, 2, 3]
    assert times[1] - times[0] >= 0.05
    assert times[2] - times[1] >= 0.1
    assert (await bus.jetstream.stream_info("DLQ")).state.messages == 0


async def test_what_fails_to_the_last_goes_to_the_dead_letters_whole(bus: Bus, take: Subscribe) -> None:
    async def handle(_: Run, delivery: Delivery) -> None:
        raise RuntimeError(f"never, said {delivery.deliveries} times")

    await take(handle)
    run = new_run("the body of it")
    await send(bus, run)
    [letter] = await dead_letters(bus)
    assert letter.subject == subjects.cmd_run(run.workspace_id, run.job_id)
    assert letter.reason == "RuntimeError: never, said 4 times"
    assert (letter.deliveries, letter.consumer, letter.encoding) == (4, "run", "text")
    assert letter.headers["Nats-Msg-Id"] == f"run.{run.job_id}"
    assert msgspec.json.decode(letter.body, type=Run) == run
    await _settled(bus)
    # Sent again as it stands there, it is handled: nothing of it was lost.
    assert encode(msgspec.json.decode(letter.body, type=Run)) == letter.body.encode()


async def test_a_retry_says_when_and_counts_as_a_delivery(bus: Bus, take: Subscribe) -> None:
    done = asyncio.Event()

    async def handle(_: Run, delivery: Delivery) -> None:
        if not delivery.again:
            raise Retry("not yet", delay=0.01)
        done.set()

    await take(handle)
    await send(bus, new_run())
    await asyncio.wait_for(done.wait(), 10)
    await _settled(bus)


def _changed(run: Run, **fields: Any) -> bytes:
    body = msgspec.json.decode(encode(run))
    body.update(fields)
    return msgspec.json.encode(body)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"null",
        b"\xff\xfe\x00\x80",
        b'{"workspace_id": "x"}',
        _changed(new_run(), surprise=1),
        _changed(new_run(), v=2),
        _changed(new_run(), v=0),
        _changed(new_run(), at="yesterday"),
    ],
    ids=["empty", "half", "null", "binary", "no id", "unknown field", "newer", "older", "no time"],
)
async def test_what_nobody_can_read_goes_to_the_dead_letters_at_once_and_stops_nothing(
    body: bytes, bus: Bus, take: Subscribe
) -> None:
    handled = asyncio.Event()
    seen: list[Run] = []

    async def handle(run: Run, _: Delivery) -> None:
        seen.append(run)
        handled.set()

    await take(handle, workers=1)
    subject = subjects.cmd_run(new_id(), new_id())
    await bus.jetstream.publish(subject, body, headers={"Nats-Msg-Id": "bad", "x-note": "kept"})
    good = new_run()
    await send(bus, good)
    [letter] = await dead_letters(bus)
    assert letter.deliveries == 1
    assert letter.reason.startswith("unreadable: ")
    assert letter.headers["x-note"] == "kept"
    assert letter.encoding == ("base64" if body == b"\xff\xfe\x00\x80" else "text")
    await asyncio.wait_for(handled.wait(), 10)
    await _settled(bus)
    assert seen == [good]


async def test_a_handler_can_say_that_it_will_never_be_readable(bus: Bus, take: Subscribe) -> None:
    async def handle(_: Run, __: Delivery) -> None:
        raise Unreadable("there is no such thing")

    await take(handle)
    await send(bus, new_run())
    [letter] = await dead_letters(bus)
    assert (letter.deliveries, letter.reason) == (1, "unreadable: there is no such thing")


async def test_while_the_dead_letters_can_not_be_stored_the_message_stays(
    bus: Bus, take: Subscribe, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def handle(_: Execute, __: Delivery) -> None:
        raise Unreadable("no")

    await bus.jetstream.delete_stream("DLQ")
    given_back = await bus.connection.subscribe("$JS.ACK.CMD.>")
    await take(handle)
    await send(bus, new_run())
    said = (await given_back.next_msg(timeout=20)).data
    assert said.startswith(b"-NAK")
    assert (await bus.jetstream.stream_info("CMD")).state.messages == 1


async def test_a_trace_goes_from_the_publisher_to_the_handler(bus: Bus, take: Subscribe) -> None:
    seen: asyncio.Queue[str | None] = asyncio.Queue()

    async def handle(_: Run, __: Delivery) -> None:
        seen.put_nowait(telemetry.trace_id())

    await take(handle)
    context = SpanContext(0xABC << 100, 0xDEF, is_remote=False, trace_flags=TraceFlags(0))
    with use_span(NonRecordingSpan(context)):
        await send(bus, new_run())
    assert trace.get_current_span().get_span_context().trace_id == 0
    assert set_span_in_context(NonRecordingSpan(context))
    assert await asyncio.wait_for(seen.get(), 10) == format(0xABC << 100, "032x")


async def test_a_long_handler_says_that_it_lives_and_gets_its_message_once(
    bus: Bus, take: Subscribe, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait = 0.6
    monkeypatch.setattr(consume, "ACK_WAIT", wait)
    config = (await bus.jetstream.consumer_info("CMD", "run")).config
    await bus.jetstream.add_consumer("CMD", ConsumerConfig(**{**config.__dict__, "ack_wait": wait}))
    acks = await bus.connection.subscribe("$JS.ACK.CMD.run.>")
    deliveries: list[int] = []
    release = asyncio.Event()

    async def handle(_: Run, delivery: Delivery) -> None:
        deliveries.append(delivery.deliveries)
        await release.wait()

    await take(handle)
    await send(bus, new_run())
    for _ in range(9):  # three times as long as a delivery may be silent
        assert (await acks.next_msg(timeout=10)).data == b"+WPI"
    release.set()
    last = Msg(bus.connection)
    last.data = b"+WPI"
    while last.data == b"+WPI":
        last = await acks.next_msg(timeout=10)
    assert last.data in (b"", b"+ACK")
    assert deliveries == [1]


async def test_without_a_sign_of_life_a_delivery_counts_as_lost_and_comes_again(
    bus: Bus, take: Subscribe
) -> None:
    config = (await bus.jetstream.consumer_info("CMD", "run")).config
    await bus.jetstream.add_consumer("CMD", ConsumerConfig(**{**config.__dict__, "ack_wait": 0.3}))
    again = asyncio.Event()

    async def handle(_: Run, delivery: Delivery) -> None:
        if delivery.again:
            again.set()
        else:
            await again.wait()

    await take(handle)
    await send(bus, new_run())
    await asyncio.wait_for(again.wait(), 10)
    await _settled(bus)


async def test_a_service_that_stops_finishes_what_it_has_begun(bus: Bus, take: Subscribe) -> None:
    began, release = asyncio.Event(), asyncio.Event()

    async def handle(_: Run, __: Delivery) -> None:
        began.set()
        await release.wait()

    broker = await take(handle)
    await send(bus, new_run())
    await asyncio.wait_for(began.wait(), 10)
    stopping = asyncio.create_task(broker.stop())
    release.set()
    await asyncio.wait_for(stopping, 10)
    assert (await bus.jetstream.stream_info("CMD")).state.messages == 0
