"""Send somebody a direct message, opening the conversation where there is none yet."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct
from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.common.ids import derive
from handraise.workspace.actions.order import Cannot, Order, Receipt, Write
from handraise.workspace.actions.rows import create
from handraise.workspace.actions.wording import check_text
from handraise.workspace.policy import Act, SubjectKind
from handraise.workspace.schema import conversation_members, conversations, members, messages
from handraise.workspace.words import ConversationKind, Surface


class SendDm(Struct, frozen=True, forbid_unknown_fields=True):
    person_id: Annotated[UUID, Meta(description="The person's id, as find_people returned it.")]
    text: Annotated[str, Meta(description="The message, in Markdown, exactly as they will read it.")]


def pair_of(one: UUID, other: UUID) -> str:
    """Return the `pair` of a direct message: both ends in order, so that two have one conversation."""
    first, second = sorted((str(one), str(other)))
    return f"{first}:{second}"


async def run(connection: AsyncConnection, order: Order, arguments: SendDm) -> Receipt:
    statement = select(members.c.name).where(
        members.c.id == arguments.person_id, members.c.workspace_id == order.workspace_id
    )
    name = (await connection.execute(statement)).scalar_one_or_none()
    if name is None:
        raise Cannot("The person is gone; nothing was sent.")
    if arguments.person_id == order.member_id:
        raise Cannot("Nobody can send a direct message to themselves. Choose somebody else.")
    conversation_id = await _conversation(connection, order, arguments.person_id)
    message_id = order.derived("message")
    await create(
        connection,
        messages,
        id=message_id,
        workspace_id=order.workspace_id,
        surface=Surface.DM,
        place_id=conversation_id,
        author_id=order.member_id,
        job_id=order.job_id,
        body=arguments.text,
    )
    return Receipt(
        f"Sent {name} a direct message",
        f"/conversations/{conversation_id}#m-{message_id}",
        {"To": name},
        {
            "message": str(message_id),
            "conversation": str(conversation_id),
            "person": str(arguments.person_id),
        },
    )


async def _conversation(connection: AsyncConnection, order: Order, person_id: UUID) -> UUID:
    pair = pair_of(order.member_id, person_id)
    # An update that changes nothing, so that the row comes back whoever made it.
    opened = (
        upsert(conversations)
        .values(
            id=derive(order.workspace_id, "dm", pair),
            workspace_id=order.workspace_id,
            kind=ConversationKind.DM,
            pair=pair,
        )
        .on_conflict_do_update(index_elements=["workspace_id", "pair"], set_={"pair": pair})
        .returning(conversations.c.id)
    )
    conversation_id: UUID = (await connection.execute(opened)).scalar_one()
    ends = [
        {"workspace_id": order.workspace_id, "conversation_id": conversation_id, "member_id": end}
        for end in (order.member_id, person_id)
    ]
    await connection.execute(upsert(conversation_members).values(ends).on_conflict_do_nothing())
    return conversation_id


def check(arguments: SendDm) -> None:
    check_text(arguments.text, "message")


WRITE = Write(
    name="send_dm",
    arguments=SendDm,
    act=Act.DM_SEND,
    subject_kind=SubjectKind.MEMBER,
    subject_argument="person_id",
    run=run,
    check=check,
)
