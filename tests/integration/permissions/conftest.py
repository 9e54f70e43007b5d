"""The permissions service as it is started, on a real bus and a real database."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack

import nats
import pytest
from nats.aio.client import Client

from handraise.common.judge import NatsJudge
from handraise.common.service import Running
from handraise.permissions.app import start
from handraise.permissions.settings import PermissionsSettings
from tests.integration.workspace.conftest import Office, office
from tests.integration.workspace.world import World, new_world
from tests.support.databases import DatabaseForTest

__all__ = ["Office", "office"]

Starter = Callable[[], Awaitable[Running]]


@pytest.fixture
async def world(database: DatabaseForTest) -> AsyncIterator[World]:
    async with new_world(database) as made:
        yield made


@pytest.fixture
async def replica(database: DatabaseForTest, bus_url: str) -> AsyncIterator[Starter]:
    """Starts replicas of the service, which are stopped in order at the end."""
    settings = PermissionsSettings(database_url=database.dsn("permissions"), nats_url=bus_url)
    async with AsyncExitStack() as stack:

        async def begin() -> Running:
            own = await stack.enter_async_context(AsyncExitStack())
            running = Running(own)
            await start(settings, running)
            return running

        yield begin


@pytest.fixture
async def connection(bus_url: str) -> AsyncIterator[Client]:
    """Somebody else's connection to the bus."""
    client = await nats.connect(bus_url)
    yield client
    await client.close()


@pytest.fixture
def judge(connection: Client) -> NatsJudge:
    """The way in which other services ask."""
    return NatsJudge(connection)
