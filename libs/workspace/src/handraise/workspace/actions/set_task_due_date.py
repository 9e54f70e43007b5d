"""Set, move or take away a task's due date, with the zone of whoever set it."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.order import Cannot, Order, Receipt, Write
from handraise.workspace.actions.task_rows import change, take, zone_of
from handraise.workspace.actions.wording import DueAt, check_moment, said
from handraise.workspace.policy import Act, SubjectKind


class SetTaskDueDate(Struct, frozen=True, forbid_unknown_fields=True):
    task_id: Annotated[UUID, Meta(description="The task's id, as a read tool returned it.")]
    due_at: DueAt


async def run(connection: AsyncConnection, order: Order, arguments: SetTaskDueDate) -> Receipt:
    task = await take(connection, order, arguments.task_id)
    if task.due_at == arguments.due_at:
        raise Cannot(f"“{task.title}” had this due date already; nothing was changed.")
    zone = await zone_of(connection, order)
    kept = zone if arguments.due_at else None
    await change(connection, order, task.id, due_at=arguments.due_at, due_zone=kept)
    verb = "Set the due date of" if arguments.due_at else "Took the due date from"
    return Receipt(
        f"{verb} “{task.title}”",
        task.link(),
        {
            "Task": task.named(),
            "In": task.project,
            "Due": f"{said(task.due_at, zone)} → {said(arguments.due_at, zone)} ({zone})",
        },
        task.ids(),
    )


def check(arguments: SetTaskDueDate) -> None:
    check_moment(arguments.due_at)


WRITE = Write(
    name="set_task_due_date",
    arguments=SetTaskDueDate,
    act=Act.TASK_DUE,
    subjects=(("task_id", SubjectKind.TASK),),
    run=run,
    check=check,
)
