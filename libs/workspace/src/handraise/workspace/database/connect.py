"""Connections that know their workspace, so that row-level security holds for every statement on them.

Two ways to one database: `hot` is bare asyncpg for the named statements of a job's path, one statement and
one round trip each; `read` and `write` are SQLAlchemy for everything else. On all of them the workspace is
set for the session, and only when the connection last served another one: setting it per transaction would
cost two more round trips a statement.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import asyncpg
import msgspec
from asyncpg.pool import PoolConnectionProxy
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from handraise.common.ids import new_id

Hot = PoolConnectionProxy  # what `hot` lends: call it like an asyncpg connection

_SET = "SELECT set_config('handraise.workspace', $1, false)"


class HotConnection(asyncpg.Connection):
    """An asyncpg connection that remembers which workspace it is set to."""

    __slots__ = ("workspace_id",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.workspace_id: UUID | None = None


def _encode_json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


async def _set_up(connection: asyncpg.Connection) -> None:
    await connection.set_type_codec(
        "jsonb", schema="pg_catalog", encoder=_encode_json, decoder=msgspec.json.decode
    )


async def _keep(_: Any) -> None:
    """Leave a released connection as it is: our statements leave nothing behind to reset."""


class Database:
    """One service's connections. Made once by `open`, closed by `close`.

    Nothing is readable before a workspace is set: the policies compare with an unset value, which is null.
    """

    def __init__(self, pool: asyncpg.Pool, engine: AsyncEngine) -> None:
        self._pool = pool
        self.engine = engine

    @classmethod
    async def open(cls, dsn: str, *, size: int = 8, name: str = "handraise") -> "Database":
        """Connect to `dsn` (`postgresql://…`). Raises OSError or asyncpg errors when it can't be reached."""
        pool = await asyncpg.create_pool(
            dsn,
            min_size=1,
            max_size=size,
            connection_class=HotConnection,
            init=_set_up,
            reset=_keep,
            max_inactive_connection_lifetime=0,
            # The hot statements are few and always of one shape: planning them anew each time costs more than
            # running them.
            server_settings={"application_name": name, "plan_cache_mode": "force_generic_plan"},
        )
        url = make_url(dsn).set(drivername="postgresql+asyncpg")
        engine = create_async_engine(
            url,
            pool_size=size,
            max_overflow=4,
            json_serializer=_encode_json,
            json_deserializer=msgspec.json.decode,
            connect_args={
                "server_settings": {"application_name": name},
                # A prepared statement's name is its connection's own affair: unique, so that a pooler
                # between us and the server never meets one twice.
                "prepared_statement_name_func": lambda: f"__hr_{new_id()}__",
            },
        )
        return cls(pool, engine)

    async def close(self) -> None:
        """Give every connection back to the server."""
        await self.engine.dispose()
        await self._pool.close()

    @asynccontextmanager
    async def hot(self, workspace_id: UUID) -> AsyncIterator["Hot"]:
        """Lend an asyncpg connection set to the workspace, in autocommit."""
        async with self._pool.acquire() as proxy:
            connection: HotConnection = proxy._con  # type: ignore[attr-defined]
            if connection.workspace_id != workspace_id:
                await proxy.execute(_SET, str(workspace_id))
                connection.workspace_id = workspace_id
            yield proxy

    @asynccontextmanager
    async def read(self, workspace_id: UUID) -> AsyncIterator[AsyncConnection]:
        """Lend a SQLAlchemy connection set to the workspace, in autocommit: one statement, one round trip."""
        async with self.engine.connect() as connection:
            await connection.execution_options(isolation_level="AUTOCOMMIT")
            await _set(connection, workspace_id)
            yield connection

    @asynccontextmanager
    async def write(self, workspace_id: UUID) -> AsyncIterator[AsyncConnection]:
        """Lend a SQLAlchemy connection in one transaction, committed when the block ends well."""
        async with self.engine.connect() as connection:
            await _set(connection, workspace_id)
            async with connection.begin():
                yield connection

    async def ping(self) -> None:
        """Ask the server for a sign of life. Raises what asyncpg raises when there is none."""
        async with self._pool.acquire() as connection:
            await connection.execute("SELECT 1")


async def _set(connection: AsyncConnection, workspace_id: UUID) -> None:
    # Straight on the driver's connection, before SQLAlchemy begins anything: a rollback must not take it back.
    raw = await connection.get_raw_connection()
    if raw.info.get("workspace_id") != workspace_id:
        driver: asyncpg.Connection = raw.driver_connection  # type: ignore[assignment]
        await driver.execute(_SET, str(workspace_id))
        raw.info["workspace_id"] = workspace_id
