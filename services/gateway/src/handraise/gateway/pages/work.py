"""Tasks, projects and jobs: what is to be done, and what agents did."""

from typing import Any
from uuid import UUID

from litestar import Response, get, post
from litestar.response import Template

from handraise.common.ids import new_id, parse_id
from handraise.common.problems import Problem
from handraise.gateway import byhand
from handraise.gateway import jobs as job_control
from handraise.gateway.pages.cards import view
from handraise.gateway.pages.conversation import Dialogue
from handraise.gateway.pages.forms import Form, settled
from handraise.gateway.pages.history import event_view
from handraise.gateway.pages.talks import composer_words, talk_of, write
from handraise.gateway.pages.timeline import job_view
from handraise.gateway.pages.toasts import Toast
from handraise.gateway.pages.visit import PageRequest, Visit, present
from handraise.gateway.pages.wording import counted, listed
from handraise.workspace.views import jobs as job_views
from handraise.workspace.views import tasks as views
from handraise.workspace.views.tasks import TaskLine
from handraise.workspace.words import Surface, TaskStatus


@get("/tasks")
async def my_tasks(request: PageRequest) -> Template:
    """List the reader's own tasks."""
    visit = Visit(request)
    async with visit.read() as connection:
        found = await views.tasks_of(connection, visit.who.member_id)
        return await visit.page(
            connection, "tasks", here="tasks", tasks=found, tasks_sentence=_open_and_done(found)
        )


@get("/projects/{project_id:uuid}")
async def project(request: PageRequest, project_id: UUID) -> Template:
    """Show a project and its tasks."""
    visit = Visit(request)
    async with visit.read() as connection:
        found = present(await views.project_page(connection, visit.who.member_id, project_id))
        return await visit.page(
            connection,
            "project",
            here=f"project:{project_id}",
            project=found,
            tasks_sentence=_open_and_done(found.tasks),
        )


@get("/tasks/{task_id:uuid}")
async def task(request: PageRequest, task_id: UUID, part: str | None = None) -> Template:
    """Show a task, or one of its live parts."""
    visit = Visit(request, via="task")
    async with visit.read() as connection:
        found = present(await views.task_page(connection, visit.who.member_id, task_id))
        said = talk_of(found, visit)
        context: dict[str, Any] = {
            "task": found,
            "dialogue": said,
            "talk_sentence": _comments(said),
            "waiting": [view(row, visit.who.member_id, visit.times) for row in found.waiting],
            "history": [event_view(event, visit.times) for event in found.history],
            **composer_words(visit, said, "Comment", "Comment"),
            "talk_inline": True,
        }
        if part in ("head", "talk", "side"):
            return visit.part(f"task_{part}", **context)
        if part == "composer":
            return visit.part("composer", **context)
        return await visit.page(connection, "task", here="task", topics=[f"task-{task_id}"], **context)


@post("/tasks/{task_id:uuid}")
async def comment(request: PageRequest, task_id: UUID) -> Response[Any]:
    """Comment on a task."""
    return await write(request, Surface.TASK, task_id, None)


@post("/tasks/{task_id:uuid}/status")
async def set_status(request: PageRequest, task_id: UUID) -> Response[Any]:
    """Change a task's status by hand, through the same door as an agent's confirmed action."""
    form = await Form.of(request)
    visit = Visit(request, via="task")
    return await settled(request, form, _set_status(visit, task_id, form))


async def _set_status(visit: Visit, task_id: UUID, form: Form) -> Toast:
    wanted = form.words("status")
    if wanted not in set(TaskStatus):
        raise Problem(422, "no_such_status", "Choose one of the statuses.")
    receipt = await byhand.write(
        visit.gateway,
        visit.who,
        "update_task_status",
        {"task_id": str(task_id), "status": wanted},
        key=parse_id(form.words("key")) or new_id(),
    )
    return Toast(f"{receipt.title}.", tone="good")


@get("/jobs")
async def jobs(request: PageRequest, part: str | None = None) -> Template:
    """List the jobs that the reader may see."""
    visit = Visit(request)
    async with visit.read() as connection:
        found = await job_views.job_lines(connection, visit.who.member_id)
        if part == "list":
            return visit.part("jobs", jobs=found)
        return await visit.page(connection, "jobs", here="jobs", jobs=found)


@get("/jobs/{job_id:uuid}")
async def job(request: PageRequest, job_id: UUID, part: str | None = None) -> Template:
    """Show a job as a timeline."""
    visit = Visit(request)
    async with visit.read() as connection:
        found = present(await job_views.job_page(connection, visit.who.member_id, job_id))
        laid_out = job_view(found, visit.who.member_id, visit.times)
        if part == "timeline":
            return visit.part("job", job=laid_out)
        return await visit.page(connection, "job", here="jobs", topics=[f"job-{job_id}"], job=laid_out)


@post("/jobs/{job_id:uuid}/stop")
async def stop(request: PageRequest, job_id: UUID) -> Response[Any]:
    """Stop a job wherever it stands."""
    form = await Form.of(request)
    visit = Visit(request)

    async def stopped() -> Toast:
        await job_control.stop(visit.gateway, visit.who, job_id)
        return Toast("Stopping.", "Nothing more is done after the step it is in.")

    return await settled(request, form, stopped())


@post("/jobs/{job_id:uuid}/retry")
async def retry(request: PageRequest, job_id: UUID) -> Response[Any]:
    """Start the work of a failed or stopped job anew, and follow it."""
    form = await Form.of(request)
    visit = Visit(request)
    target = form.back

    async def started() -> None:
        nonlocal target
        target = f"/jobs/{(await job_control.retry(visit.gateway, visit.who, job_id)).job_id}"

    return await settled(request, form, started(), target=lambda: target)


def _open_and_done(tasks: tuple[TaskLine, ...]) -> str:
    done = sum(line.status is TaskStatus.DONE for line in tasks)
    pieces = [f"{len(tasks) - done} open"] + ([f"{done} done"] if done else [])
    return listed(pieces) if tasks else "none yet"


def _comments(said: Dialogue) -> str:
    comments = counted(len(said.turns), "entry", "entries") if said.turns else "none yet"
    waits = len(said.open_cards)
    return comments + (
        f", and {counted(waits, 'card')} {'waits' if waits == 1 else 'wait'} for you" if waits else ""
    )


routes = [my_tasks, project, task, comment, set_status, jobs, job, stop, retry]
