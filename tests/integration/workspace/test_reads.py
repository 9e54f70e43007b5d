"""What an agent reads on its own: one gated statement each, and never more than its person could see."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from handraise.common.ids import new_id
from handraise.workspace.database import Database
from handraise.workspace.tools import REGISTRY, InvalidArguments, validate
from handraise.workspace.words import ConversationKind
from tests.integration.workspace.conftest import Office
from tests.integration.workspace.world import new_world, statements_of
from tests.support.databases import DatabaseForTest

READS = [tool.name for tool in REGISTRY.values() if tool.read_only]
NOON = datetime(2026, 11, 3, 12, 0, tzinfo=UTC)


async def read(db: Database, office: Office, who: UUID, tool: str, **arguments: Any) -> dict[str, Any]:
    found = REGISTRY[tool]
    assert found.run is not None
    return await found.run(db, office.id, who, validate(found, arguments))


@pytest.fixture
async def plan(office: Office) -> UUID:
    await office.world.conversation("dm", [office.ada, office.ben])
    return office.plan


def arguments_of(office: Office, plan: UUID) -> dict[str, dict[str, Any]]:
    return {
        "list_my_tasks": {},
        "list_projects": {},
        "list_project_tasks": {"project_id": str(office.atlas)},
        "search_workspace": {"query": "login"},
        "summarize_channel": {"channel": "#general"},
        "read_doc": {"doc_id": str(plan)},
        "find_people": {"query": "be"},
        "get_project": {"project_id": str(office.atlas)},
        "list_teams": {},
        "summarize_dm": {"person": "ada"},
        "summarize_group": {"group": "Deploy"},
    }


@pytest.mark.parametrize("tool", READS)
async def test_a_read_is_one_statement(tool: str, office: Office, plan: UUID, db: Database) -> None:
    arguments = arguments_of(office, plan)[tool]
    with statements_of(db) as sent:
        body = await read(db, office, office.ben, tool, **arguments)
    assert body
    assert len(sent) == 1, sent


@pytest.mark.parametrize("tool", READS)
@pytest.mark.parametrize("who", ["gone", "stranger"])
async def test_somebody_who_can_do_nothing_reads_nothing(
    tool: str, who: str, office: Office, plan: UUID, module_database: DatabaseForTest, db: Database
) -> None:
    async with new_world(module_database) as abroad:
        stranger = await abroad.member("Stranger")
        person = office.gone if who == "gone" else stranger
        wanted = arguments_of(office, plan)[tool]
        if tool in ("list_my_tasks", "list_projects", "list_teams", "search_workspace", "find_people"):
            assert [*(await read(db, office, person, tool, **wanted)).values()] == [[]]
            return
        with pytest.raises(InvalidArguments, match="person you work for") as caught:
            await read(db, office, person, tool, **wanted)
        assert "Atlas" not in str(caught.value)


async def test_my_tasks_are_mine_the_open_ones_first(office: Office, db: Database) -> None:
    world = office.world
    due = datetime(2026, 11, 4, 17, 0, tzinfo=UTC)
    done = await world.task(office.atlas, 1, "Old", status="done", assignee_id=office.ben)
    soon = await world.task(
        office.atlas, 2, "Soon", assignee_id=office.ben, due_at=due, due_zone="Europe/Berlin"
    )
    await world.task(office.atlas, 3, "Another's", assignee_id=office.ada)
    left = await world.project("OLD", "Left", admins=[office.ada])
    await world.task(left, 1, "Where Ben is no member any more", assignee_id=office.ben)
    body = await read(db, office, office.ben, "list_my_tasks")
    assert [task["id"] for task in body["tasks"]] == [str(soon), str(office.bug), str(done)]
    assert body["tasks"][0] == {
        "id": str(soon),
        "key": "ATL-2",
        "title": "Soon",
        "status": "todo",
        "project": "Atlas",
        "due": "2026-11-04T18:00:00+01:00",
    }


async def test_projects_come_with_what_one_is_there(office: Office, db: Database) -> None:
    await office.world.project("ZET", "Zeta", admins=[office.eve])
    for who, role in ((office.ada, "admin"), (office.ben, "member")):
        body = await read(db, office, who, "list_projects")
        assert body == {"projects": [{"id": str(office.atlas), "key": "ATL", "name": "Atlas", "role": role}]}


async def test_a_project_without_tasks_is_empty_and_one_that_is_not_ones_own_is_not_there(
    office: Office, db: Database
) -> None:
    empty = await office.world.project("EMP", "Empty", members=[office.eve])
    assert await read(db, office, office.eve, "list_project_tasks", project_id=str(empty)) == {"tasks": []}
    tasks = (await read(db, office, office.ben, "list_project_tasks", project_id=str(office.atlas)))["tasks"]
    assert [(task["key"], task["assignee"]) for task in tasks] == [("ATL-117", "Ben")]
    reasons = set()
    for id in (office.atlas, new_id()):
        with pytest.raises(InvalidArguments) as caught:
            await read(db, office, office.eve, "list_project_tasks", project_id=str(id))
        reasons.add(str(caught.value))
    assert len(reasons) == 1, "what one may not see and what is not there must read the same"


async def test_search_finds_words_and_their_beginnings_only_where_one_may_read(
    office: Office, plan: UUID, db: Database
) -> None:
    world = office.world
    said = await world.message(
        "channel_thread", office.general, "The login page is blank", author_id=office.ben
    )
    await world.message("channel_thread", office.secret, "The login secret", author_id=office.ada)
    dm = await world.conversation(ConversationKind.DM, [office.ada, office.ben])
    whispered = await world.message("dm", dm, "login works for me", author_id=office.ada)
    note = await world.message("task", office.bug, "login again?", author_id=office.ben)
    await world.doc(office.ada, "private", "login notes")

    async def found(who: UUID, query: str) -> set[tuple[str, str]]:
        results = (await read(db, office, who, "search_workspace", query=query))["results"]
        return {(hit["kind"], hit["id"]) for hit in results}

    messages = {("message", str(id)) for id in (said, whispered, note)}
    assert await found(office.ben, "logi") == {("task", str(office.bug))} | messages
    assert await found(office.gus, "login") == {("message", str(said))}
    assert await found(office.eve, "login") == set()
    assert await found(office.ben, "LOGIN blank") == {("message", str(said))}
    assert await found(office.ben, "deploy thurs") == {("doc", str(plan))}
    assert await found(office.ben, "ATL-117") == {("task", str(office.bug))}
    assert await found(office.ben, "atl-11") == {("task", str(office.bug))}
    assert await found(office.ben, "it's (a) | test & !x:* \\' <-> ''") == set()
    hit = (await read(db, office, office.gus, "search_workspace", query="blank"))["results"][0]
    assert hit == {
        "kind": "message",
        "id": str(said),
        "title": "Ben in #general",
        "excerpt": "The login page is blank",
    }


async def test_catching_up_tells_the_newest_in_the_order_they_were_said(office: Office, db: Database) -> None:
    world = office.world
    agent = await world.agent("ray")
    for n in range(5):
        id = await world.message(
            "channel_thread",
            office.general,
            f"m{n}",
            author_id=office.ada,
            created_at=NOON + timedelta(minutes=n),
        )
    await world.message(
        "channel_thread",
        office.general,
        "reply",
        agent_id=agent,
        thread_id=id,
        kind="final",
        created_at=NOON + timedelta(hours=1),
    )
    await world.message(
        "channel_thread",
        office.general,
        "card",
        agent_id=agent,
        thread_id=id,
        kind="proposal",
        created_at=NOON + timedelta(hours=2),
    )
    for name in ("general", "#General", str(office.general)):
        body = await read(db, office, office.gus, "summarize_channel", channel=name, limit=3)
        assert body["channel"] == "general"
        assert [m["text"] for m in body["messages"]] == ["m3", "m4", "reply"]
    assert body["messages"][-1] == {"author": "ray", "at": "2026-11-03T13:00:00+00:00", "text": "reply"}


async def test_a_channel_nobody_wrote_in_is_empty_and_a_wrong_name_lists_the_right_ones(
    office: Office, db: Database
) -> None:
    body = await read(db, office, office.ben, "summarize_channel", channel="announcements")
    assert body == {"channel": "announcements", "messages": []}
    for name in ("relase", "secret", str(office.secret)):
        with pytest.raises(InvalidArguments) as caught:
            await read(db, office, office.ben, "summarize_channel", channel=name)
        assert "#announcements, #general" in str(caught.value)
        assert "#secret" not in str(caught.value)


async def test_a_doc_is_read_whole_or_not_at_all(office: Office, plan: UUID, db: Database) -> None:
    body = await read(db, office, office.ben, "read_doc", doc_id=str(plan))
    assert (body["title"], body["body"], body["owner"]) == ("The plan", "We deploy on Thursday.", "Ada")
    with pytest.raises(InvalidArguments, match="search_workspace"):
        await read(db, office, office.eve, "read_doc", doc_id=str(plan))


async def test_people_are_found_by_a_part_of_their_name_and_the_deactivated_are_not(
    office: Office, db: Database
) -> None:
    ben, bob = office.ben, await office.world.member("Bob")
    await office.world.member("Rob 100%")
    for query, expected in (("b", [ben, bob]), ("@ben", [ben]), ("BOB", [bob]), ("gone", []), ("%_", [])):
        people = (await read(db, office, office.eve, "find_people", query=query))["people"]
        begins = [p["id"] for p in people if p["name"].lower().startswith(query.strip("@%_").lower() or "?")]
        assert begins == [str(id) for id in expected], query
    people = (await read(db, office, office.eve, "find_people", query="100%"))["people"]
    assert [p["name"] for p in people] == ["Rob 100%"]
    assert people[0].keys() == {"id", "name", "handle"}
