"""Tasks: the reader's own, and one with all that is said and done about it, changed in place."""

from typing import Any
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.response import Template
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.common.problems import Problem
from handraise.gateway.pages.cards import view
from handraise.gateway.pages.conversation import Dialogue
from handraise.gateway.pages.forms import Form, settled
from handraise.gateway.pages.history import event_view
from handraise.gateway.pages.talks import composer_words, talk_of, write
from handraise.gateway.pages.toasts import Toast
from handraise.gateway.pages.visit import PageRequest, Visit, go_to, present
from handraise.gateway.pages.wording import counted, open_and_done
from handraise.gateway.pages.writing import Fault, attempt, saved, told
from handraise.workspace.views import tasks as views
from handraise.workspace.views.tasks import TaskPage
from handraise.workspace.words import Surface, TaskStatus

NO_MOMENT = Toast("Not done.", "Write a date and a time of your clock.", tone="bad", stays=True)


class Edit(msgspec.Struct, frozen=True):
    """The form of a task's words: what stands there, or what was written in vain."""

    title: str
    description: str
    version: int
    fault: Fault | None = None


@get("/tasks")
async def my_tasks(request: PageRequest) -> Template:
    """List the reader's own tasks."""
    visit = Visit(request)
    async with visit.read() as connection:
        found = await views.tasks_of(connection, visit.who.member_id)
        return await visit.page(
            connection, "tasks", here="tasks", tasks=found, tasks_sentence=open_and_done(found)
        )


@get("/tasks/{task_id:uuid}")
async def task(request: PageRequest, task_id: UUID, part: str | None = None) -> Template:
    """Show a task, or one of its live parts."""
    visit = Visit(request, via="task")
    async with visit.read() as connection:
        found = present(await views.task_page(connection, visit.who.member_id, task_id))
        context = _context(visit, found)
        if part in ("head", "text", "talk", "side"):
            return visit.part(f"task_{part}", **context)
        if part == "composer":
            return visit.part("composer", **context)
        return await _page(visit, connection, found, context)


@post("/tasks/{task_id:uuid}")
async def comment(request: PageRequest, task_id: UUID) -> Response[Any]:
    """Comment on a task."""
    return await write(request, Surface.TASK, task_id, None)


@post("/tasks/{task_id:uuid}/status")
async def set_status(request: PageRequest, task_id: UUID) -> Response[Any]:
    """Change a task's status by hand, through the same door as an agent's confirmed action."""
    form = await Form.of(request)
    wanted = form.words("status")
    if wanted not in set(TaskStatus):
        return await settled(
            request, form, _refused(Problem(422, "no_such_status", "Choose one of the statuses."))
        )
    return await _change(request, form, "update_task_status", {"task_id": str(task_id), "status": wanted})


@post("/tasks/{task_id:uuid}/assignee")
async def assign(request: PageRequest, task_id: UUID) -> Response[Any]:
    """Assign a task to a member of its project, or to nobody."""
    form = await Form.of(request)
    arguments = {"task_id": str(task_id), "assignee_id": form.get("assignee") or None}
    return await _change(request, form, "assign_task", arguments)


@post("/tasks/{task_id:uuid}/due")
async def set_due(request: PageRequest, task_id: UUID) -> Response[Any]:
    """Set a task's due date on the reader's clock, or take it away."""
    form = await Form.of(request)
    visit = Visit(request, via="task")
    due: str | None = None
    if not form.get("clear"):
        try:
            due = visit.times.read(form.words("due")).isoformat()
        except ValueError:
            return go_to(request, form.back, NO_MOMENT)
    return await _change(request, form, "set_task_due_date", {"task_id": str(task_id), "due_at": due})


@post("/tasks/{task_id:uuid}/edit")
async def edit(request: PageRequest, task_id: UUID) -> Response[Any]:
    """Change a task's title and description. What could not be saved stays in the form."""
    form = await Form.of(request)
    visit = Visit(request, via="task")
    words = {"title": form.words("title"), "description": form.words("description")}
    done = await attempt(visit, form, "edit_task", {"task_id": str(task_id), **words})
    if not isinstance(done, Fault):
        return go_to(request, f"/tasks/{task_id}", saved(done))
    async with visit.read() as connection:
        found = present(await views.task_page(connection, visit.who.member_id, task_id))
        context = {**_context(visit, found), "edit": Edit(**words, version=found.version, fault=done)}
        return await _page(visit, connection, found, context, status=done.status)


async def _page(
    visit: Visit, connection: AsyncConnection, found: TaskPage, context: dict[str, Any], status: int = 200
) -> Template:
    return await visit.page(
        connection, "task", here="task", topics=[f"task-{found.id}"], status=status, **context
    )


def _context(visit: Visit, found: TaskPage) -> dict[str, Any]:
    said = talk_of(found, visit)
    return {
        "task": found,
        "back": f"/tasks/{found.id}",
        "edit": Edit(found.title, found.description, found.version),
        "dialogue": said,
        "talk_sentence": _comments(said),
        "waiting": [view(row, visit.who.member_id, visit.times) for row in found.waiting],
        "history": [event_view(event, visit.times) for event in found.history],
        **composer_words(visit, said, "Comment", "Comment"),
        "talk_inline": True,
    }


async def _change(request: PageRequest, form: Form, name: str, arguments: dict[str, Any]) -> Response[Any]:
    return await settled(request, form, told(Visit(request, via="task"), form, name, arguments))


async def _refused(problem: Problem) -> None:
    raise problem


def _comments(said: Dialogue) -> str:
    comments = counted(len(said.turns), "entry", "entries") if said.turns else "none yet"
    waits = len(said.open_cards)
    return comments + (
        f", and {counted(waits, 'card')} {'waits' if waits == 1 else 'wait'} for you" if waits else ""
    )


routes = [my_tasks, task, comment, set_status, assign, set_due, edit]
