"""Assign a task to somebody, or to nobody."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.order import Cannot, Order, Receipt, Write
from handraise.workspace.actions.task_rows import assignable, change, take
from handraise.workspace.policy import Act, SubjectKind


class AssignTask(Struct, frozen=True, forbid_unknown_fields=True):
    task_id: Annotated[UUID, Meta(description="The task's id, as a read tool returned it.")]
    assignee_id: Annotated[
        UUID | None,
        Meta(description="The id of a member of the project, as find_people returned it; null: nobody."),
    ]


async def run(connection: AsyncConnection, order: Order, arguments: AssignTask) -> Receipt:
    task = await take(connection, order, arguments.task_id)
    if task.assignee_id == arguments.assignee_id:
        whose = f"assigned to {task.assignee}" if task.assignee else "assigned to nobody"
        raise Cannot(f"“{task.title}” was {whose} already; nothing was changed.")
    name = None
    if arguments.assignee_id is not None:
        name = await assignable(connection, order, arguments.assignee_id, task.project_id)
    await change(connection, order, task.id, assignee_id=arguments.assignee_id)
    ids = task.ids() | ({"assignee": str(arguments.assignee_id)} if name else {})
    return Receipt(
        f"Assigned {task.key} to {name}" if name else f"Took {task.key} from {task.assignee}",
        task.link(),
        {
            "Task": task.named(),
            "In": task.project,
            "Assignee": f"{task.assignee or 'nobody'} → {name or 'nobody'}",
        },
        ids,
    )


def check(_: AssignTask) -> None:
    """Whether somebody can be assigned is for the database to say."""


WRITE = Write(
    name="assign_task",
    arguments=AssignTask,
    act=Act.TASK_ASSIGN,
    subjects=(("task_id", SubjectKind.TASK),),
    run=run,
    check=check,
)
