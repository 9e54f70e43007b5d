"""One pull request stands at the broker: a lone message goes over at once, and an outage ends nothing."""

import asyncio

from handraise.common.bus.consume import Delivery
from handraise.common.bus.messages import Run
from handraise.common.bus.publish import Bus
from handraise.dev.nats import EmbeddedNats
from tests.integration.bus.conftest import Subscribe, new_run, reconnected, send


async def test_a_lone_message_is_handed_over_at_once(bus: Bus, take: Subscribe) -> None:
    taken: asyncio.Queue[float] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    async def handle(_: Run, __: Delivery) -> None:
        taken.put_nowait(loop.time())

    await take(handle, workers=32)
    waits = []
    for _ in range(10):
        began = loop.time()
        await send(bus, new_run())
        waits.append(await asyncio.wait_for(taken.get(), 10) - began)
    # FastStream's own way waits for the rest of a batch: five seconds for each of them.
    assert sorted(waits)[5] < 0.5


async def test_no_more_are_in_work_than_there_are_workers_and_all_of_them_get_done(
    bus: Bus, take: Subscribe
) -> None:
    now, most, done = 0, 0, 0
    full, release, all_done = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def handle(_: Run, __: Delivery) -> None:
        nonlocal now, most, done
        now += 1
        most = max(most, now)
        if now == 5:
            full.set()
        await release.wait()
        now -= 1
        done += 1
        if done == 30:
            all_done.set()

    for _ in range(30):
        await send(bus, new_run())
    await take(handle, workers=5)
    await asyncio.wait_for(full.wait(), 10)
    info = await bus.jetstream.consumer_info("CMD", "run")
    assert info.num_ack_pending == 5
    release.set()
    await asyncio.wait_for(all_done.wait(), 20)
    assert most == 5


async def test_an_outage_of_the_broker_ends_nothing_and_loses_nothing(
    nats_server: EmbeddedNats, bus: Bus, take: Subscribe
) -> None:
    taken: asyncio.Queue[Run] = asyncio.Queue()

    async def handle(run: Run, __: Delivery) -> None:
        taken.put_nowait(run)

    await take(handle)
    first = new_run()
    await send(bus, first)
    assert await asyncio.wait_for(taken.get(), 10) == first
    for _ in range(2):
        nats_server.kill()
        nats_server.start()
        again = new_run()
        await reconnected(bus)
        await send(bus, again)
        assert await asyncio.wait_for(taken.get(), 30) == again
