"""What tests of the workspace stand on: a furnished database, the runner's connections, a judge in-process."""

from collections.abc import AsyncIterator

import pytest

from handraise.permissions.bench import Bench
from handraise.permissions.cache import FactsCache
from handraise.workspace.database import Database
from tests.integration.workspace.world import World, new_world
from tests.support.databases import DatabaseForTest


@pytest.fixture
async def world(module_database: DatabaseForTest) -> AsyncIterator[World]:
    """An empty workspace of the test's own."""
    async with new_world(module_database) as made:
        yield made


@pytest.fixture
async def db(module_database: DatabaseForTest) -> AsyncIterator[Database]:
    """The runner's connections, with its rights."""
    opened = await Database.open(module_database.dsn("runner"), size=4)
    yield opened
    await opened.close()


@pytest.fixture
async def judge(module_database: DatabaseForTest) -> AsyncIterator[Bench]:
    """The judge itself, with the permissions service's rights, keeping no facts."""
    opened = await Database.open(module_database.dsn("permissions"), size=2)
    yield Bench(opened, FactsCache(ttl=0, kept=0))
    await opened.close()
