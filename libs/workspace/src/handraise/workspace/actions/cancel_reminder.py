"""Take back a reminder of one's own before it fires."""

from uuid import UUID

from msgspec import Struct
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.order import Cannot, Effect, Order, Receipt, Write
from handraise.workspace.actions.wording import one_line, said
from handraise.workspace.policy import Act, SubjectKind
from handraise.workspace.schema import reminders
from handraise.workspace.words import ReminderStatus


class CancelReminder(Struct, frozen=True, forbid_unknown_fields=True):
    reminder_id: UUID


async def run(connection: AsyncConnection, order: Order, arguments: CancelReminder) -> Receipt:
    this = (reminders.c.id == arguments.reminder_id, reminders.c.workspace_id == order.workspace_id)
    row = (await connection.execute(select(reminders).where(*this).with_for_update())).first()
    if row is None:
        raise Cannot("The reminder is gone; nothing was changed.")
    match ReminderStatus(row.status):
        case ReminderStatus.FIRED:
            raise Cannot(f"The reminder “{one_line(row.text)}” has fired already; nothing was changed.")
        case ReminderStatus.CANCELLED:
            raise Cannot(f"The reminder “{one_line(row.text)}” was cancelled already; nothing was changed.")
    await connection.execute(update(reminders).where(*this).values(status=ReminderStatus.CANCELLED))
    return Receipt(
        "Cancelled a reminder",
        "/reminders",
        {"Reminder": one_line(row.text), "At": f"{said(row.due_at, row.zone)} ({row.zone})"},
        {"reminder": str(row.id)},
    )


def check(_: CancelReminder) -> None:
    """Whether it can be cancelled is for the database to say."""


WRITE = Write(
    name="cancel_reminder",
    arguments=CancelReminder,
    act=Act.REMINDER_CANCEL,
    subjects=(("reminder_id", SubjectKind.REMINDER),),
    run=run,
    check=check,
    by_hand=True,
    leads_to=Effect.STOPS_TIMER,
)
