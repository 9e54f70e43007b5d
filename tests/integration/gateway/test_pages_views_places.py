"""What the pages of people, places, docs and reminders read: one gated statement, and nothing of others."""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.common.ids import new_id
from handraise.workspace.database import Database
from handraise.workspace.subjects import SubjectKind
from handraise.workspace.views import belonging, doc_pages, people, projects, reminder_pages, team_pages
from handraise.workspace.words import ChannelKind, ConversationKind
from tests.integration.workspace.world import World, new_world, statements_of
from tests.support.databases import DatabaseForTest


@pytest.fixture
async def db(module_database: DatabaseForTest) -> AsyncIterator[Database]:
    """The gateway's connections, with its rights."""
    opened = await Database.open(module_database.dsn("gateway"), size=4)
    yield opened
    await opened.close()


class Scene:
    """Ada and Ben share a team, a project, a private channel, a group and a doc; Eve is a guest in nothing."""

    def __init__(self, world: World) -> None:
        self.world = world

    async def play(self) -> "Scene":
        world = self.world
        self.ada, self.ben = [await world.member(name) for name in ("Ada", "Ben")]
        self.eve = await world.member("Eve", role="guest")
        self.team = await world.team("Product")
        await world.join("team", self.team, [self.ada], [self.ben])
        self.project = await world.project("ATL", "Atlas", admins=[self.ada], members=[self.ben])
        await world.run("UPDATE projects SET team_id = $2 WHERE id = $1", self.project, self.team)
        self.task = await world.task(self.project, 118, "Fix login bug", assignee_id=self.ada)
        self.channel = await world.channel(
            "quiet", ChannelKind.PRIVATE, admins=[self.ada], members=[self.ben]
        )
        self.group = await world.conversation(ConversationKind.GROUP, [self.ada, self.ben], name="Lunch")
        self.doc = new_id()
        await world.put(
            "docs",
            id=self.doc,
            title="Plan",
            body="Now",
            owner_id=self.ada,
            project_id=self.project,
            visibility="project",
            version=2,
        )
        await world.put(
            "doc_revisions",
            doc_id=self.doc,
            version=1,
            title="Plan",
            body="Then",
            author_id=self.ada,
            created_at=datetime.now(UTC),
        )
        await world.put(
            "reminders",
            id=new_id(),
            member_id=self.ada,
            text="Call",
            due_at=datetime.now(UTC) + timedelta(hours=1),
            zone="Europe/Berlin",
        )
        return self


Read = Callable[[AsyncConnection, UUID, Scene], Awaitable[Any]]

PLACES: dict[str, Read] = {
    "project head": lambda c, who, s: projects.project_head(c, who, s.project),
    "doc": lambda c, who, s: doc_pages.doc_page(c, who, s.doc),
    "doc version": lambda c, who, s: doc_pages.revision_page(c, who, s.doc, 1),
    "group": lambda c, who, s: people.group_page(c, who, s.group),
    "team": lambda c, who, s: team_pages.team_page(c, who, s.team),
    "members of a team": lambda c, who, s: belonging.place_members(
        c, s.world.id, who, SubjectKind.TEAM, s.team, "e"
    ),
    "members of a project": lambda c, who, s: belonging.place_members(
        c, s.world.id, who, SubjectKind.PROJECT, s.project
    ),
    "members of a channel": lambda c, who, s: belonging.place_members(
        c, s.world.id, who, SubjectKind.CHANNEL, s.channel, "b"
    ),
}
LISTS: dict[str, Read] = {
    "docs": lambda c, who, s: doc_pages.docs_of(c, who),
    "docs of a project": lambda c, who, s: doc_pages.docs_of(c, who, project_id=s.project),
    "teams": lambda c, who, s: team_pages.teams_of(c, who),
}
OWN: dict[str, Read] = {
    "people": lambda c, who, s: people.people_list(c, s.world.id, who),
    "people by name": lambda c, who, s: people.people_list(c, s.world.id, who, "be"),
    "somebody": lambda c, who, s: people.person_page(c, who, s.ben),
    "chosen people": lambda c, who, s: people.chosen_people(c, who, [s.ben]),
    "reminders": lambda c, who, s: reminder_pages.reminders_of(c, who),
}


@pytest.fixture
async def scene(module_database: DatabaseForTest) -> AsyncIterator[Scene]:
    async with new_world(module_database) as world:
        yield await Scene(world).play()


@pytest.mark.parametrize("region", [*PLACES, *LISTS, *OWN])
async def test_a_region_is_read_and_gated_in_one_statement(db: Database, scene: Scene, region: str) -> None:
    async with db.read(scene.world.id) as connection:
        with statements_of(db) as sent:
            found = await {**PLACES, **LISTS, **OWN}[region](connection, scene.ada, scene)
    assert found
    assert len(sent) == 1


@pytest.mark.parametrize("region", PLACES)
async def test_a_place_of_others_is_like_one_that_is_not_there(
    db: Database, scene: Scene, module_database: DatabaseForTest, region: str
) -> None:
    async with db.read(scene.world.id) as connection:
        assert await PLACES[region](connection, scene.eve, scene) is None
    async with new_world(module_database) as elsewhere, db.read(elsewhere.id) as connection:
        assert await PLACES[region](connection, scene.ada, scene) is None


@pytest.mark.parametrize("region", LISTS)
async def test_lists_hold_only_what_their_reader_may_see(db: Database, scene: Scene, region: str) -> None:
    async with db.read(scene.world.id) as connection:
        assert await LISTS[region](connection, scene.eve, scene) == ()
        await scene.world.run("UPDATE members SET status = 'deactivated' WHERE id = $1", scene.ben)
        assert await LISTS[region](connection, scene.ben, scene) == ()


async def test_reminders_are_ones_own(db: Database, scene: Scene) -> None:
    async with db.read(scene.world.id) as connection:
        assert [r.text for r in (await reminder_pages.reminders_of(connection, scene.ada)).to_come] == [
            "Call"
        ]
        assert (await reminder_pages.reminders_of(connection, scene.ben)).to_come == ()


async def test_somebody_deactivated_sees_nobody_and_is_seen_by_admins_alone(
    db: Database, scene: Scene
) -> None:
    boss = await scene.world.member("Boss", role="admin")
    await scene.world.run("UPDATE members SET status = 'deactivated' WHERE id = $1", scene.ben)
    async with db.read(scene.world.id) as connection:
        assert await people.person_page(connection, scene.ada, scene.ben) is None
        assert await people.person_page(connection, boss, scene.ben)
        assert await people.people_list(connection, scene.world.id, scene.ben) == people.People((), 0)
        listed = await people.people_list(connection, scene.world.id, scene.ada)
        assert [one.name for one in listed.people] == ["Ada", "Boss", "Eve"]
        assert await people.chosen_people(connection, scene.ada, [scene.ben]) == ()


async def test_whom_an_admin_could_add_is_offered_to_nobody_else(db: Database, scene: Scene) -> None:
    async with db.read(scene.world.id) as connection:

        async def others(who: UUID) -> list[str]:
            found = await belonging.place_members(
                connection, scene.world.id, who, SubjectKind.PROJECT, scene.project, "e"
            )
            assert found
            return [one.name for one in found.others]

        assert await others(scene.ada) == ["Eve"]
        assert await others(scene.ben) == []


@pytest.mark.parametrize(
    ("filed", "visibility", "may_edit"),
    [("project", "workspace", False), ("team", "workspace", False), (None, "workspace", True)],
)
async def test_who_may_read_a_doc_of_the_workspace_changes_it_only_from_where_it_is_filed(
    db: Database, scene: Scene, filed: str | None, visibility: str, may_edit: bool
) -> None:
    chen, id = await scene.world.member("Chen"), new_id()
    await scene.world.put(
        "docs",
        id=id,
        title="For all",
        body="",
        owner_id=scene.ada,
        visibility=visibility,
        project_id=scene.project if filed == "project" else None,
        team_id=scene.team if filed == "team" else None,
    )
    async with db.read(scene.world.id) as connection:
        for who, wanted in ((scene.ada, True), (scene.ben, True), (chen, may_edit)):
            found = await doc_pages.doc_page(connection, who, id)
            assert found
            assert found.may_edit is wanted
        assert await doc_pages.doc_page(connection, scene.eve, id) is None
