"""A member's own reminders: those to come, and those told lately."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.schema import agents, members, reminders
from handraise.workspace.views.shapes import answered, gathered
from handraise.workspace.words import MemberStatus, ReminderStatus

LISTED = 200
LATELY = 10


class ReminderLine(msgspec.Struct, frozen=True, kw_only=True):
    """A reminder of the member's own."""

    id: UUID
    text: str
    due_at: datetime
    zone: str
    status: ReminderStatus
    fired_at: datetime | None
    agent: str | None  # whose proposal it was; by hand unset


class Reminders(msgspec.Struct, frozen=True):
    """Those to come, the next first, and those that are over, the latest first."""

    to_come: tuple[ReminderLine, ...]
    over: tuple[ReminderLine, ...]


async def reminders_of(connection: AsyncConnection, member_id: UUID) -> Reminders:
    """Return the member's own reminders."""
    to_come = (
        _lines(member_id)
        .where(reminders.c.status == ReminderStatus.SET)
        .order_by(reminders.c.due_at, reminders.c.id)
        .limit(LISTED)
    )
    over = (
        _lines(member_id)
        .where(reminders.c.status != ReminderStatus.SET)
        .order_by(reminders.c.due_at.desc(), reminders.c.id)
        .limit(LATELY)
    )
    statement = select(gathered(to_come).label("to_come"), gathered(over).label("over"))
    return await answered(connection, statement, Reminders) or Reminders((), ())


def _lines(member_id: UUID) -> Select[Any]:
    return (
        select(
            reminders.c.id,
            reminders.c.text,
            reminders.c.due_at,
            reminders.c.zone,
            reminders.c.status,
            reminders.c.fired_at,
            agents.c.handle.label("agent"),
        )
        .select_from(
            reminders.join(members, members.c.id == reminders.c.member_id).outerjoin(
                agents, agents.c.id == reminders.c.agent_id
            )
        )
        .where(reminders.c.member_id == member_id, members.c.status == MemberStatus.ACTIVE)
    )
