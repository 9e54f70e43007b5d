"""What happens when a reminder is due: it is told in a direct message, once.

Time does this, not a person, so it is no write of `actions`: nobody's rights are asked, the reminder was set by
whom it reminds. The guarded update, the message and the audit row are one transaction.
"""

from datetime import datetime
from enum import Enum, auto
from typing import Any
from uuid import UUID

from msgspec import Struct
from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.common.ids import derive
from handraise.workspace import audit
from handraise.workspace.actions.conversations import direct
from handraise.workspace.database import Database
from handraise.workspace.schema import agents, messages, reminders
from handraise.workspace.words import MessageKind, ReminderStatus, Surface, Verdict

NOBODY = "Handraise"  # who speaks where a workspace has no agent


class Not(Enum):
    """Why nothing was told."""

    THERE = auto()  # not committed yet, or never
    SET = auto()  # fired already, or cancelled


class Fired(Struct, frozen=True):
    """A reminder that was told now."""

    member_id: UUID
    conversation_id: UUID
    message_id: UUID


async def fire(db: Database, workspace_id: UUID, reminder_id: UUID, now: datetime) -> Fired | Not:
    """Tell a reminder if it is still set. However often and by however many it is called, it is told once."""
    this = (reminders.c.id == reminder_id, reminders.c.workspace_id == workspace_id)
    async with db.write(workspace_id) as connection:
        fired = (
            update(reminders)
            .where(*this, reminders.c.status == ReminderStatus.SET)
            .values(status=ReminderStatus.FIRED, fired_at=now)
            .returning(reminders.c.member_id, reminders.c.text, reminders.c.agent_id)
        )
        row = (await connection.execute(fired)).first()
        if row is None:
            known = (await connection.execute(select(reminders.c.id).where(*this))).first()
            return Not.SET if known else Not.THERE
        return await _tell(connection, workspace_id, reminder_id, row, now)


async def _tell(
    connection: AsyncConnection, workspace_id: UUID, reminder_id: UUID, row: Any, now: datetime
) -> Fired:
    agent_id = await _speaker(connection, workspace_id, row.agent_id)
    conversation_id = await direct(
        connection,
        workspace_id,
        row.member_id,
        agent_id or derive(workspace_id, "handraise"),
        agent_id=agent_id,
        name="" if agent_id else NOBODY,
    )
    message_id = derive(reminder_id, "message")
    await connection.execute(
        insert(messages).values(
            id=message_id,
            workspace_id=workspace_id,
            surface=Surface.DM,
            place_id=conversation_id,
            agent_id=agent_id,
            kind=MessageKind.TEXT,
            body=f"Reminder: {row.text}",
            created_at=now,
        )
    )
    entry = audit.Entry(
        workspace_id=workspace_id,
        tag=audit.Tag.REMINDER_FIRE,
        subject_kind="reminder",
        subject_id=reminder_id,
        verdict=Verdict.ALLOWED,
        as_id=row.member_id,
        agent_id=agent_id,
    )
    await connection.execute(audit.insertion(entry))
    return Fired(row.member_id, conversation_id, message_id)


async def _speaker(connection: AsyncConnection, workspace_id: UUID, agent_id: UUID | None) -> UUID | None:
    """Return the agent that set it, or else the workspace's first; None where there is none at work."""
    statement = (
        select(agents.c.id)
        .where(agents.c.workspace_id == workspace_id, agents.c.active)
        .order_by((agents.c.id != agent_id) if agent_id else agents.c.created_at, agents.c.created_at)
        .limit(1)
    )
    found: UUID | None = (await connection.execute(statement)).scalar_one_or_none()
    return found
