"""Every stream and consumer, declared once and made so by `ensure`, however often and by however many."""

import asyncio
from dataclasses import replace

import nats
from nats.js import JetStreamContext
from nats.js.api import (
    AckPolicy,
    ConsumerConfig,
    DeliverPolicy,
    DiscardPolicy,
    RetentionPolicy,
    StorageType,
    StreamConfig,
)
from nats.js.errors import APIError, BadRequestError, NotFoundError

from handraise.common.bus.subjects import SHARDS

DAY = 86_400.0
ACK_WAIT = 30.0  # seconds without a sign of life after which a delivery counts as lost
MAX_DELIVER = 8
DUPLICATES = 600.0  # seconds in which the same id is stored once


def streams(replicas: int) -> list[StreamConfig]:
    """Return what every stream should be."""
    common = StreamConfig(
        storage=StorageType.FILE,
        num_replicas=replicas,
        duplicate_window=DUPLICATES,
        allow_direct=True,
    )
    return [
        replace(
            common,
            name="CMD",
            subjects=["cmd.run.*.*", "cmd.execute.*.*"],
            retention=RetentionPolicy.WORK_QUEUE,
            discard=DiscardPolicy.NEW,
        ),
        replace(
            common,
            name="PARK",
            subjects=["park.*.*", "wake.*.*"],
            retention=RetentionPolicy.WORK_QUEUE,
            allow_msg_schedules=True,
            allow_msg_ttl=True,
        ),
        replace(
            common,
            name="TIMERS",
            subjects=["timer.*.*", "due.*.*"],
            retention=RetentionPolicy.WORK_QUEUE,
            allow_msg_schedules=True,
            allow_msg_ttl=True,
        ),
        replace(
            common,
            name="EVT",
            subjects=["evt.*.*.*"],
            retention=RetentionPolicy.LIMITS,
            max_age=7 * DAY,
        ),
        replace(
            common,
            name="DLQ",
            subjects=["dlq.>", "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.>"],
            retention=RetentionPolicy.LIMITS,
            max_age=30 * DAY,
        ),
    ]


def parked(shard: int) -> str:
    """Return the name of the durable consumer of one shard."""
    return f"parked-{shard:02d}"


def consumers() -> list[tuple[str, ConsumerConfig]]:
    """Return every durable consumer with its stream."""
    common = ConsumerConfig(
        ack_policy=AckPolicy.EXPLICIT,
        deliver_policy=DeliverPolicy.ALL,
        ack_wait=ACK_WAIT,
        max_deliver=MAX_DELIVER,
        max_ack_pending=1_000,
    )

    def durable(name: str, subject: str) -> ConsumerConfig:
        return replace(common, durable_name=name, filter_subject=subject)

    return [
        ("CMD", durable("run", "cmd.run.*.*")),
        ("CMD", durable("execute", "cmd.execute.*.*")),
        ("TIMERS", durable("reminders", "due.reminder.*")),
        *(("PARK", durable(parked(n), f"wake.{n:02d}.*")) for n in range(SHARDS)),
        # What is to be posted. All else that happens is told to open pages by whoever did it.
        (
            "EVT",
            replace(common, durable_name="notifier", filter_subjects=["evt.*.parked.*", "evt.*.finished.*"]),
        ),
    ]


async def ensure(nats_url: str, replicas: int = 1) -> None:
    """Create or update all streams and consumers. Raises what nats-py raises when the server refuses."""
    connection = await nats.connect(nats_url, connect_timeout=5, allow_reconnect=False)
    try:
        jetstream = connection.jetstream()
        await asyncio.gather(*(_stream(jetstream, wanted) for wanted in streams(replicas)))
        await asyncio.gather(*(_consumer(jetstream, s, wanted) for s, wanted in consumers()))
    finally:
        await connection.close()


async def _stream(jetstream: JetStreamContext, wanted: StreamConfig) -> None:
    try:
        await jetstream.add_stream(wanted)
    except BadRequestError as error:
        if error.err_code != 10058:  # name in use, with another configuration
            raise
        await jetstream.update_stream(wanted)


async def _consumer(jetstream: JetStreamContext, stream: str, wanted: ConsumerConfig) -> None:
    assert wanted.durable_name
    try:
        await jetstream.add_consumer(stream, wanted)  # creates, or updates what may be updated
    except (APIError, NotFoundError):
        # What can't be changed in place is made anew: a work queue keeps its messages without a consumer.
        await jetstream.delete_consumer(stream, wanted.durable_name)
        await jetstream.add_consumer(stream, wanted)
