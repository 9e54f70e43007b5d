"""Parked work: one scheduled message a request, woken by one atomic publish.

The broker is the judge of races. While a request is parked its message lies on `park.<shard>.<request>` with
a schedule; at its expiry the broker itself moves it to `wake.<shard>.<request>`. An answer is a publish to
that subject which ends the schedule and succeeds only while the parked message is still the last of its
subject: so the first answer wins, a second fails, and expiry can't race either.
"""

from datetime import datetime
from uuid import UUID

import msgspec
from nats.js.errors import APIError, BadRequestError, NotFoundError

from handraise.common.bus import subjects
from handraise.common.bus.messages import Wake
from handraise.common.bus.publish import Bus
from handraise.common.clock import rfc3339

_WRONG_LAST_SEQUENCE = (10071, 10164)
_wake = msgspec.json.Decoder(Wake)


class AlreadyAnswered(Exception):
    """Somebody, or time, was first. `winner` is what they said, where the broker still holds it."""

    def __init__(self, winner: Wake | None) -> None:
        super().__init__("this request already has its outcome")
        self.winner = winner


class NotParked(Exception):
    """The broker holds neither the request nor its outcome: parked a moment from now, or long since answered."""


async def park(bus: Bus, expired: Wake, expires_at: datetime, turn: int = 0) -> int:
    """Park a request until `expires_at`; return the sequence of its message.

    `expired` is what arrives when nobody answers. The same request and `turn` is parked once, however
    often it is asked for; a later `turn` replaces the schedule.
    """
    ack = await bus.publish(
        subjects.park(expired.request_id),
        expired,
        id=f"park.{expired.request_id}.{turn}",
        headers={
            "Nats-Schedule": f"@at {rfc3339(expires_at)}",
            "Nats-Schedule-Target": subjects.wake(expired.request_id),
        },
    )
    return ack.seq


async def answer(bus: Bus, wake: Wake, *, seq: int | None = None) -> None:
    """Wake a parked request with its outcome, if it is the first.

    `seq` is where it was parked, as far as the caller heard; without it, or when it is parked elsewhere by
    now, the broker is asked. Raises AlreadyAnswered for whoever is late, NotParked where the broker knows
    nothing of it.
    """
    if seq and await _woken(bus, wake, seq):
        return
    found = await _parked_at(bus, subjects.park(wake.request_id))
    if found is None or not await _woken(bus, wake, found):
        raise await _late(bus, wake.request_id)


async def _woken(bus: Bus, wake: Wake, seq: int) -> bool:
    """Publish the outcome if the request is still parked at `seq`. Return whether it was."""
    subject = subjects.park(wake.request_id)
    try:
        await bus.publish(
            subjects.wake(wake.request_id),
            wake,
            # No deduplication by id here: a second answer must be told apart from a repeated one.
            id=f"wake.{wake.request_id}.{seq}.{wake.by}.{wake.at}",
            headers={
                "Nats-Scheduler": subject,
                "Nats-Schedule-Next": "purge",
                "Nats-Expected-Last-Subject-Sequence": str(seq),
                "Nats-Expected-Last-Subject-Sequence-Subject": subject,
            },
        )
    except (BadRequestError, APIError) as error:
        if error.err_code not in _WRONG_LAST_SEQUENCE:
            raise
        return False
    return True


async def unpark(bus: Bus, request_id: UUID) -> None:
    """Forget a request that needs no outcome any more: its job was stopped."""
    await bus.jetstream.purge_stream("PARK", subject=subjects.park(request_id))


async def is_parked(bus: Bus, request_id: UUID) -> bool:
    """Say whether the request waits at the broker."""
    return await _parked_at(bus, subjects.park(request_id)) is not None


async def _parked_at(bus: Bus, subject: str) -> int | None:
    try:
        found = await bus.jetstream.get_msg("PARK", subject=subject, direct=True)
    except NotFoundError:
        return None
    return found.seq


async def _late(bus: Bus, request_id: UUID) -> Exception:
    try:
        found = await bus.jetstream.get_msg("PARK", subject=subjects.wake(request_id), direct=True)
    except NotFoundError:
        return NotParked(str(request_id))
    try:
        return AlreadyAnswered(_wake.decode(found.data or b""))
    except msgspec.MsgspecError:
        return AlreadyAnswered(None)
