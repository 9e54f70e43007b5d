"""Stops work that is under way: whoever runs a job listens for its name on the bus."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from nats.aio.msg import Msg

from handraise.common.bus.publish import Bus
from handraise.common.ids import parse_id


class Stop(asyncio.Event):
    """Set when somebody wants a job stopped; ends what is under way for it."""

    @contextmanager
    def ends(self, work: "asyncio.Future[Any]") -> Iterator[None]:
        """Cancel `work` when it is set, also when it was set before."""
        self._work: asyncio.Future[Any] | None = work
        if self.is_set():
            work.cancel()
        try:
            yield
        finally:
            self._work = None

    def set(self) -> None:
        """Set it."""
        super().set()
        if (work := getattr(self, "_work", None)) is not None:
            work.cancel()


class Control:
    """One subscription for all jobs of this process."""

    def __init__(self) -> None:
        self._running: dict[UUID, Stop] = {}

    async def listen(self, bus: Bus) -> None:
        """Listen on `ctl.job.*`."""
        await bus.connection.subscribe("ctl.job.*", cb=self._told)

    async def _told(self, message: Msg) -> None:
        job_id = parse_id(message.subject.rpartition(".")[2])
        if job_id and (stop := self._running.get(job_id)):
            stop.set()

    @contextmanager
    def running(self, job_id: UUID) -> Iterator[Stop]:
        """Give the event that is set when somebody wants the job stopped."""
        stop = self._running[job_id] = Stop()
        try:
            yield stop
        finally:
            if self._running.get(job_id) is stop:
                del self._running[job_id]
