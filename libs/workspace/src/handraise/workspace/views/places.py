"""What stands round every page: where the member can go, and how much waits for them."""

from uuid import UUID

import msgspec
from sqlalchemy import ColumnElement, and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.gates import may_read_channel, may_read_conversation, may_read_project, may_read_task
from handraise.workspace.schema import (
    agents,
    channels,
    conversation_members,
    conversations,
    jobs,
    members,
    projects,
    requests,
    tasks,
)
from handraise.workspace.views.shapes import answered, gathered
from handraise.workspace.views.talk import is_live
from handraise.workspace.words import (
    ChannelKind,
    ConversationKind,
    RequestStatus,
    Surface,
    TaskStatus,
)


class ChannelLink(msgspec.Struct, frozen=True):
    id: UUID
    name: str
    kind: ChannelKind


class ConversationLink(msgspec.Struct, frozen=True):
    id: UUID
    kind: ConversationKind
    name: str  # of the group, the agent, or whoever is at the other end
    agent: bool


class ProjectLink(msgspec.Struct, frozen=True):
    id: UUID
    key: str
    name: str


class Places(msgspec.Struct, frozen=True):
    """Everything the side bar shows to one member."""

    channels: tuple[ChannelLink, ...]
    conversations: tuple[ConversationLink, ...]
    projects: tuple[ProjectLink, ...]
    waiting: int  # requests that wait for the member
    running: int  # jobs that an agent works on now, where the member may see them
    tasks: int  # open tasks of the member's


async def places(connection: AsyncConnection, member_id: UUID) -> Places:
    """Return what the member can go to; a member who is no longer active can go nowhere."""
    partner = (
        select(func.string_agg(members.c.name, ", "))
        .select_from(conversation_members.join(members, members.c.id == conversation_members.c.member_id))
        .where(
            conversation_members.c.conversation_id == conversations.c.id,
            conversation_members.c.member_id != member_id,
        )
        .correlate(conversations)
        .scalar_subquery()
    )
    statement = select(
        gathered(
            select(channels.c.id, channels.c.name, channels.c.kind)
            .where(may_read_channel(member_id))
            .order_by(channels.c.name)
        ).label("channels"),
        gathered(
            select(
                conversations.c.id,
                conversations.c.kind,
                func.coalesce(
                    func.nullif(conversations.c.name, ""), agents.c.handle, partner, "Nobody else"
                ).label("name"),
                agents.c.id.is_not(None).label("agent"),
            )
            .select_from(conversations.outerjoin(agents, agents.c.id == conversations.c.agent_id))
            .where(may_read_conversation(member_id))
            .order_by(agents.c.id.is_(None), "name")
        ).label("conversations"),
        gathered(
            select(projects.c.id, projects.c.key, projects.c.name)
            .where(may_read_project(member_id))
            .order_by(projects.c.name)
        ).label("projects"),
        select(func.count())
        .select_from(requests)
        .where(requests.c.member_id == member_id, requests.c.status == RequestStatus.OPEN)
        .scalar_subquery()
        .label("waiting"),
        select(func.count())
        .select_from(jobs)
        .where(is_live(), may_see_job(member_id))
        .scalar_subquery()
        .label("running"),
        select(func.count())
        .select_from(tasks)
        .where(tasks.c.assignee_id == member_id, tasks.c.status != TaskStatus.DONE, may_read_task(member_id))
        .scalar_subquery()
        .label("tasks"),
    )
    found = await answered(connection, statement, Places)
    if found is None:
        raise AssertionError("a statement of aggregates always has its one row")
    return found


def may_see_job(member_id: UUID) -> ColumnElement[bool]:
    """Gate `jobs`: whoever it runs as, and those who may read the place where it was started."""
    return or_(
        jobs.c.member_id == member_id,
        and_(
            jobs.c.surface == Surface.CHANNEL_THREAD,
            jobs.c.place_id.in_(select(channels.c.id).where(may_read_channel(member_id)).correlate(None)),
        ),
        and_(
            jobs.c.surface == Surface.TASK,
            jobs.c.place_id.in_(select(tasks.c.id).where(may_read_task(member_id)).correlate(None)),
        ),
        and_(
            jobs.c.surface.in_((Surface.DM, Surface.GROUP)),
            jobs.c.place_id.in_(
                select(conversations.c.id).where(may_read_conversation(member_id)).correlate(None)
            ),
        ),
    )
