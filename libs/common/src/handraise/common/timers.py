"""Timers of people: one scheduled message each, which the broker itself delivers when it is due.

Set before what it wakes for is committed, under an id that always comes out the same: so no committed reminder
is without its timer, and whoever is woken for one that never came to be has nothing to do.
"""

from datetime import datetime
from uuid import UUID

from handraise.common.bus import subjects
from handraise.common.bus.messages import Message
from handraise.common.bus.publish import Bus
from handraise.common.clock import rfc3339


class Due(Message, frozen=True, kw_only=True):
    """The time of a reminder has come."""

    reminder_id: UUID


async def set_timer(bus: Bus, due: Due, at: datetime) -> None:
    """Have `due` delivered at `at`, at once where that is past. The same reminder has one timer."""
    await bus.publish(
        subjects.timer(due.reminder_id),
        due,
        id=f"timer.{due.reminder_id}",
        headers={
            "Nats-Schedule": f"@at {rfc3339(at)}",
            "Nats-Schedule-Target": subjects.due(due.reminder_id),
        },
    )


async def stop_timer(bus: Bus, reminder_id: UUID) -> None:
    """Forget a timer that need not go off any more."""
    await bus.jetstream.purge_stream("TIMERS", subject=subjects.timer(reminder_id))
