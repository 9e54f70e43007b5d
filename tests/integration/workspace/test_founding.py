"""A workspace of one's own: its admin can sign in, and it sees nothing of any other."""

import asyncpg
import pytest

from handraise.common.passwords import verify
from handraise.workspace.founding import FoundingError, found
from tests.support.databases import DatabaseForTest


async def test_a_workspace_begins_with_its_admin_a_channel_and_an_agent(database: DatabaseForTest) -> None:
    made = await found(
        database.owner_dsn, slug="mine", name="Mine", email="Me@mine.example", timezone="Europe/Berlin"
    )
    connection = await asyncpg.connect(database.dsn("gateway"))
    await connection.execute("SELECT set_config('handraise.workspace', $1, false)", str(made.workspace_id))
    member = await connection.fetchrow("SELECT * FROM members")
    assert member is not None
    assert (member["email"], member["role"], member["handle"]) == ("me@mine.example", "admin", "me")
    assert verify(made.password, member["password_hash"])
    assert await connection.fetchval("SELECT count(*) FROM channel_members") == 1
    assert await connection.fetchval("SELECT handle FROM agents") == "ray"
    await connection.close()


async def test_a_slug_is_taken_once(database: DatabaseForTest) -> None:
    await found(database.owner_dsn, slug="mine", name="Mine", email="me@mine.example")
    with pytest.raises(FoundingError, match="already"):
        await found(database.owner_dsn, slug="mine", name="Other", email="you@mine.example")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"slug": "Not A Slug"}, "no slug"),
        ({"name": " "}, "name"),
        ({"email": "nobody"}, "e-mail"),
        ({"timezone": "Mars/Olympus"}, "time zone"),
    ],
)
async def test_what_does_not_fit_is_said(
    change: dict[str, str], said: str, database: DatabaseForTest
) -> None:
    given = {"slug": "mine", "name": "Mine", "email": "me@mine.example", "timezone": "UTC"} | change
    with pytest.raises(FoundingError, match=said):
        await found(database.owner_dsn, **given)
