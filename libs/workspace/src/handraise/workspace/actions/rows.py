"""How a write makes a row whose id comes from its key: once. And how it looks a person up."""

from typing import Any
from uuid import UUID

from sqlalchemy import Table, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.order import Again, Cannot, Order
from handraise.workspace.schema import members
from handraise.workspace.words import MemberStatus


async def create(connection: AsyncConnection, table: Table, *, taken: str = "", **values: Any) -> None:
    """Insert a row. Raises Again when one with this id is there: another run under the key has made it.

    With `taken`, what to tell when a name of the row is another's: raises Cannot with it.
    """
    made = insert(table).values(**values)
    once = made.on_conflict_do_nothing(index_elements=None if taken else ["id"])
    statement = once.returning(table.c.id)
    if (await connection.execute(statement)).first() is not None:
        return
    mine = select(table.c.id).where(table.c.id == values["id"])
    if taken and (await connection.execute(mine)).first() is None:
        raise Cannot(taken)
    raise Again


async def person(connection: AsyncConnection, order: Order, member_id: UUID, *, active: bool = False) -> str:
    """Return a member's name. Raises Cannot for one who is not there, or, with `active`, deactivated."""
    statement = select(members.c.name, members.c.status).where(
        members.c.id == member_id, members.c.workspace_id == order.workspace_id
    )
    row = (await connection.execute(statement)).first()
    if row is None:
        raise Cannot("There is no such person in this workspace; nothing was changed. Look the person up.")
    if active and row.status != MemberStatus.ACTIVE:
        raise Cannot(f"{row.name} is deactivated; nothing was changed. Choose somebody else.")
    name: str = row.name
    return name
