"""Conversations as the writes make and find them: direct messages by their pair, groups."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.common.ids import derive
from handraise.workspace.schema import conversation_members, conversations
from handraise.workspace.words import ConversationKind


def pair_of(one: UUID, other: UUID) -> str:
    """Return the `pair` of a direct message: both ends in order, so that two have one conversation."""
    first, second = sorted((str(one), str(other)))
    return f"{first}:{second}"


async def direct(
    connection: AsyncConnection,
    workspace_id: UUID,
    member_id: UUID,
    other_id: UUID,
    *,
    agent_id: UUID | None = None,
    name: str = "",
) -> UUID:
    """Return the one conversation of two, made where it is not there. `other_id` is a member unless it is the
    agent's, or of nobody: `name` says then who speaks."""
    pair = pair_of(member_id, other_id)
    # Whichever of its keys another run is just about to insert, this waits for it and then finds the row.
    await connection.execute(
        insert(conversations)
        .values(
            id=derive(workspace_id, "dm", pair),
            workspace_id=workspace_id,
            kind=ConversationKind.DM,
            pair=pair,
            agent_id=agent_id,
            name=name,
        )
        .on_conflict_do_nothing()
    )
    statement = select(conversations.c.id).where(
        conversations.c.workspace_id == workspace_id, conversations.c.pair == pair
    )
    conversation_id: UUID = (await connection.execute(statement)).scalar_one()
    people = [member_id] if agent_id or name else [member_id, other_id]
    await join(connection, workspace_id, conversation_id, people)
    return conversation_id


async def join(
    connection: AsyncConnection, workspace_id: UUID, conversation_id: UUID, people: Sequence[UUID]
) -> None:
    """Make people take part."""
    rows = [
        {"workspace_id": workspace_id, "conversation_id": conversation_id, "member_id": person}
        for person in people
    ]
    await connection.execute(insert(conversation_members).values(rows).on_conflict_do_nothing())
