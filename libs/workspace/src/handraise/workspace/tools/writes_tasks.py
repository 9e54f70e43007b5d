"""What a person is shown before a task is made or changed."""

from uuid import UUID

import msgspec

from handraise.workspace.actions.assign_task import AssignTask
from handraise.workspace.actions.create_task import CreateTask
from handraise.workspace.actions.set_task_due_date import SetTaskDueDate
from handraise.workspace.actions.update_task_status import UpdateTaskStatus, marked
from handraise.workspace.actions.wording import said
from handraise.workspace.database import Database
from handraise.workspace.tools.names import none_to_see
from handraise.workspace.tools.tool import InvalidArguments, Preview
from handraise.workspace.tools.writing import writing
from handraise.workspace.views import tools_tasks
from handraise.workspace.views.tools_tasks import TaskSeen
from handraise.workspace.words import TaskStatus

_TASK_SOURCES = "list_my_tasks, list_project_tasks or search_workspace"


async def _task(
    db: Database, workspace_id: UUID, member_id: UUID, task_id: UUID, other_id: UUID | None = None
) -> TaskSeen:
    async with db.read(workspace_id) as connection:
        task = await tools_tasks.task_seen(connection, workspace_id, member_id, task_id, other_id)
    if task is None:
        raise none_to_see("task", _TASK_SOURCES)
    return task


def _which(task: TaskSeen) -> tuple[str, str]:
    parts = [task.key, task.project, f"assigned to {task.assignee}" if task.assignee else "nobody assigned"]
    if task.due_at:
        parts.append(f"due {said(task.due_at, task.zone)}")
    return "Task", ", ".join(parts)


async def _status(
    db: Database, workspace_id: UUID, member_id: UUID, args: UpdateTaskStatus
) -> tuple[UpdateTaskStatus, Preview]:
    task = await _task(db, workspace_id, member_id, args.task_id)
    if task.status is args.status:
        raise InvalidArguments(f"“{task.title}” stands at {task.status.label} already: nothing to propose.")
    return args, Preview(
        sentence=marked(task.title, args.status, "Mark"),
        before_after=(("Status", task.status.label, args.status.label),),
        facts=(_which(task),),
        link=f"/tasks/{args.task_id}",
    )


async def _create_task(
    db: Database, workspace_id: UUID, member_id: UUID, args: CreateTask
) -> tuple[CreateTask, Preview]:
    async with db.read(workspace_id) as connection:
        project = await tools_tasks.project_seen(
            connection, workspace_id, member_id, args.project_id, args.assignee_id
        )
    if project is None:
        raise none_to_see("project", "list_projects")
    if args.assignee_id is not None and project.other is None:
        raise _not_assignable(project.name)
    whose = f"assigned to {project.other}" if project.other else "nobody assigned"
    facts = [("In", f"{project.name}, status {TaskStatus.TODO.label}, {whose}")]
    if args.due_at:
        facts.append(("Due", f"{said(args.due_at, project.zone)} ({project.zone})"))
    args = msgspec.structs.replace(args, title=args.title.strip())
    return args, Preview(
        sentence=f"Create task “{args.title}”",
        draft=args.description or None,
        facts=tuple(facts),
        link=f"/projects/{args.project_id}",
    )


async def _assign(
    db: Database, workspace_id: UUID, member_id: UUID, args: AssignTask
) -> tuple[AssignTask, Preview]:
    task = await _task(db, workspace_id, member_id, args.task_id, args.assignee_id)
    if args.assignee_id is not None and task.other is None:
        raise _not_assignable(task.project)
    if args.assignee_id == task.assignee_id:
        raise InvalidArguments(
            f"“{task.title}” is assigned to {task.assignee or 'nobody'} already: nothing to propose."
        )
    return args, Preview(
        sentence=f"Assign {task.key} to {task.other}"
        if task.other
        else f"Take {task.key} from {task.assignee}",
        before_after=(("Assignee", task.assignee or "nobody", task.other or "nobody"),),
        facts=(("Task", f"{task.title}, {task.project}"),),
        link=f"/tasks/{args.task_id}",
    )


async def _due(
    db: Database, workspace_id: UUID, member_id: UUID, args: SetTaskDueDate
) -> tuple[SetTaskDueDate, Preview]:
    task = await _task(db, workspace_id, member_id, args.task_id)
    if task.due_at == args.due_at:
        raise InvalidArguments(f"“{task.title}” has this due date already: nothing to propose.")
    verb = "Set the due date of" if args.due_at else "Take the due date from"
    return args, Preview(
        sentence=f"{verb} “{task.title}”",
        before_after=(("Due", said(task.due_at, task.zone), said(args.due_at, task.zone)),),
        facts=(("Zone", task.zone), _which(task)),
        link=f"/tasks/{args.task_id}",
    )


def _not_assignable(project: str) -> InvalidArguments:
    return InvalidArguments(
        f"There is no active member of the project {project} with this assignee_id. Look it up with find_people; "
        "somebody who is not in the project can't be assigned."
    )


WRITING = (
    writing("update_task_status", "Changes the status of a task.", _status),
    writing("create_task", "Creates a task in a project.", _create_task),
    writing("assign_task", "Assigns a task to a member of its project, or to nobody.", _assign),
    writing("set_task_due_date", "Sets, moves or takes away the due date of a task.", _due),
)
