"""Send somebody a direct message, in the one conversation that two people have."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.conversations import direct
from handraise.workspace.actions.order import Cannot, Order, Receipt, Write
from handraise.workspace.actions.rows import create, person
from handraise.workspace.actions.wording import check_text
from handraise.workspace.policy import Act, SubjectKind
from handraise.workspace.schema import messages
from handraise.workspace.words import Surface


class SendDm(Struct, frozen=True, forbid_unknown_fields=True):
    person_id: Annotated[UUID, Meta(description="The person's id, as find_people returned it.")]
    text: Annotated[str, Meta(description="The message, in Markdown, exactly as they will read it.")]


async def run(connection: AsyncConnection, order: Order, arguments: SendDm) -> Receipt:
    name = await person(connection, order, arguments.person_id)
    if arguments.person_id == order.member_id:
        raise Cannot("Nobody can send a direct message to themselves. Choose somebody else.")
    conversation_id = await direct(connection, order.workspace_id, order.member_id, arguments.person_id)
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
        f"/dm/{conversation_id}#m-{message_id}",
        {"To": name},
        {
            "message": str(message_id),
            "conversation": str(conversation_id),
            "person": str(arguments.person_id),
        },
    )


def check(arguments: SendDm) -> None:
    check_text(arguments.text, "message")


WRITE = Write(
    name="send_dm",
    arguments=SendDm,
    act=Act.DM_SEND,
    subjects=(("person_id", SubjectKind.MEMBER),),
    run=run,
    check=check,
)
