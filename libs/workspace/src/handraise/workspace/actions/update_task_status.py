"""Change a task's status."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.order import Cannot, Order, Receipt, Write
from handraise.workspace.actions.task_rows import change, take
from handraise.workspace.policy import Act, SubjectKind
from handraise.workspace.words import TaskStatus


class UpdateTaskStatus(Struct, frozen=True, forbid_unknown_fields=True):
    task_id: Annotated[UUID, Meta(description="The task's id, as a read tool returned it.")]
    status: Annotated[TaskStatus, Meta(description="The new status.")]


def marked(title: str, status: TaskStatus, verb: str) -> str:
    """Say the change: Mark “Fix login bug” done, Move “Fix login bug” to In review."""
    if status is TaskStatus.DONE:
        return f"{verb} “{title}” done"
    return f"{'Moved' if verb == 'Marked' else 'Move'} “{title}” to {status.label}"


async def run(connection: AsyncConnection, order: Order, arguments: UpdateTaskStatus) -> Receipt:
    task = await take(connection, order, arguments.task_id)
    if task.status is arguments.status:
        raise Cannot(f"“{task.title}” stood at {task.status.label} already; nothing was changed.")
    await change(connection, order, task.id, status=arguments.status)
    return Receipt(
        marked(task.title, arguments.status, "Marked"),
        task.link(),
        {
            "Task": task.named(),
            "In": task.project,
            "Status": f"{task.status.label} → {arguments.status.label}",
        },
        task.ids(),
    )


def check(_: UpdateTaskStatus) -> None:
    """Any of the statuses will do."""


WRITE = Write(
    name="update_task_status",
    arguments=UpdateTaskStatus,
    act=Act.TASK_STATUS,
    subjects=(("task_id", SubjectKind.TASK),),
    run=run,
    check=check,
)
