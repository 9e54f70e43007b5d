"""Change what somebody is in the workspace: admin, member or guest; active or deactivated."""

from typing import Any
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.order import Cannot, Effect, Order, Receipt, Write
from handraise.workspace.policy import Act
from handraise.workspace.schema import members, workspaces
from handraise.workspace.words import MemberRole, MemberStatus


class ChangePerson(Struct, frozen=True, forbid_unknown_fields=True):
    """What is not given stays as it is. Somebody deactivated keeps their history and can do nothing."""

    person_id: UUID
    role: MemberRole | UnsetType = UNSET
    status: MemberStatus | UnsetType = UNSET


async def run(connection: AsyncConnection, order: Order, arguments: ChangePerson) -> Receipt:
    # One at a time, so that two admins can't make each other the last.
    await connection.execute(
        select(workspaces.c.id).where(workspaces.c.id == order.workspace_id).with_for_update()
    )
    this = (members.c.id == arguments.person_id, members.c.workspace_id == order.workspace_id)
    row = (
        await connection.execute(select(members.c.name, members.c.role, members.c.status).where(*this))
    ).first()
    if row is None:
        raise Cannot("There is no such person in this workspace; nothing was changed.")
    values: dict[str, Any] = {}
    facts: dict[str, str] = {}
    if arguments.role is not UNSET and arguments.role != row.role:
        values["role"] = arguments.role
        facts["Role"] = f"{row.role} → {arguments.role.value}"
    if arguments.status is not UNSET and arguments.status != row.status:
        values["status"] = arguments.status
        facts["Status"] = f"{row.status} → {arguments.status.value}"
    if not values:
        raise Cannot(f"{row.name} is that already; nothing was changed.")
    await connection.execute(update(members).where(*this).values(**values))
    admins = select(members.c.id).where(
        members.c.workspace_id == order.workspace_id,
        members.c.role == MemberRole.ADMIN,
        members.c.status == MemberStatus.ACTIVE,
    )
    if (await connection.execute(admins.limit(1))).first() is None:
        raise Cannot(
            f"{row.name} is the only active admin of the workspace; make somebody else an admin first."
        )
    return Receipt(
        f"Changed what {row.name} is in the workspace",
        "/people",
        {"Person": row.name, **facts},
        {"person": str(arguments.person_id)},
    )


def check(_: ChangePerson) -> None:
    """Whether a change leaves an admin is for the database to say."""


WRITE = Write(
    name="change_person",
    arguments=ChangePerson,
    act=Act.MEMBER_MANAGE,
    run=run,
    check=check,
    by_hand=True,
    leads_to=Effect.CHANGES_RIGHTS,
)
