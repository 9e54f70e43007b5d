"""Law 12: what forgets its workspace still sees nothing foreign, table by table and statement by statement."""

import re
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import asyncpg
import pytest
from sqlalchemy import Table, event

from handraise.common.ids import new_id
from handraise.workspace.database import SERVICES, Database
from handraise.workspace.schema import metadata, workspaces
from handraise.workspace.tools import REGISTRY, InvalidArguments, validate
from handraise.workspace.views.search import search
from handraise.workspace.views.search_terms import query_of
from tests.integration.workspace.conftest import Office
from tests.integration.workspace.test_search import haystack
from tests.integration.workspace.world import World, new_world
from tests.support.databases import DatabaseForTest

TABLES = [table for table in metadata.sorted_tables if table is not workspaces]
_CONDITION = re.compile(r"\b\w+\.workspace_id = (\$\d+::UUID)")
_JOINED = re.compile(r"\b\w+\.workspace_id = \w+\.workspace_id\b")


def test_every_table_but_the_directory_carries_its_workspace() -> None:
    assert len(TABLES) >= 21
    for table in TABLES:
        assert not table.c.workspace_id.nullable, table.name


async def everywhere(world: World) -> None:
    """Put a row into every table."""
    await haystack(world, 3)
    who = await world.member("Zoe")
    doc = await world.doc(who, "private")
    await world.put("doc_revisions", doc_id=doc, version=1, title="t", body="b", created_at=_now())
    await world.reminder(who, "x")
    await world.agent()
    job = await world.job(who)
    await world.put("rounds", job_id=job, number=1, reply="r", model="m")
    request = await world.request(job, who, "approval")
    await world.action(job, request, "create_task", {})
    await world.put("audit", id=new_id(), tag="job:start", subject_kind="job", verdict="allowed")
    await world.put("sessions", token_hash=new_id().bytes, member_id=who, kind="cookie", expires_at=_now())


def _now() -> datetime:
    return datetime.now(UTC)


@pytest.mark.parametrize("service", SERVICES)
async def test_a_select_without_any_where_sees_one_workspace(
    service: str, module_database: DatabaseForTest
) -> None:
    async with new_world(module_database) as home, new_world(module_database) as abroad:
        await everywhere(home)
        await everywhere(abroad)
        db = await Database.open(module_database.dsn(service), size=1)
        try:
            for table in TABLES:
                async with db.hot(home.id) as connection:
                    seen = await connection.fetch(f"SELECT DISTINCT workspace_id FROM {table.name}")
                assert [row[0] for row in seen] == [home.id], table.name
            async with db.hot(home.id) as connection:
                assert [row["id"] for row in await connection.fetch("SELECT id FROM workspaces")] == [home.id]
        finally:
            await db.close()


async def test_before_a_workspace_is_set_nothing_is_there(
    world: World, module_database: DatabaseForTest
) -> None:
    await everywhere(world)
    for service in SERVICES:
        connection = await asyncpg.connect(module_database.dsn(service))
        try:
            for table in metadata.sorted_tables:
                assert await connection.fetch(f"SELECT 1 FROM {table.name}") == [], (service, table.name)
        finally:
            await connection.close()


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
async def test_nothing_is_written_into_changed_or_deleted_from_another_workspace(
    table: Table, module_database: DatabaseForTest, db: Database
) -> None:
    async with new_world(module_database) as home, new_world(module_database) as abroad:
        await everywhere(abroad)
        count = f"SELECT count(*) FROM {table.name} WHERE workspace_id = $1"
        before = await abroad.value(count, abroad.id)
        assert before
        move = f"UPDATE {table.name} SET workspace_id = $1 WHERE workspace_id = $2"
        wipe = f"DELETE FROM {table.name} WHERE workspace_id = $1"
        async with db.hot(home.id) as connection:
            if table.name == "audit":  # nobody may change or delete what was noted
                for statement, given in ((move, (home.id, abroad.id)), (wipe, (abroad.id,))):
                    with pytest.raises(asyncpg.InsufficientPrivilegeError):
                        await connection.execute(statement, *given)
            else:
                assert await connection.execute(move, home.id, abroad.id) == "UPDATE 0"
                assert await connection.execute(wipe, abroad.id) == "DELETE 0"
        assert await abroad.value(count, abroad.id) == before


@contextmanager
def forgetting(db: Database) -> Iterator[list[str]]:
    """Take every condition on the workspace out of what is sent in the block; collect what was taken."""
    taken: list[str] = []

    def forget(_: Any, __: Any, statement: str, given: Any, *___: Any) -> tuple[str, Any]:
        taken.extend(match[0] for match in _CONDITION.finditer(statement))
        taken.extend(match[0] for match in _JOINED.finditer(statement))
        # The parameter stays, so that they still are as many as are given.
        without = _CONDITION.sub(r"(\1 IS NOT NULL)", statement)
        return _JOINED.sub("true", without), given

    engine = db.engine.sync_engine
    event.listen(engine, "before_cursor_execute", forget, retval=True)
    try:
        yield taken
    finally:
        event.remove(engine, "before_cursor_execute", forget)


Asked = Callable[[Database, UUID, UUID], Awaitable[object]]


def reads(office: Office) -> dict[str, Asked]:
    """Return every read tool as a question about `office`, to be asked from wherever one is."""
    arguments: dict[str, dict[str, Any]] = {
        "list_my_tasks": {},
        "list_projects": {},
        "list_teams": {},
        "list_project_tasks": {"project_id": str(office.atlas)},
        "get_project": {"project_id": str(office.atlas)},
        "search_workspace": {"query": "login plan"},
        "summarize_channel": {"channel": str(office.general)},
        "summarize_dm": {"person": "Ben"},
        "summarize_group": {"group": "deploy"},
        "read_doc": {"doc_id": str(office.plan)},
        "find_people": {"query": "Ada"},
    }
    assert arguments.keys() == {tool.name for tool in REGISTRY.values() if tool.read_only}

    def of(name: str, given: dict[str, Any]) -> Asked:
        async def ask(db: Database, workspace_id: UUID, member_id: UUID) -> object:
            run = REGISTRY[name].run
            assert run is not None
            try:
                return await run(db, workspace_id, member_id, validate(REGISTRY[name], given))
            except InvalidArguments:
                return None

        return ask

    return {name: of(name, given) for name, given in arguments.items()}


async def test_a_read_that_forgets_each_condition_on_the_workspace_sees_nothing_foreign(
    office: Office, module_database: DatabaseForTest, db: Database
) -> None:
    world = office.world
    await world.message("channel_thread", office.general, "login plan", author_id=office.ada)
    await world.conversation("dm", [office.ada, office.ben])
    async with new_world(module_database) as abroad:
        for name, ask in reads(office).items():
            with forgetting(db) as taken:
                at_home = await ask(db, office.id, office.ada)
                # As Ada, who is nobody there: were the walls of the statement's own making, they would be gone.
                from_abroad = await ask(db, abroad.id, office.ada)
            assert taken, name
            assert at_home, name
            assert not from_abroad or not any(from_abroad.values()), (name, from_abroad)  # type: ignore[attr-defined]


async def test_search_that_forgets_sees_nothing_foreign(
    office: Office, module_database: DatabaseForTest, db: Database
) -> None:
    query = query_of("login")
    assert query is not None
    async with new_world(module_database) as abroad:
        with forgetting(db) as taken:
            for workspace, expected in ((office.id, True), (abroad.id, False)):
                async with db.read(workspace) as connection:
                    hits = await search(connection, workspace, office.ada, query)
                assert bool(hits) is expected
    assert taken
