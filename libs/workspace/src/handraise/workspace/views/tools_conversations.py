"""Direct messages and groups as the read tools and the previews see them: found by whom or what they are with."""

from typing import Any
from uuid import UUID

from msgspec import Struct
from sqlalchemy import ColumnElement, and_, case, func, literal, or_, select, true
from sqlalchemy.dialects.postgresql import aggregate_order_by
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.common.ids import parse_id
from handraise.workspace.gates import may_read_conversation
from handraise.workspace.schema import agents, conversation_members, conversations, members, messages
from handraise.workspace.views.tools_talk import SHOWN, shortened
from handraise.workspace.words import ConversationKind

MOST = 10  # conversations that a name fits, to choose from


class Found(Struct, frozen=True):
    """A conversation that a name fits."""

    id: UUID
    name: str
    """Whom it is with, or what the group is called."""
    detail: str
    """What tells it from another of that name: the person's handle, or who is in the group."""
    people: int


class Talk(Struct, frozen=True):
    """The conversations that a name fits, and what was said in it where it is one."""

    found: tuple[Found, ...]
    messages: list[dict[str, str]]


async def talk_with(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, person: str, limit: int
) -> Talk:
    """Return the member's direct messages with a person or an agent: the newest, oldest of them first."""
    return await _talk(connection, workspace_id, member_id, _direct(member_id, person), limit)


async def talk_of_group(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, group: str, limit: int
) -> Talk:
    """Return what was said in one of the member's groups: the newest, oldest of them first."""
    return await _talk(connection, workspace_id, member_id, _named(group), limit)


async def groups_seen(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, group: str | None
) -> tuple[Found, ...]:
    """Return the member's groups that a name or an id fits; all of them where none is given."""
    fits = _named(group) if group is not None else conversations.c.kind == ConversationKind.GROUP
    return (await _talk(connection, workspace_id, member_id, fits, 0)).found


def _named(group: str) -> ColumnElement[bool]:
    name = group.strip()
    id = parse_id(name)
    fits = func.lower(conversations.c.name) == name.lower() if id is None else conversations.c.id == id
    return and_(conversations.c.kind == ConversationKind.GROUP, fits)


def _direct(member_id: UUID, person: str) -> ColumnElement[bool]:
    name = person.strip().removeprefix("@")
    of, other = conversation_members.alias(), members.alias()
    with_person = (
        select(1)
        .select_from(of.join(other, other.c.id == of.c.member_id))
        .where(
            of.c.conversation_id == conversations.c.id,
            of.c.member_id != member_id,
            _is_called(other, name),
        )
        .correlate(conversations)
        .exists()
    )
    agent = agents.alias()
    with_agent = (
        select(1)
        .where(agent.c.id == conversations.c.agent_id, _is_called(agent, name))
        .correlate(conversations)
        .exists()
    )
    return and_(conversations.c.kind == ConversationKind.DM, or_(with_person, with_agent))


def _is_called(who: Any, name: str) -> ColumnElement[bool]:
    """Say whether it is somebody's id, handle, name, or the beginning of their name up to a space."""
    id = parse_id(name)
    if id is not None:
        by_id: ColumnElement[bool] = who.c.id == id
        return by_id
    return or_(
        func.lower(who.c.handle) == name.lower(),
        func.lower(who.c.name) == name.lower(),
        who.c.name.istartswith(f"{name} ", autoescape=True),
    )


async def _talk(
    connection: AsyncConnection,
    workspace_id: UUID,
    member_id: UUID,
    fits: ColumnElement[bool],
    limit: int,
) -> Talk:
    of, other = conversation_members.alias(), members.alias()

    def others(value: ColumnElement[Any]) -> ColumnElement[Any]:
        return (
            select(value)
            .select_from(of.join(other, other.c.id == of.c.member_id))
            .where(of.c.conversation_id == conversations.c.id, of.c.member_id != member_id)
            .correlate(conversations)
            .scalar_subquery()
        )

    names = others(func.string_agg(other.c.name, aggregate_order_by(literal(", "), other.c.name)))
    handles = others(func.string_agg("@" + other.c.handle, aggregate_order_by(literal(", "), other.c.handle)))
    is_group = conversations.c.kind == ConversationKind.GROUP
    found = (
        select(
            conversations.c.id,
            func.coalesce(func.nullif(conversations.c.name, ""), agents.c.name, names, "nobody else").label(
                "name"
            ),
            func.coalesce("@" + agents.c.handle, case((is_group, names), else_=handles), "").label("detail"),
            (others(func.count()) + 1).label("people"),
        )
        .select_from(conversations.outerjoin(agents, agents.c.id == conversations.c.agent_id))
        .where(conversations.c.workspace_id == workspace_id, fits, may_read_conversation(member_id))
        .order_by(conversations.c.id)
        .limit(MOST)
        .cte("found")
    )
    only = select(func.count() == 1).select_from(found).scalar_subquery()
    newest = (
        select(
            messages.c.created_at,
            messages.c.body,
            func.coalesce(agents.c.name, members.c.name, "somebody who left").label("author"),
        )
        .select_from(
            messages.outerjoin(members, members.c.id == messages.c.author_id).outerjoin(
                agents, agents.c.id == messages.c.agent_id
            )
        )
        .where(
            messages.c.place_id == found.c.id,
            messages.c.workspace_id == workspace_id,
            messages.c.kind.in_(SHOWN),
            only,
        )
        .order_by(messages.c.created_at.desc())
        .limit(limit)
        .lateral("newest")
    )
    statement = (
        select(found, newest)
        .select_from(found.outerjoin(newest, true()))
        .order_by(found.c.id, newest.c.created_at)
    )
    rows = (await connection.execute(statement)).all()
    return Talk(
        tuple({row.id: Found(row.id, row.name, row.detail, row.people) for row in rows}.values()),
        [
            {"author": row.author, "at": row.created_at.isoformat(), "text": shortened(row.body)}
            for row in rows
            if row.created_at is not None
        ],
    )
