"""What writes lead to, where a test is about the rows alone: kept, and told to nobody."""

from datetime import datetime
from uuid import UUID

from handraise.common.bus.messages import Live


class Kept:
    """An aftermath that remembers what it was told. The one over the bus is tested with a real one."""

    def __init__(self) -> None:
        self.timers: list[tuple[UUID, datetime]] = []
        self.stopped: list[UUID] = []
        self.rights: list[tuple[UUID | None, UUID | None]] = []
        self.lives: list[Live] = []

    async def timer(self, workspace_id: UUID, reminder_id: UUID, at: datetime) -> None:
        self.timers.append((reminder_id, at))

    async def no_timer(self, reminder_id: UUID) -> None:
        self.stopped.append(reminder_id)

    async def rights_changed(
        self, workspace_id: UUID, member_id: UUID | None, subject_id: UUID | None, cause: UUID
    ) -> None:
        self.rights.append((member_id, subject_id))

    async def changed(self, live: Live) -> None:
        self.lives.append(live)


NOBODY = Kept()
