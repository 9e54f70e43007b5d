"""What the writes on tasks share: the task as it is now, locked, and the change of it."""

from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct
from sqlalchemy import and_, func, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.order import Cannot, Order
from handraise.workspace.schema import members, project_members, projects, tasks
from handraise.workspace.words import MemberStatus, TaskStatus


class TaskNow(Struct, frozen=True):
    """A task before it is changed."""

    id: UUID
    key: str
    title: str
    description: str
    status: TaskStatus
    assignee: str | None
    assignee_id: UUID | None
    due_at: datetime | None
    due_zone: str | None
    project_id: UUID
    project: str

    def ids(self) -> dict[str, str]:
        """Return what a receipt names."""
        return {"task": str(self.id), "project": str(self.project_id)}

    def link(self) -> str:
        """Return the path of its page."""
        return f"/tasks/{self.id}"

    def named(self) -> str:
        """Say which task it is, as a link does: ATL-118 Fix login bug."""
        return f"{self.key} {self.title}"


async def take(connection: AsyncConnection, order: Order, task_id: UUID) -> TaskNow:
    """Lock the task and return it. Raises Cannot when it is gone, or changed since the order's version."""
    statement = (
        select(
            tasks.c.id,
            tasks.c.number,
            tasks.c.title,
            tasks.c.description,
            tasks.c.status,
            tasks.c.version,
            tasks.c.assignee_id,
            tasks.c.due_at,
            tasks.c.due_zone,
            tasks.c.project_id,
            projects.c.key,
            projects.c.name.label("project"),
            members.c.name.label("assignee"),
        )
        .select_from(
            tasks.join(projects, projects.c.id == tasks.c.project_id).outerjoin(
                members, members.c.id == tasks.c.assignee_id
            )
        )
        .where(tasks.c.id == task_id, tasks.c.workspace_id == order.workspace_id)
        .with_for_update(of=tasks)
    )
    row = (await connection.execute(statement)).mappings().first()
    if row is None:
        raise Cannot("The task is gone; nothing was changed.")
    if order.expected_version not in (None, row["version"]):
        raise Cannot(
            f"“{row['title']}” was changed by somebody else meanwhile; look at it again. Nothing was changed."
        )
    return TaskNow(
        id=row["id"],
        key=f"{row['key']}-{row['number']}",
        title=row["title"],
        description=row["description"],
        status=TaskStatus(row["status"]),
        assignee=row["assignee"],
        assignee_id=row["assignee_id"],
        due_at=row["due_at"],
        due_zone=row["due_zone"],
        project_id=row["project_id"],
        project=row["project"],
    )


async def change(connection: AsyncConnection, order: Order, task_id: UUID, **values: Any) -> None:
    """Change columns of a task that `take` has locked."""
    await connection.execute(
        update(tasks)
        .where(tasks.c.id == task_id, tasks.c.workspace_id == order.workspace_id)
        .values(version=tasks.c.version + 1, updated_at=func.now(), **values)
    )


async def assignable(connection: AsyncConnection, order: Order, member_id: UUID, project_id: UUID) -> str:
    """Return the name of who is to get a task. Raises Cannot for somebody who could not even read it."""
    statement = (
        select(members.c.name, members.c.status, project_members.c.role)
        .select_from(
            members.outerjoin(
                project_members,
                and_(project_members.c.member_id == members.c.id, project_members.c.project_id == project_id),
            )
        )
        .where(members.c.id == member_id, members.c.workspace_id == order.workspace_id)
    )
    row = (await connection.execute(statement)).first()
    if row is None:
        raise Cannot("There is no such person in this workspace to assign the task to. Look the person up.")
    if row.status != MemberStatus.ACTIVE:
        raise Cannot(f"{row.name} is deactivated and can't be assigned a task. Choose somebody else.")
    if row.role is None:
        raise Cannot(
            f"{row.name} is not a member of the task's project, so can't be assigned. Add them first."
        )
    name: str = row.name
    return name


async def zone_of(connection: AsyncConnection, order: Order) -> str:
    """Return the IANA zone of whoever the order runs as."""
    statement = select(members.c.timezone).where(
        members.c.id == order.member_id, members.c.workspace_id == order.workspace_id
    )
    zone: str = (await connection.execute(statement)).scalar_one()
    return zone
