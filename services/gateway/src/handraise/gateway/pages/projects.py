"""Projects: their tasks as a board or a list, and new ones."""

from typing import Any
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.response import Template

from handraise.gateway.pages.forms import Form
from handraise.gateway.pages.visit import PageRequest, Visit, go_to, present
from handraise.gateway.pages.wording import listed
from handraise.gateway.pages.writing import Fault, attempt, saved
from handraise.workspace.policy import Act, SubjectKind
from handraise.workspace.views import projects as views
from handraise.workspace.views.projects import ProjectPage
from handraise.workspace.views.tasks import TaskLine
from handraise.workspace.words import TaskStatus


class Column(msgspec.Struct, frozen=True):
    """One status of the board, with as many of its tasks as are shown."""

    status: TaskStatus
    number: int
    tasks: tuple[TaskLine, ...]


class NewTask(msgspec.Struct, frozen=True):
    """The form of a new task, with what was written in vain."""

    title: str = ""
    description: str = ""
    assignee: str = ""
    due: str = ""
    fault: Fault | None = None


@get("/projects/{project_id:uuid}")
async def project(
    request: PageRequest, project_id: UUID, part: str | None = None, view: str = "board"
) -> Template:
    """Show a project and its tasks, as a board by status or as a list."""
    visit = Visit(request, via="task")
    async with visit.read() as connection:
        found = present(await views.project_page(connection, visit.who.member_id, project_id))
        numbers = {count.status: count.number for count in found.counts}
        context: dict[str, Any] = {
            "project": found,
            "as_list": view == "list",
            "board": [_column(found, status, numbers.get(status, 0)) for status in TaskStatus],
            "tasks_sentence": _numbers(numbers),
            "tasks_left_out": sum(numbers.values()) - len(found.tasks),
            "back": f"/projects/{project_id}" + ("?view=list" if view == "list" else ""),
        }
        if part == "tasks":
            return visit.part("project_tasks", **context)
        return await visit.page(
            connection,
            "project",
            here=f"project:{project_id}",
            topics=[f"project-{project_id}"],
            **context,
        )


@get("/projects/{project_id:uuid}/tasks/new")
async def new_task(request: PageRequest, project_id: UUID) -> Template:
    """Show the form of a new task to whoever may create one."""
    return await _form(Visit(request), project_id, NewTask(), status=200)


@post("/projects/{project_id:uuid}/tasks")
async def create_task(request: PageRequest, project_id: UUID) -> Response[Any]:
    """Create a task and go to it. What could not be created stays in the form."""
    form = await Form.of(request)
    visit = Visit(request)
    words = {name: form.words(name) for name in ("title", "description", "assignee", "due")}
    due: str | None = None
    if words["due"]:
        try:
            due = visit.times.read(words["due"]).isoformat()
        except ValueError:
            fault = Fault("Not created.", "Write a date and a time of your clock, or none.", 422)
            return await _form(visit, project_id, NewTask(**words, fault=fault), status=422)
    arguments = {
        "project_id": str(project_id),
        "title": words["title"],
        "description": words["description"],
        "assignee_id": words["assignee"] or None,
        "due_at": due,
    }
    done = await attempt(visit, form, "create_task", arguments)
    if isinstance(done, Fault):
        return await _form(visit, project_id, NewTask(**words, fault=done), status=done.status)
    return go_to(request, done.link, saved(done))


async def _form(visit: Visit, project_id: UUID, form: NewTask, *, status: int) -> Template:
    async with visit.read() as connection:
        found = present(await views.project_head(connection, visit.who.member_id, project_id))
        if form.fault is None:
            await visit.gateway.permit(visit.who, Act.TASK_CREATE, SubjectKind.PROJECT, project_id)
        return await visit.page(
            connection, "task_new", here=f"project:{project_id}", status=status, project=found, form=form
        )


def _column(found: ProjectPage, status: TaskStatus, number: int) -> Column:
    return Column(status, number, tuple(task for task in found.tasks if task.status is status))


def _numbers(numbers: dict[TaskStatus, int]) -> str:
    if not numbers:
        return "none yet"
    done = numbers.get(TaskStatus.DONE, 0)
    return listed([f"{sum(numbers.values()) - done} open"] + ([f"{done} done"] if done else []))


routes = [project, new_task, create_task]
