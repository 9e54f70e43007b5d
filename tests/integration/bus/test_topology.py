"""Streams and consumers are what the topology says, however often and from whatever state they are ensured."""

import asyncio

import pytest
from nats.js.api import ConsumerConfig, RetentionPolicy, StreamConfig
from nats.js.errors import BadRequestError, ServerError

from handraise.common.bus import subjects, topology
from handraise.common.bus.messages import Execute
from handraise.common.bus.publish import Bus
from handraise.common.ids import new_id
from tests.integration.bus.conftest import new_run, send


async def test_ensuring_again_and_by_several_at_once_changes_nothing(bus: Bus, bus_url: str) -> None:
    await send(bus, new_run())
    before = [(await bus.jetstream.stream_info(s.name or "")).config for s in topology.streams(1)]
    await asyncio.gather(*(topology.ensure(bus_url) for _ in range(4)))
    after = [(await bus.jetstream.stream_info(s.name or "")).config for s in topology.streams(1)]
    assert before == after
    assert (await bus.jetstream.stream_info("CMD")).state.messages == 1
    for stream, wanted in topology.consumers():
        info = await bus.jetstream.consumer_info(stream, wanted.durable_name or "")
        assert info.config.filter_subject == wanted.filter_subject
        assert info.config.max_deliver == topology.MAX_DELIVER


async def test_changed_settings_are_brought_up_to_date_and_keep_the_messages(bus_url: str, bus: Bus) -> None:
    await send(bus, new_run())
    js = bus.jetstream
    config = (await js.stream_info("EVT")).config
    await js.update_stream(StreamConfig(**{**config.__dict__, "max_age": 3600.0}))
    consumer = (await js.consumer_info("CMD", "run")).config
    await js.add_consumer(
        "CMD", ConsumerConfig(**{**consumer.__dict__, "ack_wait": 5.0, "max_ack_pending": 7})
    )
    await topology.ensure(bus_url)
    assert (await js.stream_info("EVT")).config.max_age == 7 * topology.DAY
    restored = (await js.consumer_info("CMD", "run")).config
    assert (restored.ack_wait, restored.max_ack_pending) == (topology.ACK_WAIT, 1_000)
    assert (await js.stream_info("CMD")).state.messages == 1


async def test_a_consumer_that_can_not_be_changed_is_made_anew_and_loses_nothing(
    bus_url: str, bus: Bus
) -> None:
    await send(bus, new_run())
    js = bus.jetstream
    await js.delete_consumer("CMD", "run")
    push = ConsumerConfig(durable_name="run", deliver_subject="push.here", filter_subject="cmd.run.*.*")
    await js.add_consumer("CMD", push)
    await topology.ensure(bus_url)
    info = await js.consumer_info("CMD", "run")
    assert info.config.deliver_subject is None
    assert info.num_pending == 1


async def test_the_same_id_is_stored_once(bus: Bus) -> None:
    run = new_run()
    for _ in range(5):
        await send(bus, run)
    assert (await bus.jetstream.stream_info("CMD")).state.messages == 1


async def test_a_work_queue_refuses_a_second_consumer_of_the_same_subjects(bus: Bus) -> None:
    rival = ConsumerConfig(durable_name="rival", filter_subject="cmd.run.*.*")
    with pytest.raises((BadRequestError, ServerError)):
        await bus.jetstream.add_consumer("CMD", rival)


async def test_every_subject_that_is_published_belongs_to_its_stream(bus: Bus) -> None:
    workspace, id = new_id(), new_id()
    assert (await bus.jetstream.stream_info("PARK")).config.retention == RetentionPolicy.WORK_QUEUE
    message = Execute(workspace_id=workspace, action_id=id, job_id=id, request_id=id, digest="")
    for stream, subject in (
        ("CMD", subjects.cmd_run(workspace, id)),
        ("CMD", subjects.cmd_execute(workspace, id)),
        ("PARK", subjects.wake(id)),
        ("EVT", subjects.evt(workspace, "parked", id)),
        ("DLQ", subjects.dlq(subjects.wake(id))),
    ):
        assert (await bus.publish(subject, message, id=subject)).stream == stream


async def test_shards_spread_and_every_one_has_its_consumer() -> None:
    found = {subjects.shard(new_id()) for _ in range(1_000)}
    assert len(found) == subjects.SHARDS
    filters = {config.filter_subject for stream, config in topology.consumers() if stream == "PARK"}
    assert filters == {f"wake.{shard}.*" for shard in found}
