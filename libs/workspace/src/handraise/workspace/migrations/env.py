"""How Alembic reaches the database: the address comes from whoever calls, the tables from `schema`."""

import asyncio

from alembic import context
from sqlalchemy.engine import Connection, make_url
from sqlalchemy.ext.asyncio import create_async_engine

from handraise.workspace.schema import metadata


def _run(connection: Connection) -> None:
    context.configure(connection=connection, target_metadata=metadata, compare_type=True)
    with context.begin_transaction():
        context.run_migrations()


async def _online(dsn: str) -> None:
    engine = create_async_engine(make_url(dsn).set(drivername="postgresql+asyncpg"))
    async with engine.connect() as connection:
        await connection.run_sync(_run)
        await connection.commit()
    await engine.dispose()


asyncio.run(_online(context.config.attributes["dsn"]))
