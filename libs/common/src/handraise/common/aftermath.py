"""What a write leads to beside its rows: timers that are set with it, rights and pages that are others after it."""

import contextlib
from datetime import datetime
from typing import Protocol
from uuid import UUID

from nats.errors import Error as NatsError

from handraise.common.bus import subjects
from handraise.common.bus.messages import Live, MembershipChanged
from handraise.common.bus.publish import Bus
from handraise.common.timers import Due, set_timer, stop_timer


class Aftermath(Protocol):
    """Whoever tells the rest of the house. Each call may come again and then changes nothing."""

    async def timer(self, workspace_id: UUID, reminder_id: UUID, at: datetime) -> None:
        """Have the reminder fire at `at`. Called before it is committed; raises when the timer is not set."""
        ...

    async def no_timer(self, reminder_id: UUID) -> None:
        """The reminder was cancelled. Called after that is committed."""
        ...

    async def rights_changed(
        self, workspace_id: UUID, member_id: UUID | None, subject_id: UUID | None, cause: UUID
    ) -> None:
        """Somebody's rights are others than before. Called after that is committed, again after a crash."""
        ...

    async def changed(self, live: Live) -> None:
        """Open pages show something else. Called after that is committed; never raises, nothing keeps it."""
        ...


class BusAftermath:
    """Tells it over the bus."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus

    async def timer(self, workspace_id: UUID, reminder_id: UUID, at: datetime) -> None:
        """Set the timer. Raises nats errors when the stream did not take it."""
        await set_timer(self._bus, Due(workspace_id=workspace_id, reminder_id=reminder_id), at)

    async def no_timer(self, reminder_id: UUID) -> None:
        """Stop the timer. Raises nats errors."""
        await stop_timer(self._bus, reminder_id)

    async def rights_changed(
        self, workspace_id: UUID, member_id: UUID | None, subject_id: UUID | None, cause: UUID
    ) -> None:
        """Publish that a membership changed, once for each `cause`. Raises nats errors."""
        event = MembershipChanged(workspace_id=workspace_id, member_id=member_id, subject_id=subject_id)
        subject = subjects.evt(workspace_id, "membership", member_id or workspace_id)
        await self._bus.publish(subject, event, id=f"membership.{cause}")

    async def changed(self, live: Live) -> None:
        """Tell open pages, where they can be told."""
        with contextlib.suppress(NatsError, ConnectionError):
            await self._bus.tell(live)
