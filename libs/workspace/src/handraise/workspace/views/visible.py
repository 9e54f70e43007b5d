"""Whether a member may know of something: what they may not is answered like what does not exist."""

from collections.abc import Callable, Mapping
from uuid import UUID

from sqlalchemy import ColumnElement, Table, select, true
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace import gates
from handraise.workspace.policy import SubjectKind
from handraise.workspace.schema import (
    channels,
    conversations,
    docs,
    members,
    projects,
    reminders,
    tasks,
    teams,
)

Gate = Callable[[UUID], ColumnElement[bool]]


async def may_know_of(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, kind: SubjectKind, subject_id: UUID
) -> bool:
    """Say whether they may read it, so that a refusal may tell of it. What is no thing of its own may be told of."""
    found = _KNOWN.get(kind)
    if found is None:
        return True
    table, gate = found
    statement = select(table.c.id).where(
        table.c.id == subject_id, table.c.workspace_id == workspace_id, gate(member_id)
    )
    return (await connection.execute(statement)).first() is not None


_KNOWN: Mapping[SubjectKind, tuple[Table, Gate]] = {
    SubjectKind.TEAM: (teams, gates.may_read_team),
    SubjectKind.PROJECT: (projects, gates.may_read_project),
    SubjectKind.TASK: (tasks, gates.may_read_task),
    SubjectKind.CHANNEL: (channels, gates.may_read_channel),
    SubjectKind.CONVERSATION: (conversations, gates.may_read_conversation),
    SubjectKind.DOC: (docs, gates.may_read_doc),
    SubjectKind.REMINDER: (reminders, lambda member_id: reminders.c.member_id == member_id),
    SubjectKind.MEMBER: (members, lambda _: true()),
}
