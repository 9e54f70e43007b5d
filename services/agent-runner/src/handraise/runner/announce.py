"""Tells the bus what a job did, after its database said so: parks, events, commands, each with one id for ever.

Called again after a crash, with what the database holds, it publishes the same again, and the bus keeps one.
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import structs

from handraise.common import parking
from handraise.common.bus import subjects
from handraise.common.bus.live import live_of
from handraise.common.bus.messages import (
    ActionExecuted,
    Card,
    Execute,
    Happened,
    JobFinished,
    JobParked,
    JobResumed,
    Wake,
)
from handraise.common.bus.publish import Bus
from handraise.common.questions import Outcome
from handraise.workspace.jobs import JobState


class Announcer:
    """Publishes for one message's handler: `later` begins, `settle` waits until all of it is stored."""

    def __init__(self, bus: Bus) -> None:
        self._bus = bus
        self._begun: list[asyncio.Future[object]] = []

    async def settle(self) -> None:
        """Wait until the streams have all that was begun. Raises the first failure, after all have ended."""
        begun, self._begun = self._begun, []
        ends = await asyncio.gather(*begun, return_exceptions=True)
        for end in ends:
            if isinstance(end, BaseException):
                raise end

    def parked(
        self,
        job: JobState,
        number: int,
        cards: Sequence[Card],
        expires_at: datetime,
        *,
        said: str,
        notices: Sequence[str],
        at: datetime,
    ) -> None:
        """Park the requests at the broker and say so."""
        self._begin(self._park(job, number, cards, expires_at, said=said, notices=notices, at=at))

    async def _park(
        self,
        job: JobState,
        number: int,
        cards: Sequence[Card],
        expires_at: datetime,
        *,
        said: str,
        notices: Sequence[str],
        at: datetime,
    ) -> None:
        # First the requests, then the word of them: nobody hears of one that can't be answered yet.
        expired = [
            Wake(
                workspace_id=job.workspace_id,
                request_id=card.request_id,
                job_id=job.id,
                outcome=Outcome.EXPIRED,
            )
            for card in cards
        ]
        seqs = await asyncio.gather(*(parking.park(self._bus, wake, expires_at) for wake in expired))
        known = tuple(structs.replace(card, seq=seq) for card, seq in zip(cards, seqs, strict=True))
        event = JobParked(**_about(job, at), round=number, cards=known, said=said, notices=tuple(notices))
        subject = subjects.evt(job.workspace_id, "parked", job.id)
        await self._publish(subject, event, f"parked.{job.id}.{number}", tell=False)

    def resumed(self, job: JobState, wake: Wake, request_kind: str, asked: UUID, at: datetime) -> None:
        """Tell open pages that a request has its outcome. It stands in the database; nobody acts upon it later."""
        event = JobResumed(
            **_about(job, at),
            request_id=wake.request_id,
            request_kind=request_kind,
            asked=asked,
            outcome=wake.outcome,
            by=wake.by,
            text=wake.option or wake.text,
            via=wake.via,
        )
        if (live := live_of(event, 0)) is not None:
            self._begin(self._bus.tell(live))

    def execute(self, job: JobState, action_id: UUID, request_id: UUID, digest: str) -> None:
        """Command that a confirmed action be executed."""
        command = Execute(
            workspace_id=job.workspace_id,
            action_id=action_id,
            job_id=job.id,
            request_id=request_id,
            digest=digest,
        )
        subject = subjects.cmd_execute(job.workspace_id, action_id)
        self._begin(self._bus.publish(subject, command, id=f"execute.{action_id}"))

    def executed(
        self,
        job: JobState,
        action_id: UUID,
        request_id: UUID,
        *,
        status: str,
        sentence: str,
        touched: Sequence[str],
        at: datetime,
    ) -> None:
        """Say what came of a confirmed action."""
        event = ActionExecuted(
            **_about(job, at),
            action_id=action_id,
            request_id=request_id,
            status=status,
            sentence=sentence,
            touched=tuple(touched),
        )
        self._event("executed", action_id, event, f"executed.{action_id}", tell=True)

    def finished(
        self,
        job: JobState,
        *,
        status: str,
        text: str,
        by: UUID | None,
        notices: Sequence[str],
        closed: Sequence[UUID],
        at: datetime,
    ) -> None:
        """Say that a job ended; requests that closed with it need no clock any more."""
        for request_id in closed:
            self._begin(parking.unpark(self._bus, request_id))
        event = JobFinished(
            **_about(job, at), status=status, text=text, by=by, notices=tuple(notices), closed=tuple(closed)
        )
        self._event("finished", job.id, event, f"finished.{job.id}")

    def _event(self, kind: str, about: UUID, event: Happened, id: str, *, tell: bool = False) -> None:
        self._begin(self._publish(subjects.evt(event.workspace_id, kind, about), event, id, tell))

    async def _publish(self, subject: str, event: Happened, id: str, tell: bool) -> None:
        ack = await self._bus.publish(subject, event, id=id)
        # What is posted is told to open pages by the notifier, once it stands there.
        if tell and (live := live_of(event, ack.seq)) is not None:
            await self._bus.tell(live)

    def _begin(self, work: "asyncio.Future[object] | object") -> None:
        self._begun.append(asyncio.ensure_future(work))  # type: ignore[arg-type]


def _about(job: JobState, at: datetime) -> dict[str, Any]:
    return {
        "workspace_id": job.workspace_id,
        "job_id": job.id,
        "agent_id": job.agent_id,
        "member_id": job.member_id,
        "place": job.place,
        "at": at,
    }
