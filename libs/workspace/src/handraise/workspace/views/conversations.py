"""Direct messages and groups: each one gated statement."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.gates import may_read_conversation
from handraise.workspace.schema import (
    agents,
    conversation_members,
    conversations,
    jobs,
    members,
    messages,
    requests,
)
from handraise.workspace.views.shapes import answered, gathered
from handraise.workspace.views.threads import Talk, talk_columns
from handraise.workspace.words import ConversationKind


class Conversation(Talk, frozen=True, kw_only=True):
    """A direct message or a group, with the names of the others in it."""

    id: UUID
    kind: ConversationKind
    name: str
    agent: str | None
    others: tuple[str, ...]


async def conversation(
    connection: AsyncConnection, member_id: UUID, conversation_id: UUID, *, before: datetime | None = None
) -> Conversation | None:
    """Return a direct message or a group of the member's."""
    statement = (
        select(
            conversations.c.id,
            conversations.c.kind,
            conversations.c.name,
            select(agents.c.handle)
            .where(agents.c.id == conversations.c.agent_id)
            .scalar_subquery()
            .label("agent"),
            gathered(_others(conversation_id, member_id)).label("others_rows"),
            *talk_columns(
                messages.c.place_id == conversation_id,
                requests.c.place_id == conversation_id,
                jobs.c.place_id == conversation_id,
                before,
            ),
        )
        .select_from(conversations)
        .where(conversations.c.id == conversation_id, may_read_conversation(member_id))
    )
    found = await answered(connection, statement, _ConversationRow)
    if found is None:
        return None
    return Conversation(
        id=found.id,
        kind=found.kind,
        name=found.name,
        agent=found.agent,
        others=tuple(other.name for other in found.others_rows),
        messages=found.messages,
        cards=found.cards,
        work=found.work,
        reads=found.reads,
    )


async def conversation_kind(
    connection: AsyncConnection, member_id: UUID, conversation_id: UUID
) -> ConversationKind | None:
    """Return whether a conversation of the member's is a direct message or a group."""
    kind = await connection.scalar(
        select(conversations.c.kind).where(
            conversations.c.id == conversation_id, may_read_conversation(member_id)
        )
    )
    return None if kind is None else ConversationKind(kind)


class _Other(msgspec.Struct, frozen=True):
    name: str


class _ConversationRow(Talk, frozen=True, kw_only=True):
    id: UUID
    kind: ConversationKind
    name: str
    agent: str | None
    others_rows: tuple[_Other, ...]


def _others(conversation_id: UUID, member_id: UUID) -> Select[Any]:
    return (
        select(members.c.name)
        .select_from(conversation_members.join(members, members.c.id == conversation_members.c.member_id))
        .where(
            conversation_members.c.conversation_id == conversation_id,
            conversation_members.c.member_id != member_id,
        )
        .order_by(members.c.name)
    )
