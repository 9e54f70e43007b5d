"""How a write makes a row whose id comes from its key: once."""

from typing import Any

from sqlalchemy import Table
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.order import Again


async def create(connection: AsyncConnection, table: Table, **values: Any) -> None:
    """Insert a row. Raises Again when one with this id is there: another run under the key has made it."""
    statement = (
        insert(table).values(**values).on_conflict_do_nothing(index_elements=["id"]).returning(table.c.id)
    )
    if (await connection.execute(statement)).first() is None:
        raise Again
