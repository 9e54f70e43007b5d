"""A house with a scripted model, and a small workspace in it."""

from collections.abc import AsyncIterator

import pytest

from handraise.dev.client import Client
from tests.integration.workspace.world import World, new_world
from tests.support.databases import DatabaseForTest
from tests.support.inhouse import InHouse, People, inhouse, people_of
from tests.support.scripted import ScriptedChat


@pytest.fixture
async def world(database: DatabaseForTest) -> AsyncIterator[World]:
    async with new_world(database) as made:
        yield made


@pytest.fixture
async def people(world: World) -> People:
    return await people_of(world)


@pytest.fixture
def chat() -> ScriptedChat:
    return ScriptedChat("Hello.")


@pytest.fixture
async def cold(
    database: DatabaseForTest, bus_url: str, chat: ScriptedChat, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[InHouse]:
    """A house in which nothing was started yet."""
    async with inhouse(database, bus_url, chat, monkeypatch) as made:
        yield made


@pytest.fixture
async def house(cold: InHouse) -> InHouse:
    """The same with all its services."""
    await cold.start()
    return cold


@pytest.fixture
async def ada(house: InHouse, people: People) -> AsyncIterator[Client]:
    async with house.as_(people.world, people.ada) as client:
        yield client
