"""Projects and tasks, read and changed by hand through the same door as an agent's."""

from typing import Any
from uuid import UUID

from litestar import Request, get, patch

from handraise.common.ids import new_id
from handraise.common.problems import Problem, not_found
from handraise.gateway.api.shapes import ProjectLink, Receipt, StatusChange, Task
from handraise.gateway.auth import signed
from handraise.gateway.byhand import write
from handraise.gateway.state import gateway_of
from handraise.gateway.unseen import may_read
from handraise.workspace.views import api as views
from handraise.workspace.words import Surface


@get("/projects", summary="Projects one is in", tags=["work"])
async def projects(request: Request[Any, Any, Any]) -> list[ProjectLink]:
    """Return the projects that the member may read, by name."""
    gateway, who = gateway_of(request), signed(request)
    async with gateway.db.read(who.workspace_id) as connection:
        return [ProjectLink(*row) for row in await views.projects_of(connection, who.member_id)]


@get("/tasks/{task_id:uuid}", summary="A task", tags=["work"])
async def task(request: Request[Any, Any, Any], task_id: UUID) -> Task:
    """Return a task."""
    gateway, who = gateway_of(request), signed(request)
    async with gateway.db.read(who.workspace_id) as connection:
        row = await views.task(connection, who.member_id, task_id)
    if row is None:
        raise not_found("task")
    return Task(**row)


@patch("/tasks/{task_id:uuid}", summary="Change a task's status", tags=["work"])
async def change_status(request: Request[Any, Any, Any], task_id: UUID, data: StatusChange) -> Receipt:
    """Set a task's status by hand: the same write, the same right as when an agent's proposal is confirmed."""
    gateway, who = gateway_of(request), signed(request)
    try:
        receipt = await write(
            gateway,
            who,
            "update_task_status",
            {"task_id": str(task_id), "status": data.status},
            key=new_id(),
            version=data.version,
        )
    except Problem as problem:
        if problem.code == "not_permitted" and not await may_read(gateway, who, Surface.TASK, task_id):
            raise not_found("task") from None
        raise
    return Receipt(title=receipt.title, link=receipt.link, facts=receipt.facts, ids=receipt.ids)


routes = [projects, task, change_status]
