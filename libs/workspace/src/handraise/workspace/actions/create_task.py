"""Create a task in a project."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.order import Cannot, Order, Receipt, Write
from handraise.workspace.actions.rows import create
from handraise.workspace.actions.task_rows import assignable, zone_of
from handraise.workspace.actions.wording import DueAt, Title, check_moment, check_text, check_title, said
from handraise.workspace.policy import Act, SubjectKind
from handraise.workspace.schema import projects, tasks
from handraise.workspace.words import TaskStatus


class CreateTask(Struct, frozen=True, forbid_unknown_fields=True):
    project_id: Annotated[UUID, Meta(description="The project's id, as a read tool returned it.")]
    title: Title
    description: Annotated[str, Meta(description="Markdown; may be empty.")] = ""
    assignee_id: Annotated[
        UUID | None, Meta(description="The id of a member of the project, as find_people returned it.")
    ] = None
    due_at: DueAt = None


async def run(connection: AsyncConnection, order: Order, arguments: CreateTask) -> Receipt:
    # The number comes from the project's row, which stays locked until the end: numbers have no gaps.
    numbered = (
        update(projects)
        .where(projects.c.id == arguments.project_id, projects.c.workspace_id == order.workspace_id)
        .values(last_task=projects.c.last_task + 1)
        .returning(projects.c.key, projects.c.name, projects.c.last_task)
    )
    project = (await connection.execute(numbered)).first()
    if project is None:
        raise Cannot("The project is gone; no task was created.")
    assignee = None
    if arguments.assignee_id is not None:
        assignee = await assignable(connection, order, arguments.assignee_id, arguments.project_id)
    zone = await zone_of(connection, order) if arguments.due_at else None
    title, task_id = arguments.title.strip(), order.derived("task")
    await create(
        connection,
        tasks,
        id=task_id,
        workspace_id=order.workspace_id,
        project_id=arguments.project_id,
        number=project.last_task,
        title=title,
        description=arguments.description,
        assignee_id=arguments.assignee_id,
        due_at=arguments.due_at,
        due_zone=zone,
        created_by=order.member_id,
    )
    where = f"{project.name}, status {TaskStatus.TODO.label}, "
    facts = {
        "Task": f"{project.key}-{project.last_task} {title}",
        "In": where + (f"assigned to {assignee}" if assignee else "nobody assigned"),
    }
    if arguments.due_at:
        facts["Due"] = f"{said(arguments.due_at, zone)} ({zone})"
    return Receipt(
        f"Created task “{title}”",
        f"/tasks/{task_id}",
        facts,
        {"task": str(task_id), "project": str(arguments.project_id)},
    )


def check(arguments: CreateTask) -> None:
    check_title(arguments.title)
    check_text(arguments.description, "description", empty=True)
    check_moment(arguments.due_at)


WRITE = Write(
    name="create_task",
    arguments=CreateTask,
    act=Act.TASK_CREATE,
    subjects=(("project_id", SubjectKind.PROJECT),),
    run=run,
    check=check,
)
