"""Take somebody out of a team, a project or a channel."""

from msgspec import Struct
from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.membership import OfPlace, check, keep_an_admin, role_of, subject_of, take
from handraise.workspace.actions.order import Cannot, Effect, Order, Receipt, Write
from handraise.workspace.actions.rows import person
from handraise.workspace.policy import Act
from handraise.workspace.words import Role


class RemoveMember(OfPlace, Struct, frozen=True, forbid_unknown_fields=True):
    pass


async def run(connection: AsyncConnection, order: Order, arguments: RemoveMember) -> Receipt:
    place = await take(connection, order, arguments)
    name = await person(connection, order, arguments.person_id)
    there = await role_of(connection, place, arguments.person_id)
    if there is None:
        raise Cannot(f"{name} is not in {place.name}; nothing was changed.")
    if there is Role.ADMIN:
        await keep_an_admin(connection, place, arguments.person_id)
    await connection.execute(delete(place.memberships).where(place.of(arguments.person_id)))
    return place.receipt(f"Took {name} out of {place.name}", arguments.person_id, {})


WRITE = Write(
    name="remove_member",
    arguments=RemoveMember,
    act=Act.MEMBERSHIP_CHANGE,
    subject_of=subject_of,
    run=run,
    check=check,
    by_hand=True,
    leads_to=Effect.CHANGES_RIGHTS,
)
