"""Add somebody to a team, a project or a channel."""

from msgspec import Struct
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.membership import OfPlace, check, role_of, subject_of, take
from handraise.workspace.actions.order import Cannot, Effect, Order, Receipt, Write
from handraise.workspace.actions.rows import person
from handraise.workspace.policy import Act
from handraise.workspace.words import Role


class AddMember(OfPlace, Struct, frozen=True, forbid_unknown_fields=True):
    role: Role = Role.MEMBER


async def run(connection: AsyncConnection, order: Order, arguments: AddMember) -> Receipt:
    place = await take(connection, order, arguments)
    name = await person(connection, order, arguments.person_id, active=True)
    if there := await role_of(connection, place, arguments.person_id):
        raise Cannot(f"{name} is in {place.name} already, as {_an(there)}; nothing was changed.")
    await connection.execute(
        insert(place.memberships).values(
            workspace_id=order.workspace_id,
            member_id=arguments.person_id,
            role=arguments.role,
            **{f"{place.kind}_id": place.id},
        )
    )
    return place.receipt(f"Added {name} to {place.name}", arguments.person_id, {"As": _an(arguments.role)})


def _an(role: Role) -> str:
    return "an admin" if role is Role.ADMIN else "a member"


WRITE = Write(
    name="add_member",
    arguments=AddMember,
    act=Act.MEMBERSHIP_CHANGE,
    subject_of=subject_of,
    run=run,
    check=check,
    by_hand=True,
    leads_to=Effect.CHANGES_RIGHTS,
)
