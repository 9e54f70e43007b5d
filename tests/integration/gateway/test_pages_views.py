"""What pages read: one gated statement a region, and nothing that its reader may not see."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.common.ids import new_id
from handraise.common.questions import Question, render
from handraise.workspace.database import Database
from handraise.workspace.views import conversations, home, jobs, places, projects, tasks, threads
from handraise.workspace.words import (
    ChannelKind,
    ConversationKind,
    MessageKind,
    RequestKind,
    RequestStatus,
    Surface,
)
from tests.integration.workspace.world import World, new_world, statements_of
from tests.support.databases import DatabaseForTest

QUESTION = Question("Which environment?", ("staging", "production"))


@pytest.fixture
async def db(module_database: DatabaseForTest) -> AsyncIterator[Database]:
    """The gateway's connections, with its rights."""
    opened = await Database.open(module_database.dsn("gateway"), size=4)
    yield opened
    await opened.close()


class Scene:
    """Ada and Ben in a private channel with a thread, a conversation and a project; Eve in none of them."""

    def __init__(self, world: World) -> None:
        self.world = world

    async def play(self) -> "Scene":
        put, world = self.world.put, self.world
        self.ada, self.ben, self.eve = [await world.member(name) for name in ("Ada", "Ben", "Eve")]
        self.ray = await world.agent("ray")
        self.channel = await world.channel(
            "release", ChannelKind.PRIVATE, admins=[self.ada], members=[self.ben]
        )
        self.talk = await world.conversation(ConversationKind.DM, [self.ada], agent_id=self.ray)
        self.project = await world.project("ATL", "Atlas", admins=[self.ada], members=[self.ben])
        self.task = await world.task(self.project, 118, "Fix login bug", assignee_id=self.ada)
        self.root = await world.message(
            "channel_thread", self.channel, "@ray open a task", author_id=self.ada
        )
        self.job = await world.job(
            self.ada,
            agent_id=self.ray,
            surface="channel_thread",
            place_id=self.channel,
            thread_id=self.root,
            message_id=self.root,
            prompt="@ray open a task",
            status="parked",
        )
        await put(
            "rounds",
            job_id=self.job,
            number=1,
            reply="I look.",
            calls=CALLS,
            model="practice-1",
            latency_us=1_800_000,
        )
        self.question = await self.ask(RequestKind.QUESTION, render(QUESTION))
        self.approval = await self.ask(RequestKind.APPROVAL, "Mark “Fix login bug” done", call=1)
        self.action = await world.action(
            self.job, self.approval, "update_task_status", {"task_id": str(self.task), "status": "done"}
        )
        return self

    async def ask(self, kind: RequestKind, text: str, call: int = 0) -> UUID:
        id = new_id()
        await self.world.run(
            """INSERT INTO requests (id, workspace_id, job_id, round, call, kind, agent_id, member_id, surface,
                 place_id, thread_id, text, expires_at)
               VALUES ($1, $2, $3, 1, $4, $5, $6, $7, 'channel_thread', $8, $9, $10, now() + interval '1 hour')""",
            id, self.world.id, self.job, call, kind, self.ray, self.ada, self.channel, self.root, text,
        )  # fmt: skip
        await self.world.message(
            "channel_thread",
            self.channel,
            text,
            thread_id=self.root,
            agent_id=self.ray,
            job_id=self.job,
            request_id=id,
            kind=MessageKind.QUESTION if kind is RequestKind.QUESTION else MessageKind.PROPOSAL,
        )
        return id


CALLS = (
    '[{"tool": "list_projects", "args": {}, "status": "ran", "title": "Looked at the projects", "body": {"a": 1}},'
    ' {"tool": "needs_human", "args": {}, "status": "asked", "title": "Which environment?"}]'
)

READS: dict[str, Callable[[AsyncConnection, UUID, Scene], Awaitable[Any]]] = {
    "places": lambda c, who, s: places.places(c, who),
    "needs": lambda c, who, s: home.needs(c, who),
    "aside": lambda c, who, s: home.aside(c, who),
    "stream": lambda c, who, s: threads.stream(c, who, s.channel),
    "thread": lambda c, who, s: threads.thread(c, who, s.channel, s.root),
    "conversation": lambda c, who, s: conversations.conversation(c, who, s.talk),
    "my tasks": lambda c, who, s: tasks.tasks_of(c, who),
    "task": lambda c, who, s: tasks.task_page(c, who, s.task),
    "project": lambda c, who, s: projects.project_page(c, who, s.project),
    "jobs": lambda c, who, s: jobs.job_lines(c, who),
    "job": lambda c, who, s: jobs.job_page(c, who, s.job),
}


@pytest.fixture
async def scene(module_database: DatabaseForTest) -> AsyncIterator[Scene]:
    async with new_world(module_database) as world:
        yield await Scene(world).play()


@pytest.mark.parametrize("region", READS)
async def test_a_region_is_read_and_gated_in_one_statement(db: Database, scene: Scene, region: str) -> None:
    async with db.read(scene.world.id) as connection:
        with statements_of(db) as sent:
            found = await READS[region](connection, scene.ada, scene)
    assert found
    assert len(sent) == 1


@pytest.mark.parametrize("region", ["stream", "thread", "conversation", "task", "project", "job"])
async def test_a_place_of_others_is_like_one_that_is_not_there(
    db: Database, scene: Scene, region: str
) -> None:
    async with db.read(scene.world.id) as connection:
        assert await READS[region](connection, scene.eve, scene) is None


@pytest.mark.parametrize("region", ["stream", "thread", "conversation", "task", "project", "job"])
async def test_a_place_of_another_workspace_is_like_one_that_is_not_there(
    db: Database, scene: Scene, module_database: DatabaseForTest, region: str
) -> None:
    async with new_world(module_database) as elsewhere, db.read(elsewhere.id) as connection:
        assert await READS[region](connection, scene.ada, scene) is None


async def test_lists_hold_only_what_their_reader_may_see(db: Database, scene: Scene) -> None:
    async with db.read(scene.world.id) as connection:
        assert await home.needs(connection, scene.eve) == ()
        assert await jobs.job_lines(connection, scene.eve) == ()
        assert await tasks.tasks_of(connection, scene.eve) == ()
        around = await places.places(connection, scene.eve)
        assert (around.channels, around.conversations, around.projects) == ((), (), ())
        assert (around.waiting, around.running, around.tasks) == (0, 0, 0)


async def test_a_colleague_in_the_channel_sees_the_job_but_is_not_asked(db: Database, scene: Scene) -> None:
    async with db.read(scene.world.id) as connection:
        assert [line.id for line in await jobs.job_lines(connection, scene.ben)] == [scene.job]
        assert await home.needs(connection, scene.ben) == ()


async def test_a_deactivated_member_sees_nothing(db: Database, scene: Scene) -> None:
    await scene.world.run("UPDATE members SET status = 'deactivated' WHERE id = $1", scene.ben)
    async with db.read(scene.world.id) as connection:
        for region in ("stream", "thread", "task", "project"):
            assert await READS[region](connection, scene.ben, scene) is None, region


async def test_a_thread_holds_its_cards_with_all_they_show(db: Database, scene: Scene) -> None:
    async with db.read(scene.world.id) as connection:
        found = await threads.thread(connection, scene.ada, scene.channel, scene.root)
    assert found is not None
    question, approval = found.cards
    assert question.text == render(QUESTION)
    assert (question.asked, question.runs_as, question.place) == ("Ada", "Ada", "#release")
    assert (question.reads, question.changes) == (1, 0)
    assert question.thread == "@ray open a task"
    assert approval.action_id == scene.action
    assert [read.title for round_ in found.reads for read in round_.reads] == ["Looked at the projects"]
    assert (found.jobs, found.newest_job) == (1, scene.job)


async def test_a_thread_is_found_in_its_own_channel_alone(db: Database, scene: Scene) -> None:
    other = await scene.world.channel("other", ChannelKind.PRIVATE, members=[scene.ada])
    async with db.read(scene.world.id) as connection:
        assert await threads.thread(connection, scene.ada, other, scene.root) is None
        assert await threads.thread_exists(connection, scene.ada, other, scene.root) is None
        assert await threads.thread_exists(connection, scene.ada, scene.channel, scene.root) == scene.root
        assert await threads.thread_exists(connection, scene.eve, scene.channel, scene.root) is None


async def test_a_channel_counts_what_its_threads_hold(db: Database, scene: Scene) -> None:
    async with db.read(scene.world.id) as connection:
        found = await threads.stream(connection, scene.ada, scene.channel)
    assert found is not None
    (root,) = found.messages
    assert (root.replies, root.questions, root.proposals) == (2, 1, 1)
    assert len(root.faces) == 1
    assert root.faces[0].startswith("@ray")
    assert (found.people, found.role) == (2, "admin")


async def test_of_a_long_channel_the_latest_messages_come_and_then_the_earlier_ones(
    db: Database, scene: Scene
) -> None:
    for number in range(threads.STREAM + 5):
        await scene.world.message("channel_thread", scene.channel, f"m{number}", author_id=scene.ben)
    async with db.read(scene.world.id) as connection:
        latest = await threads.stream(connection, scene.ada, scene.channel)
        assert latest is not None
        assert len(latest.messages) == threads.STREAM + 1
        assert latest.messages[-1].body == f"m{threads.STREAM + 4}"
        oldest_shown = latest.messages[-threads.STREAM]
        earlier = await threads.stream(connection, scene.ada, scene.channel, before=oldest_shown.created_at)
    assert earlier is not None
    assert earlier.messages[-1].body == "m4"
    assert earlier.messages[0].body == "@ray open a task"


async def test_a_task_tells_what_waits_on_it_from_anywhere(db: Database, scene: Scene) -> None:
    async with db.read(scene.world.id) as connection:
        found = await tasks.task_page(connection, scene.ada, scene.task)
    assert found is not None
    assert (found.key, found.role, found.assignee) == ("ATL-118", "admin", "Ada")
    assert [card.id for card in found.waiting] == [scene.approval]


async def test_where_a_request_stands_is_told_only_to_whom_it_asks(db: Database, scene: Scene) -> None:
    async with db.read(scene.world.id) as connection:
        asked = await home.asked_in(connection, scene.ada, scene.question)
        assert asked == home.AskedIn(Surface.CHANNEL_THREAD, scene.channel, scene.root)
        assert await home.asked_in(connection, scene.ben, scene.question) is None


async def test_what_was_decided_moves_from_the_needs_to_the_lately(db: Database, scene: Scene) -> None:
    await scene.world.run(
        "UPDATE requests SET status = 'accepted', option = 'staging', answered_by = $2, answered_at = now(), "
        "answered_from = 'home' WHERE id = $1",
        scene.question,
        scene.ada,
    )
    async with db.read(scene.world.id) as connection:
        assert [card.id for card in await home.needs(connection, scene.ada)] == [scene.approval]
        (lately,) = (await home.aside(connection, scene.ada)).lately
    assert (lately.status, lately.option, lately.answerer) == (RequestStatus.ACCEPTED, "staging", "Ada")
