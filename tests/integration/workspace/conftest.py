"""What tests of the workspace stand on: a furnished database, the runner's connections, a judge in-process."""

from collections.abc import AsyncIterator
from uuid import UUID

import msgspec
import pytest

from handraise.permissions.bench import Bench
from handraise.permissions.cache import FactsCache
from handraise.workspace.database import Database
from handraise.workspace.words import ChannelKind, ConversationKind, MemberRole, MemberStatus
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


class Office(msgspec.Struct, frozen=True):
    """A small workspace in which everybody has another right: Ada admins, Ben is in, Eve is not, Gus is a guest."""

    world: World
    ada: UUID
    ben: UUID
    eve: UUID
    gus: UUID
    gone: UUID
    """Deactivated, but admin of everything."""
    atlas: UUID
    bug: UUID
    general: UUID
    news: UUID
    """Announcement-only."""
    secret: UUID
    """Private, Ada alone."""
    web: UUID
    """A team: Ada admins, Ben is in."""
    plan: UUID
    """A doc of Atlas, Ada's."""
    deploy: UUID
    """A group of Ada, Ben and Gus. There are two more of Ada's by one name, twins."""
    wake: UUID
    """A reminder of Ada's, in a year."""
    boss: UUID
    """An admin of the workspace who is in nothing."""

    @property
    def id(self) -> UUID:
        return self.world.id


@pytest.fixture
async def office(world: World) -> Office:
    ada, ben, eve = [await world.member(name) for name in ("Ada", "Ben", "Eve")]
    gus = await world.member("Gus", MemberRole.GUEST)
    gone = await world.member("Gone", MemberRole.ADMIN, MemberStatus.DEACTIVATED)
    boss = await world.member("Dita", MemberRole.ADMIN)
    web = await world.team("Web")
    await world.join("team", web, [ada, gone], [ben])
    atlas = await world.project("ATL", "Atlas", admins=[ada, gone], members=[ben])
    for other in (ben, eve):
        await world.conversation(ConversationKind.GROUP, [ada, other], name="twins")
    return Office(
        world=world,
        ada=ada,
        ben=ben,
        eve=eve,
        gus=gus,
        gone=gone,
        atlas=atlas,
        bug=await world.task(atlas, 117, "Fix login bug", status="in_review", assignee_id=ben),
        general=await world.channel("general", admins=[ada, gone], members=[ben, gus]),
        news=await world.channel("announcements", ChannelKind.ANNOUNCEMENT, admins=[ada], members=[ben]),
        secret=await world.channel("secret", ChannelKind.PRIVATE, admins=[ada]),
        web=web,
        plan=await world.doc(ada, "project", "The plan", body="We deploy on Thursday.", project_id=atlas),
        deploy=await world.conversation(ConversationKind.GROUP, [ada, ben, gus], name="deploy"),
        wake=await world.reminder(ada, "Wake up"),
        boss=boss,
    )
