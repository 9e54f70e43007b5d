"""Channels, what is said in them, and people, as the read tools and the previews see them."""

from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, func, select, true, union_all
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.common.ids import parse_id
from handraise.workspace.gates import may_read_channel
from handraise.workspace.schema import agents, channel_members, channels, members, messages
from handraise.workspace.words import MemberStatus, MessageKind

SHOWN = (MessageKind.TEXT, MessageKind.QUESTION, MessageKind.ANSWER, MessageKind.FINAL)
LONGEST = 2000


async def channel_talk(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, channel: str, limit: int
) -> tuple[str, list[dict[str, str]]] | None:
    """Return a channel's name and its newest messages, oldest of them first; None when there is none to see.

    The newest `limit` that were posted and the replies in their threads, of all these the newest `limit`.
    """
    found = (
        select(channels.c.id, channels.c.name)
        .where(channels.c.workspace_id == workspace_id, _is(channel), may_read_channel(member_id))
        .cte("found")
    )
    roots = (
        select(messages.c.id)
        .where(
            messages.c.place_id == select(found.c.id).scalar_subquery(),
            messages.c.workspace_id == workspace_id,
            messages.c.thread_id.is_(None),
        )
        .order_by(messages.c.created_at.desc())
        .limit(limit)
        .cte("roots")
    )
    columns = (messages.c.author_id, messages.c.agent_id, messages.c.body, messages.c.created_at)
    said = select(*columns).where(messages.c.workspace_id == workspace_id, messages.c.kind.in_(SHOWN))
    lines = union_all(
        said.join(roots, roots.c.id == messages.c.id), said.join(roots, roots.c.id == messages.c.thread_id)
    ).subquery("lines")
    newest = (
        select(
            lines.c.created_at,
            lines.c.body,
            func.coalesce(agents.c.name, members.c.name, "somebody who left").label("author"),
        )
        .select_from(
            lines.outerjoin(members, members.c.id == lines.c.author_id).outerjoin(
                agents, agents.c.id == lines.c.agent_id
            )
        )
        .order_by(lines.c.created_at.desc())
        .limit(limit)
        .subquery("newest")
    )
    statement = (
        select(found.c.name, newest)
        .select_from(found.outerjoin(newest, true()))
        .order_by(newest.c.created_at)
    )
    rows = (await connection.execute(statement)).all()
    if not rows:
        return None
    return rows[0].name, [
        {"author": row.author, "at": row.created_at.isoformat(), "text": shortened(row.body)}
        for row in rows
        if row.created_at is not None
    ]


async def channel_seen(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, channel: str
) -> Row[Any, Any, Any] | None:
    """Return `id`, `name` and `audience`, its active members, of a channel the member can see."""
    who, of = members.alias(), channel_members.alias()
    audience = (
        select(func.count())
        .select_from(of.join(who, who.c.id == of.c.member_id))
        .where(of.c.channel_id == channels.c.id, who.c.status == MemberStatus.ACTIVE)
        .correlate(channels)
        .scalar_subquery()
    )
    statement = select(channels.c.id, channels.c.name, audience.label("audience")).where(
        channels.c.workspace_id == workspace_id, _is(channel), may_read_channel(member_id)
    )
    return (await connection.execute(statement)).first()


async def channel_names(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, channel: str
) -> list[str]:
    """Return names of channels the member can see, those with `channel` in them first.

    What to choose from when a name was wrong.
    """
    near = channels.c.name.icontains(channel.strip().removeprefix("#"), autoescape=True)
    statement = (
        select(channels.c.name)
        .where(channels.c.workspace_id == workspace_id, may_read_channel(member_id))
        .order_by(near.desc(), channels.c.name)
        .limit(20)
    )
    return list((await connection.execute(statement)).scalars())


async def person_seen(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, person_id: UUID
) -> str | None:
    """Return the name of an active person of the workspace."""
    statement = select(members.c.name).where(
        members.c.id == person_id,
        members.c.workspace_id == workspace_id,
        members.c.status == MemberStatus.ACTIVE,
        _is_active(member_id, workspace_id),
    )
    name: str | None = (await connection.execute(statement)).scalar_one_or_none()
    return name


def shortened(text: str) -> str:
    """Return `text`, cut where it is too long to be read along with others."""
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def _is(channel: str) -> ColumnElement[bool]:
    name = channel.strip().removeprefix("#")
    id = parse_id(name)
    named = func.lower(channels.c.name) == name.lower()
    return named if id is None else channels.c.id == id


def _is_active(member_id: UUID, workspace_id: UUID) -> ColumnElement[bool]:
    who = members.alias()
    return (
        select(1)
        .where(
            who.c.id == member_id,
            who.c.workspace_id == workspace_id,
            who.c.status == MemberStatus.ACTIVE,
        )
        .exists()
    )
