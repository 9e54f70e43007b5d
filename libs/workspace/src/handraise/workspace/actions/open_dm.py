"""Open the one conversation that two people have, with nothing said in it yet."""

from uuid import UUID

from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.conversations import direct
from handraise.workspace.actions.order import Cannot, Order, Receipt, Write
from handraise.workspace.actions.rows import person
from handraise.workspace.policy import Act, SubjectKind


class OpenDm(Struct, frozen=True, forbid_unknown_fields=True):
    person_id: UUID


async def run(connection: AsyncConnection, order: Order, arguments: OpenDm) -> Receipt:
    name = await person(connection, order, arguments.person_id)
    if arguments.person_id == order.member_id:
        raise Cannot("Nobody can have a conversation with themselves. Choose somebody else.")
    conversation_id = await direct(connection, order.workspace_id, order.member_id, arguments.person_id)
    return Receipt(
        f"Opened a conversation with {name}",
        f"/dm/{conversation_id}",
        {"With": name},
        {"conversation": str(conversation_id), "person": str(arguments.person_id)},
    )


def check(_: OpenDm) -> None:
    """Whether somebody can be written to is for the judge to say."""


WRITE = Write(
    name="open_dm",
    arguments=OpenDm,
    act=Act.DM_SEND,
    subjects=(("person_id", SubjectKind.MEMBER),),
    run=run,
    check=check,
    by_hand=True,
)
