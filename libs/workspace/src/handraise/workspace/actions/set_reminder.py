"""Set a reminder for oneself."""

from typing import Annotated

from msgspec import Meta, Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.common.clock import utc_now
from handraise.workspace.actions.moments import LocalTime, check_to_come, moment_of
from handraise.workspace.actions.order import Effect, Order, Receipt, Write
from handraise.workspace.actions.rows import create
from handraise.workspace.actions.task_rows import zone_of
from handraise.workspace.actions.wording import check_text, one_line, said
from handraise.workspace.policy import Act
from handraise.workspace.schema import reminders

LENGTH = 1_000


class SetReminder(Struct, frozen=True, forbid_unknown_fields=True):
    text: Annotated[str, Meta(description="What to be reminded of, as the person will read it.")]
    at: LocalTime


async def run(connection: AsyncConnection, order: Order, arguments: SetReminder) -> Receipt:
    zone = await zone_of(connection, order)
    at = moment_of(arguments.at, zone)
    spoken = said(at, zone)
    check_to_come(at, spoken, utc_now())
    reminder_id = order.derived("reminder")
    await create(
        connection,
        reminders,
        id=reminder_id,
        workspace_id=order.workspace_id,
        member_id=order.member_id,
        text=arguments.text.strip(),
        due_at=at,
        zone=zone,
        job_id=order.job_id,
        agent_id=order.agent_id,
    )
    return Receipt(
        f"Set a reminder for {spoken}",
        "/reminders",
        {"Reminder": one_line(arguments.text), "At": f"{spoken} ({zone})"},
        {"reminder": str(reminder_id)},
    )


def check(arguments: SetReminder) -> None:
    check_text(arguments.text, "reminder", longest=LENGTH)
    moment_of(arguments.at, "UTC")


WRITE = Write(
    name="set_reminder",
    arguments=SetReminder,
    act=Act.REMINDER_SET,
    run=run,
    check=check,
    leads_to=Effect.SETS_TIMER,
)
