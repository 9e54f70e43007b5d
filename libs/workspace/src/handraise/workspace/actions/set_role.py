"""Make a member of a team, a project or a channel its admin, or an admin a member."""

from msgspec import Struct
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.membership import OfPlace, check, keep_an_admin, role_of, subject_of, take
from handraise.workspace.actions.order import Cannot, Effect, Order, Receipt, Write
from handraise.workspace.actions.rows import person
from handraise.workspace.policy import Act
from handraise.workspace.words import Role


class SetRole(OfPlace, Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    role: Role


async def run(connection: AsyncConnection, order: Order, arguments: SetRole) -> Receipt:
    place = await take(connection, order, arguments)
    name = await person(connection, order, arguments.person_id, active=arguments.role is Role.ADMIN)
    there = await role_of(connection, place, arguments.person_id)
    if there is None:
        raise Cannot(f"{name} is not in {place.name}; add them first.")
    if there is arguments.role:
        raise Cannot(f"{name} is {there.value} of {place.name} already; nothing was changed.")
    if arguments.role is Role.MEMBER:
        await keep_an_admin(connection, place, arguments.person_id)
    await connection.execute(
        update(place.memberships).where(place.of(arguments.person_id)).values(role=arguments.role)
    )
    change = f"{there.value} → {arguments.role.value}"
    return place.receipt(
        f"Made {name} {'an admin' if arguments.role is Role.ADMIN else 'a member'} of {place.name}",
        arguments.person_id,
        {"Role": change},
    )


WRITE = Write(
    name="set_role",
    arguments=SetRole,
    act=Act.MEMBERSHIP_CHANGE,
    subject_of=subject_of,
    run=run,
    check=check,
    by_hand=True,
    leads_to=Effect.CHANGES_RIGHTS,
)
