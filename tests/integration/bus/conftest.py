"""A bus of the test's own, with our streams."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from typing import Any

import msgspec
import pytest
from nats.errors import Error as NatsError

from handraise.common.bus import subjects
from handraise.common.bus.consume import Handler, make_broker, subscribe
from handraise.common.bus.messages import DeadLetter, Place, Run
from handraise.common.bus.publish import Bus
from handraise.common.clock import utc_now
from handraise.common.ids import new_id


@pytest.fixture
async def bus(bus_url: str) -> AsyncIterator[Bus]:
    made = await Bus.connect(bus_url, "test")
    yield made
    await made.close()


Subscribe = Callable[..., Any]


@pytest.fixture
async def take(bus: Bus, bus_url: str) -> AsyncIterator[Subscribe]:
    """Hands what arrives at a consumer, `run` unless told otherwise, to a handler: `await take(handler)`."""
    async with AsyncExitStack() as stack:

        async def begin(
            handler: Handler[Any],
            *,
            stream: str = "CMD",
            consumer: str = "run",
            subject: str = "cmd.run.*.*",
            kind: Any = Run,
            workers: int = 4,
        ) -> Any:
            broker = make_broker(bus_url, "test-consumers")
            subscribe(
                broker,
                bus,
                stream=stream,
                consumer=consumer,
                subject=subject,
                kind=kind,
                handler=handler,
                workers=workers,
            )
            await broker.start()
            stack.push_async_callback(broker.stop)
            return broker

        yield begin


def new_run(body: str = "do it") -> Run:
    """Return a command that nobody had before."""
    return Run(
        workspace_id=new_id(),
        job_id=new_id(),
        message_id=new_id(),
        agent_id=new_id(),
        member_id=new_id(),
        place=Place("channel_thread", new_id(), new_id()),
        body=body,
        at=utc_now(),
    )


async def send(bus: Bus, run: Run) -> None:
    """Publish a command as the gateway does."""
    await bus.publish(subjects.cmd_run(run.workspace_id, run.job_id), run, id=f"run.{run.job_id}")


async def dead_letters(bus: Bus, count: int = 1) -> list[DeadLetter]:
    """Return the first dead letters, once they are there."""
    letters = await bus.jetstream.subscribe("dlq.>", stream="DLQ", ordered_consumer=True)
    try:
        return [
            msgspec.json.decode((await letters.next_msg(timeout=20)).data, type=DeadLetter)
            for _ in range(count)
        ]
    finally:
        await letters.unsubscribe()


async def reconnected(bus: Bus) -> None:
    """Return once the bus answers again after its broker was away."""
    async with asyncio.timeout(30):
        while True:
            try:
                await bus.connection.flush(timeout=1)
            except (
                NatsError,
                TimeoutError,
            ):  # a ping that was under way when the broker went is never answered
                await asyncio.sleep(0)
            else:
                return
