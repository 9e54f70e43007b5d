"""Change several things of a task at once, its title and description among them."""

from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.order import Cannot, Order, Receipt, Write
from handraise.workspace.actions.task_rows import TaskNow, assignable, change, take, zone_of
from handraise.workspace.actions.wording import check_moment, check_text, check_title, said
from handraise.workspace.policy import Act, SubjectKind
from handraise.workspace.words import TaskStatus


class EditTask(Struct, frozen=True, forbid_unknown_fields=True):
    """What is not given stays as it is."""

    task_id: UUID
    title: str | UnsetType = UNSET
    description: str | UnsetType = UNSET
    status: TaskStatus | UnsetType = UNSET
    assignee_id: UUID | UnsetType | None = UNSET
    due_at: datetime | UnsetType | None = UNSET


async def run(connection: AsyncConnection, order: Order, arguments: EditTask) -> Receipt:
    task = await take(connection, order, arguments.task_id)
    values, facts = await _changes(connection, order, task, arguments)
    if not values:
        raise Cannot(f"“{task.title}” is like that already; nothing was changed.")
    await change(connection, order, task.id, **values)
    title = values.get("title", task.title)
    return Receipt(
        f"Changed {task.key}",
        task.link(),
        {"Task": f"{task.key} {title}", "In": task.project, **facts},
        task.ids(),
    )


async def _changes(
    connection: AsyncConnection, order: Order, task: TaskNow, arguments: EditTask
) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the columns that change, and what the receipt says of each."""
    values: dict[str, Any] = {}
    facts: dict[str, str] = {}
    if arguments.title is not UNSET and (title := arguments.title.strip()) != task.title:
        values["title"] = title
        facts["Title"] = f"{task.title} → {title}"
    if arguments.description is not UNSET and arguments.description != task.description:
        values["description"] = arguments.description
        facts["Description"] = "written anew" if arguments.description else "taken away"
    if arguments.status is not UNSET and arguments.status is not task.status:
        values["status"] = arguments.status
        facts["Status"] = f"{task.status.label} → {arguments.status.label}"
    if arguments.assignee_id is not UNSET and arguments.assignee_id != task.assignee_id:
        name = "nobody"
        if arguments.assignee_id is not None:
            name = await assignable(connection, order, arguments.assignee_id, task.project_id)
        values["assignee_id"] = arguments.assignee_id
        facts["Assignee"] = f"{task.assignee or 'nobody'} → {name}"
    if arguments.due_at is not UNSET and arguments.due_at != task.due_at:
        zone = await zone_of(connection, order)
        values |= {"due_at": arguments.due_at, "due_zone": zone if arguments.due_at else None}
        facts["Due"] = f"{said(task.due_at, zone)} → {said(arguments.due_at, zone)} ({zone})"
    return values, facts


def check(arguments: EditTask) -> None:
    if arguments.title is not UNSET:
        check_title(arguments.title)
    if arguments.description is not UNSET:
        check_text(arguments.description, "description", empty=True)
    if arguments.due_at is not UNSET:
        check_moment(arguments.due_at)


WRITE = Write(
    name="edit_task",
    arguments=EditTask,
    act=Act.TASK_EDIT,
    subjects=(("task_id", SubjectKind.TASK),),
    run=run,
    check=check,
    by_hand=True,
)
