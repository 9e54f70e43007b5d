"""Looks into a house's database as its owner, whom no row-level security binds."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import asyncpg
import nats

from handraise.common.bus import subjects
from handraise.common.bus.messages import MembershipChanged
from handraise.common.bus.publish import Bus
from handraise.common.ids import new_id


class Records:
    """The owner's view. Made by `records`."""

    def __init__(self, connection: asyncpg.Connection) -> None:
        self._connection = connection

    async def value(self, sql: str, *given: Any) -> Any:
        """Return one value."""
        return await self._connection.fetchval(sql, *given)

    async def rows(self, sql: str, *given: Any) -> list[dict[str, Any]]:
        """Return all rows."""
        return [dict(row) for row in await self._connection.fetch(sql, *given)]

    async def run(self, sql: str, *given: Any) -> None:
        """Change something behind everybody's back."""
        await self._connection.execute(sql, *given)

    async def audit(self, job_id: UUID | str) -> list[tuple[str, str]]:
        """Return tag and verdict of what a job left in the audit, oldest first."""
        rows = await self.rows(
            "SELECT tag, verdict FROM audit WHERE job_id = $1::uuid ORDER BY at, tag", str(job_id)
        )
        return [(row["tag"], row["verdict"]) for row in rows]


@asynccontextmanager
async def records(database_url: str) -> AsyncIterator[Records]:
    """Connect as the owner."""
    connection = await asyncpg.connect(database_url)
    try:
        yield Records(connection)
    finally:
        await connection.close()


async def announce_rights(nats_url: str, workspace_id: UUID) -> None:
    """Tell everybody that somebody's rights changed, as whoever changes them does."""
    connection = await nats.connect(nats_url)
    try:
        event = MembershipChanged(workspace_id=workspace_id)
        id = new_id()
        await Bus(connection).publish(
            subjects.evt(workspace_id, "membership", id), event, id=f"membership.{id}"
        )
        await connection.flush()
    finally:
        await connection.close()
