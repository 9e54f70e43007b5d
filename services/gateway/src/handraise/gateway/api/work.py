"""Projects and tasks, read and changed by hand through the same door as an agent's."""

from typing import Any
from uuid import UUID

import msgspec
from litestar import Request, get, patch, post
from msgspec import UNSET

from handraise.common.problems import Problem, not_found
from handraise.gateway.api.receipts import done
from handraise.gateway.api.shapes import ProjectLink, Receipt, Task
from handraise.gateway.api.shapes_work import NewProject, NewTask, Project, TaskChange
from handraise.gateway.auth import signed
from handraise.gateway.state import gateway_of
from handraise.workspace.views import api as views
from handraise.workspace.views import tools_projects

# Which write changes one field alone. It says in the audit what was changed.
_ALONE = {"status": "update_task_status", "assignee_id": "assign_task", "due_at": "set_task_due_date"}


@get("/projects", summary="Projects one is in", tags=["work"])
async def projects(request: Request[Any, Any, Any]) -> list[ProjectLink]:
    """Return the projects that the member may read, by name."""
    gateway, who = gateway_of(request), signed(request)
    async with gateway.db.read(who.workspace_id) as connection:
        return [ProjectLink(*row) for row in await views.projects_of(connection, who.member_id)]


@get("/projects/{project_id:uuid}", summary="A project at a glance", tags=["work"])
async def project(request: Request[Any, Any, Any], project_id: UUID) -> Project:
    """Return a project: its people, how its tasks stand, its newest docs."""
    gateway, who = gateway_of(request), signed(request)
    async with gateway.db.read(who.workspace_id) as connection:
        found = await tools_projects.project(connection, who.workspace_id, who.member_id, project_id)
    if found is None:
        raise not_found("project")
    return msgspec.convert(found, Project)


@post("/projects", summary="Create a project", tags=["work"])
async def create_project(request: Request[Any, Any, Any], data: NewProject) -> Receipt:
    """Create a project for a team, as its admin."""
    arguments = {
        "team_id": str(data.team_id),
        "name": data.name,
        "key": data.short,
        "description": data.description,
    }
    return await done(request, "create_project", arguments, key=data.key)


@get("/tasks/{task_id:uuid}", summary="A task", tags=["work"])
async def task(request: Request[Any, Any, Any], task_id: UUID) -> Task:
    """Return a task."""
    gateway, who = gateway_of(request), signed(request)
    async with gateway.db.read(who.workspace_id) as connection:
        row = await views.task(connection, who.member_id, task_id)
    if row is None:
        raise not_found("task")
    return Task(**row)


@post("/tasks", summary="Create a task", tags=["work"])
async def create_task(request: Request[Any, Any, Any], data: NewTask) -> Receipt:
    """Create a task in a project."""
    arguments = {
        "project_id": str(data.project_id),
        "title": data.title,
        "description": data.description,
        "assignee_id": _written(data.assignee_id),
        "due_at": data.due_at,
    }
    return await done(request, "create_task", arguments, key=data.key)


@patch("/tasks/{task_id:uuid}", summary="Change a task", tags=["work"])
async def change_task(request: Request[Any, Any, Any], task_id: UUID, data: TaskChange) -> Receipt:
    """Change a task by hand: the same writes, the same right as when an agent's proposal is confirmed.

    Several changes at once are made together or not at all.
    """
    given = {
        "title": data.title,
        "description": data.description,
        "status": data.status,
        "assignee_id": _written(data.assignee_id),
        "due_at": data.due_at,
    }
    changes = {name: value for name, value in given.items() if value is not UNSET}
    if not changes:
        raise Problem(422, "nothing_to_change", "Say what to change: title, status, assignee_id …")
    write = _ALONE.get(next(iter(changes)), "edit_task") if len(changes) == 1 else "edit_task"
    return await done(
        request, write, {"task_id": str(task_id), **changes}, key=data.key, version=data.version
    )


def _written(id: Any) -> Any:
    return str(id) if isinstance(id, UUID) else id


routes = [projects, project, create_project, task, create_task, change_task]
