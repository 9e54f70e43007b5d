"""Tells people what they wanted to be reminded of, when the broker says that it is due."""

from prometheus_client import Counter

from handraise.common.bus.consume import Delivery, Retry
from handraise.common.bus.messages import Live, Place
from handraise.common.bus.publish import Bus
from handraise.common.clock import Clock
from handraise.common.timers import Due
from handraise.workspace.database import Database
from handraise.workspace.reminders import Fired, Not, fire
from handraise.workspace.words import Surface

_TRIES = 5
"""Deliveries, over half a minute, after which a reminder that is not there is one that never came to be."""

reminded = Counter("handraise_reminders_total", "Reminders that were due", ["end"])  # fired, void


class Reminders:
    """What is due, told once."""

    def __init__(self, *, bus: Bus, db: Database, clock: Clock) -> None:
        self._bus = bus
        self._db = db
        self._clock = clock

    async def due(self, due: Due, delivery: Delivery) -> None:
        """Post a reminder into its person's direct messages, and tell their open pages.

        Raises Retry for one that is not there: its timer is set a moment before it is committed.
        """
        end = await fire(self._db, due.workspace_id, due.reminder_id, self._clock())
        match end:
            case Fired():
                place = Place(Surface.DM.value, end.conversation_id)
                await self._bus.tell(
                    Live(
                        workspace_id=due.workspace_id,
                        kind="posted",
                        topics=("home", f"place-{end.conversation_id}"),
                        place=place,
                        members=(end.member_id,),
                        message_id=end.message_id,
                    )
                )
                reminded.labels("fired").inc()
            case Not.THERE if delivery.deliveries < _TRIES:
                raise Retry(f"reminder {due.reminder_id} is not committed yet")
            case _:
                reminded.labels("void").inc()
