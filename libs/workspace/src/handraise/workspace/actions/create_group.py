"""Create a group: a conversation of several people, with a name."""

from uuid import UUID

from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.conversations import join
from handraise.workspace.actions.order import Cannot, Order, Receipt, Write
from handraise.workspace.actions.post_to_channel import people as counted
from handraise.workspace.actions.rows import create
from handraise.workspace.actions.wording import check_title
from handraise.workspace.policy import Act
from handraise.workspace.schema import conversations, members
from handraise.workspace.words import ConversationKind, MemberStatus

MOST = 50


class CreateGroup(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    people: tuple[UUID, ...]
    """Beside whoever creates it."""


async def run(connection: AsyncConnection, order: Order, arguments: CreateGroup) -> Receipt:
    others = [id for id in dict.fromkeys(arguments.people) if id != order.member_id]
    if not others:
        raise Cannot("A group needs somebody else; choose at least one person.")
    statement = select(members.c.id, members.c.name, members.c.status).where(
        members.c.id.in_(others), members.c.workspace_id == order.workspace_id
    )
    found = {row.id: row for row in await connection.execute(statement)}
    if missing := [id for id in others if id not in found]:
        raise Cannot(f"There is no person {missing[0]} in this workspace; no group was created.")
    if gone := [found[id].name for id in others if found[id].status != MemberStatus.ACTIVE]:
        raise Cannot(f"{', '.join(gone)} can't be added: deactivated. No group was created.")
    name, group_id = arguments.name.strip(), order.derived("conversation")
    await create(
        connection,
        conversations,
        id=group_id,
        workspace_id=order.workspace_id,
        kind=ConversationKind.GROUP,
        name=name,
    )
    await join(connection, order.workspace_id, group_id, [order.member_id, *others])
    return Receipt(
        f"Created the group {name}",
        f"/dm/{group_id}",
        {"Group": name, "With": counted(len(others) + 1)},
        {"conversation": str(group_id)},
    )


def check(arguments: CreateGroup) -> None:
    check_title(arguments.name, "name")
    if len(arguments.people) > MOST:
        raise Cannot(f"A group has at most {MOST} people; make a channel for more.")


WRITE = Write(
    name="create_group", arguments=CreateGroup, act=Act.GROUP_CREATE, run=run, check=check, by_hand=True
)
