"""The sample workspace is loaded into a real database once, and visible only within its workspace."""

import asyncio

import asyncpg

from handraise.common.passwords import verify
from handraise.dev.sample import PEOPLE, WORKSPACE_ID, load, sample_id
from handraise.workspace.words import TaskStatus
from tests.support.databases import DatabaseForTest


async def _as_gateway(database: DatabaseForTest) -> asyncpg.Connection:
    connection = await asyncpg.connect(database.dsn("gateway"))
    await connection.execute("SELECT set_config('handraise.workspace', $1, false)", str(WORKSPACE_ID))
    return connection


async def test_it_is_loaded_once_even_from_two_places(database: DatabaseForTest) -> None:
    first = await asyncio.gather(load(database.owner_dsn), load(database.owner_dsn))
    again = await load(database.owner_dsn)
    connection = await _as_gateway(database)
    members = await connection.fetchval("SELECT count(*) FROM members")
    await connection.close()
    assert sorted(first) == [False, True]
    assert again is False
    assert members == 42


async def test_what_people_changed_survives_the_next_start(database: DatabaseForTest) -> None:
    await load(database.owner_dsn)
    connection = await _as_gateway(database)
    task = sample_id("task", "ATL-121")
    await connection.execute("UPDATE tasks SET status = $1 WHERE id = $2", TaskStatus.DONE, task)
    await load(database.owner_dsn)
    status = await connection.fetchval("SELECT status FROM tasks WHERE id = $1", task)
    await connection.close()
    assert status == TaskStatus.DONE


async def test_each_person_signs_in_with_the_password_that_is_shown(database: DatabaseForTest) -> None:
    await load(database.owner_dsn)
    connection = await _as_gateway(database)
    rows = await connection.fetch("SELECT email, password_hash FROM members")
    stored = {row["email"]: row["password_hash"] for row in rows}
    await connection.close()
    assert all(verify(someone.password, stored[someone.email]) for someone in PEOPLE)
    assert sum(hashed is not None for hashed in stored.values()) == len(PEOPLE)


async def test_nobody_outside_the_workspace_sees_any_of_it(database: DatabaseForTest) -> None:
    await load(database.owner_dsn)
    connection = await asyncpg.connect(database.dsn("gateway"))
    seen = [
        await connection.fetchval(f"SELECT count(*) FROM {table}")
        for table in ("workspaces", "members", "channels", "messages", "tasks", "docs", "agents")
    ]
    await connection.close()
    assert seen == [0] * 7


async def test_general_holds_everybody_and_announcements_has_one_admin(database: DatabaseForTest) -> None:
    await load(database.owner_dsn)
    connection = await _as_gateway(database)
    rows = await connection.fetch(
        "SELECT name, count(*) AS people FROM channels JOIN channel_members ON channel_id = id GROUP BY name"
    )
    admins = await connection.fetch(
        "SELECT handle FROM members JOIN channel_members m ON member_id = id"
        " WHERE channel_id = $1 AND m.role = 'admin'",
        sample_id("channel", "announcements"),
    )
    await connection.close()
    assert {row["name"]: row["people"] for row in rows} == {
        "release": 9,
        "general": 42,
        "announcements": 42,
        "atlas": 4,
    }
    assert [row["handle"] for row in admins] == ["dita"]
