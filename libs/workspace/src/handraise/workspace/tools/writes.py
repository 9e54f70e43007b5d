"""The tools that write: what a person is shown before anything happens. The writes are in `actions`."""

from typing import Any
from uuid import UUID

import msgspec

from handraise.workspace.actions.assign_task import AssignTask
from handraise.workspace.actions.create_doc import CreateDoc
from handraise.workspace.actions.create_task import CreateTask
from handraise.workspace.actions.order import Cannot
from handraise.workspace.actions.post_to_channel import PostToChannel, people
from handraise.workspace.actions.registry import WRITES
from handraise.workspace.actions.send_dm import SendDm
from handraise.workspace.actions.set_task_due_date import SetTaskDueDate
from handraise.workspace.actions.update_task_status import UpdateTaskStatus, marked
from handraise.workspace.actions.wording import said
from handraise.workspace.database import Database
from handraise.workspace.tools.names import no_channel, none_to_see
from handraise.workspace.tools.tool import InvalidArguments, Preview, Resolve, Tool
from handraise.workspace.views import tools_talk, tools_tasks
from handraise.workspace.views.tools_tasks import TaskSeen
from handraise.workspace.words import TaskStatus

_TASK_SOURCES = "list_my_tasks, list_project_tasks or search_workspace"


def _tool(name: str, description: str, show: Resolve) -> Tool:
    write = WRITES[name]

    async def resolve(db: Database, workspace_id: UUID, member_id: UUID, args: Any) -> tuple[Any, Preview]:
        try:
            write.check(args)
        except Cannot as cannot:
            raise InvalidArguments(str(cannot)) from None
        return await show(db, workspace_id, member_id, args)

    return Tool(name=name, description=description, arguments=write.arguments, act=write.act, resolve=resolve)


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


async def _post(
    db: Database, workspace_id: UUID, member_id: UUID, args: PostToChannel
) -> tuple[PostToChannel, Preview]:
    async with db.read(workspace_id) as connection:
        channel = await tools_talk.channel_seen(connection, workspace_id, member_id, args.channel)
        if channel is None:
            raise await no_channel(connection, workspace_id, member_id, args.channel)
    more = channel.audience > 1
    return msgspec.structs.replace(args, channel=str(channel.id)), Preview(
        sentence=f"Post to #{channel.name}",
        audience=channel.audience,
        draft=args.text,
        confirm=f"Confirm: post to {people(channel.audience)}" if more else "Confirm",
        link=f"/channels/{channel.id}",
    )


async def _dm(db: Database, workspace_id: UUID, member_id: UUID, args: SendDm) -> tuple[SendDm, Preview]:
    if args.person_id == member_id:
        raise InvalidArguments("That is the person you work for: answer them instead of writing to them.")
    async with db.read(workspace_id) as connection:
        name = await tools_talk.person_seen(connection, workspace_id, member_id, args.person_id)
    if name is None:
        raise none_to_see("active person", "find_people")
    return args, Preview(sentence=f"Send {name} a direct message", audience=1, draft=args.text)


async def _create_doc(
    db: Database, workspace_id: UUID, member_id: UUID, args: CreateDoc
) -> tuple[CreateDoc, Preview]:
    where, link = "private, for its owner alone", None
    if args.project_id is not None:
        async with db.read(workspace_id) as connection:
            project = await tools_tasks.project_seen(connection, workspace_id, member_id, args.project_id)
        if project is None:
            raise none_to_see("project", "list_projects")
        where, link = f"{project.name}, for its members", f"/projects/{args.project_id}"
    args = msgspec.structs.replace(args, title=args.title.strip())
    return args, Preview(
        sentence=f"Create doc “{args.title}”", draft=args.body or None, facts=(("In", where),), link=link
    )


def _not_assignable(project: str) -> InvalidArguments:
    return InvalidArguments(
        f"There is no active member of the project {project} with this assignee_id. Look it up with find_people; "
        "somebody who is not in the project can't be assigned."
    )


WRITING = (
    _tool("update_task_status", "Changes the status of a task.", _status),
    _tool("create_task", "Creates a task in a project.", _create_task),
    _tool("assign_task", "Assigns a task to a member of its project, or to nobody.", _assign),
    _tool("set_task_due_date", "Sets, moves or takes away the due date of a task.", _due),
    _tool("post_to_channel", "Posts a message to a channel, in the name of the person you work for.", _post),
    _tool("send_dm", "Sends somebody a direct message, in the name of the person you work for.", _dm),
    _tool("create_doc", "Creates a doc, in a project or private.", _create_doc),
)
