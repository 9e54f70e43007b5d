"""Write a message to a group."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.order import Cannot, Order, Receipt, Write
from handraise.workspace.actions.post_to_channel import people
from handraise.workspace.actions.rows import create
from handraise.workspace.actions.wording import check_text
from handraise.workspace.policy import Act, SubjectKind
from handraise.workspace.schema import conversation_members, conversations, messages
from handraise.workspace.words import Surface


class MessageGroup(Struct, frozen=True, forbid_unknown_fields=True):
    group: Annotated[
        str,
        Meta(description="The group's name or id. A proposal keeps the id, so that it outlives a new name."),
    ]
    text: Annotated[str, Meta(description="The message, in Markdown, exactly as people will read it.")]


def group_name(name: str) -> str:
    """Return how a group is called that may have no name."""
    return f"the group {name}" if name else "a group"


async def run(connection: AsyncConnection, order: Order, arguments: MessageGroup) -> Receipt:
    group_id = UUID(arguments.group)
    audience = (
        select(func.count())
        .where(conversation_members.c.conversation_id == conversations.c.id)
        .correlate(conversations)
        .scalar_subquery()
    )
    statement = select(conversations.c.name, audience.label("audience")).where(
        conversations.c.id == group_id, conversations.c.workspace_id == order.workspace_id
    )
    group = (await connection.execute(statement)).first()
    if group is None:
        raise Cannot("The group is gone; nothing was sent.")
    message_id = order.derived("message")
    await create(
        connection,
        messages,
        id=message_id,
        workspace_id=order.workspace_id,
        surface=Surface.GROUP,
        place_id=group_id,
        author_id=order.member_id,
        job_id=order.job_id,
        body=arguments.text,
    )
    name = group_name(group.name)
    return Receipt(
        f"Wrote to {name}",
        f"/dm/{group_id}#m-{message_id}",
        {"To": f"{name}, {people(group.audience)}"},
        {"message": str(message_id), "conversation": str(group_id)},
    )


def check(arguments: MessageGroup) -> None:
    check_text(arguments.text, "message")


WRITE = Write(
    name="message_group",
    arguments=MessageGroup,
    act=Act.GROUP_POST,
    subjects=(("group", SubjectKind.CONVERSATION),),
    run=run,
    check=check,
)
