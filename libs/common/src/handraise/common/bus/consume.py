"""The way in: read, do one transaction, publish what follows with deterministic ids, and only then ack.

While the database or the bus is away, the handler is tried again in place: an outage costs no delivery. A handler
that raises else gives the message back with a growing delay; `Retry` says so without a stack trace. After the last
delivery, or at once when nobody can read the message, it goes to the dead letters with its reason. Never is a
message dropped: what can't be put with the dead letters stays where it is.
"""

import asyncio
import base64
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

import msgspec
import structlog
from faststream import AckPolicy
from faststream.nats import JStream, NatsBroker, NatsMessage, PullSub
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js.api import ConsumerConfig
from opentelemetry.trace import SpanKind
from prometheus_client import Counter, Histogram

from handraise.common import telemetry
from handraise.common.bus import standing
from handraise.common.bus.messages import DeadLetter
from handraise.common.bus.publish import Bus
from handraise.common.bus.subjects import dlq
from handraise.common.bus.topology import ACK_WAIT, MAX_DELIVER
from handraise.common.outages import is_outage

M = TypeVar("M")
_log = structlog.get_logger()
_MESSAGING = {"messaging.system": "nats"}
_LONGEST_WAIT = 5.0  # seconds between two tries during an outage
_BACKOFF = (0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0)  # seconds before the next delivery

handled = Counter("handraise_deliveries_total", "Messages taken from the bus", ["consumer", "end"])
seconds = Histogram("handraise_handler_seconds", "Time in a handler", ["consumer"])


class Retry(Exception):
    """This message can't be handled yet. Not a fault of ours: no stack trace is logged."""

    def __init__(self, reason: str, delay: float | None = None) -> None:
        super().__init__(reason)
        self.delay = delay  # seconds


class Unreadable(Exception):
    """This message can never be handled: it goes to the dead letters at once."""


class Delivery(msgspec.Struct, frozen=True):
    """What a handler may want to know beside the message."""

    seq: int  # in its stream
    deliveries: int  # 1 the first time
    subject: str

    @property
    def again(self) -> bool:
        """Whether it was delivered before: perhaps it was half handled."""
        return self.deliveries > 1


Handler = Callable[[M, Delivery], Awaitable[None]]


async def _as_it_is(message: NatsMessage) -> Any:
    return message


def make_broker(url: str, name: str) -> NatsBroker:
    """Return a FastStream broker that leaves decoding, acknowledging and tracing to `subscribe`."""
    standing.install()
    return NatsBroker(
        url,
        name=name,
        apply_types=False,
        decoder=_as_it_is,
        graceful_timeout=20,
        max_reconnect_attempts=-1,
        reconnect_time_wait=1,
        logger=None,
        pending_size=8 * 1024 * 1024,
    )


async def stop(broker: NatsBroker) -> None:
    """Finish what is in work and close. A bus that is away by then keeps no service from ending in good order."""
    connection = broker._connection
    with suppress(NatsError, OSError):
        await broker.stop()
    if connection is not None and not connection.is_closed:
        with suppress(NatsError, OSError):
            await connection.close()


def subscribe(
    broker: NatsBroker,
    bus: Bus,
    *,
    stream: str,
    consumer: str,
    subject: str,
    kind: Any,
    handler: Handler[Any],
    workers: int = 8,
) -> None:
    """Hand what arrives at a durable consumer to `handler`, decoded as `kind`, up to `workers` at once."""
    decoder = msgspec.json.Decoder(kind)
    timer, acked = seconds.labels(consumer), handled.labels(consumer, "acked")

    async def take(raw: Msg) -> None:
        with (
            telemetry.span(f"process {consumer}", SpanKind.CONSUMER, raw.headers, **_MESSAGING),
            timer.time(),
        ):
            if await _take(raw, bus, consumer, decoder, handler):
                acked.inc()

    async def as_faststream_has_it(message: NatsMessage) -> None:
        await take(message.raw_message)

    subscriber = broker.subscriber(
        subject,
        durable=consumer,
        stream=JStream(stream, declare=False),
        pull_sub=PullSub(batch_size=workers),
        max_workers=workers,
        ack_policy=AckPolicy.MANUAL,
        config=ConsumerConfig(durable_name=consumer, ack_wait=ACK_WAIT, max_deliver=MAX_DELIVER),
        include_in_schema=False,
    )
    subscriber(as_faststream_has_it)
    if isinstance(subscriber, standing.StandingPull):
        subscriber.take = take


async def _take(
    raw: Msg, bus: Bus, consumer: str, decoder: msgspec.json.Decoder[Any], handler: Handler[Any]
) -> bool:
    """Handle one message and do with it what came of that. Return whether it was acknowledged."""
    delivery = Delivery(raw.metadata.sequence.stream, raw.metadata.num_delivered, raw.subject)
    beat = _Heartbeat(raw)
    try:
        try:
            message = decoder.decode(raw.data)
        except msgspec.MsgspecError as error:
            raise Unreadable(str(error)) from None
        await _outlasting(handler, message, delivery, consumer)
        await raw.ack()
        return True
    except Unreadable as error:
        await _bury(raw, bus, consumer, delivery, f"unreadable: {error}")
    except Exception as error:
        await _give_back(raw, bus, consumer, delivery, error)
    finally:
        beat.stop()
    return False


async def _outlasting(handler: Handler[Any], message: Any, delivery: Delivery, consumer: str) -> None:
    """Run the handler, and again while the database or the bus is away: an outage costs no delivery."""
    pause = 0.25
    while True:
        try:
            return await handler(message, delivery)
        except Exception as error:
            if isinstance(error, Retry | Unreadable) or not is_outage(error):
                raise
            _log.warning(
                "waiting", consumer=consumer, reason=str(error) or type(error).__name__, seconds=pause
            )
            handled.labels(consumer, "waited").inc()
        await asyncio.sleep(pause)
        pause = min(pause * 2, _LONGEST_WAIT)


class _Heartbeat:
    """Says while a handler runs that a long model call is not a lost delivery. A timer: most never fire."""

    def __init__(self, raw: Msg) -> None:
        self._raw = raw
        self._loop = asyncio.get_running_loop()
        self._timer = self._loop.call_later(ACK_WAIT / 3, self._fire)
        self._saying: asyncio.Task[None] | None = None

    def stop(self) -> None:
        self._timer.cancel()

    def _fire(self) -> None:
        self._saying = self._loop.create_task(self._say())
        self._timer = self._loop.call_later(ACK_WAIT / 3, self._fire)

    async def _say(self) -> None:
        with suppress(Exception):  # a broker out of reach is met again at the ack
            await self._raw.in_progress()


async def _give_back(raw: Msg, bus: Bus, consumer: str, delivery: Delivery, error: Exception) -> None:
    reason = f"{type(error).__name__}: {error}"
    if delivery.deliveries >= MAX_DELIVER:
        await _bury(raw, bus, consumer, delivery, reason)
        return
    delay = _BACKOFF[min(delivery.deliveries, len(_BACKOFF)) - 1]
    if isinstance(error, Retry):
        delay = delay if error.delay is None else error.delay
        _log.info("given back", consumer=consumer, subject=raw.subject, reason=str(error), delay=delay)
    else:
        _log.error("handler failed", consumer=consumer, subject=raw.subject, delay=delay, exc_info=error)
    handled.labels(consumer, "given back").inc()
    with suppress(Exception):  # where even that can't be said, the delivery times out and comes back
        await raw.nak(delay=delay)


async def _bury(raw: Msg, bus: Bus, consumer: str, delivery: Delivery, reason: str) -> None:
    try:
        text, encoding = raw.data.decode(), "text"
    except UnicodeDecodeError:
        text, encoding = base64.b64encode(raw.data).decode(), "base64"
    letter = DeadLetter(
        subject=raw.subject,
        reason=reason,
        deliveries=delivery.deliveries,
        consumer=consumer,
        headers=dict(raw.headers or {}),
        body=text,
        encoding=encoding,
    )
    _log.error("dead letter", consumer=consumer, subject=raw.subject, reason=reason)
    try:
        await bus.publish(dlq(raw.subject), letter, id=f"dlq.{consumer}.{delivery.seq}")
        await raw.term()
        handled.labels(consumer, "dead letter").inc()
    except Exception as error:
        _log.error("dead letter not stored", subject=raw.subject, exc_info=error)
        with suppress(Exception):
            await raw.nak(delay=_BACKOFF[-1])
