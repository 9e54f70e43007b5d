"""Another workspace's ids, and what is kept from a member, answer exactly like what does not exist."""

import re
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from handraise.common.questions import Question, render
from handraise.dev.client import Client
from handraise.workspace.words import ConversationKind
from tests.integration.workspace.world import World, new_world
from tests.support.databases import DatabaseForTest
from tests.support.inhouse import InHouse, People

BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("post", "/api/channels/{channel_id}/messages"): {"body": "hello"},
    ("post", "/api/tasks/{task_id}/comments"): {"body": "hello"},
    ("post", "/api/conversations/{conversation_id}/messages"): {"body": "hello"},
    ("post", "/api/requests/{request_id}/answer"): {"option": "red"},
    ("post", "/api/actions/{action_id}/reject"): {"reason": "no"},
    ("patch", "/api/tasks/{task_id}"): {"status": "done"},
    ("patch", "/api/docs/{doc_id}"): {"append": "more"},
    ("patch", "/api/people/{person_id}"): {"role": "guest"},
    **{
        ("post", f"/api/{place}s/{{{place}_id}}/members"): {"person_id": str(uuid4())}
        for place in ("team", "project", "channel")
    },
    **{
        ("patch", f"/api/{place}s/{{{place}_id}}/members/{{person_id}}"): {"role": "admin"}
        for place in ("team", "project", "channel")
    },
}
OPEN = ("/api/teams/", "/api/people/")
"""Whom and which teams there are, everybody of the workspace but guests may know."""
PARAMETER = re.compile(r"\{(\w+)(?::\w+)?\}")


async def furnished(world: World, member: UUID) -> dict[str, UUID]:
    """Put one of everything into a workspace; return its ids by the names that routes give them."""
    project = await world.project("OTH", "Other", admins=[member])
    channel = await world.channel("secrets", admins=[member])
    thread = await world.message("channel_thread", channel, "our numbers", author_id=member)
    job = await world.job(member, status="parked", waiting=1, surface="channel_thread", place_id=channel)
    question = await world.request(job, member, "question")
    await world.run(
        "UPDATE requests SET text = $2 WHERE id = $1",
        question,
        render(Question.of("Which?", ["red", "blue"])),
    )
    card = await world.request(job, member, "approval", call=1)
    task = await world.task(project, 1, "Ours")
    team = await world.team("Others")
    await world.join("team", team, [member], [])
    return {
        "team_id": team,
        "person_id": member,
        "doc_id": await world.doc(member, "private", "Ours"),
        "reminder_id": await world.reminder(member, "ours"),
        "project_id": project,
        "channel_id": channel,
        "thread_id": thread,
        "task_id": task,
        "conversation_id": await world.conversation(ConversationKind.GROUP, [member], name="us"),
        "job_id": job,
        "request_id": question,
        "action_id": await world.action(
            job, card, "update_task_status", {"task_id": str(task), "status": "done"}
        ),
    }


@pytest.fixture
async def foreign(database: DatabaseForTest) -> AsyncIterator[dict[str, UUID]]:
    async with new_world(database, "Other") as other:
        yield await furnished(other, await other.member("Zoe"))


async def _routes(client: Client) -> list[tuple[str, str]]:
    """Return method and path of every route of the API that names something by its id."""
    schema = (await client.http.get("/api/schema/openapi.json")).json()
    return [
        (method, path)
        for path, item in schema["paths"].items()
        for method in item
        if method in ("get", "post", "put", "patch", "delete") and "_id}" in path
    ]


async def _ask(client: Client, method: str, path: str, ids: dict[str, UUID]) -> httpx.Response:
    address = PARAMETER.sub(lambda found: str(ids[found[1]]), path)
    return await client.http.request(method.upper(), address, json=BODIES.get((method, path)))


def _told(response: httpx.Response) -> dict[str, Any]:
    return {k: v for k, v in response.json().items() if k not in ("instance", "trace_id")}


async def test_every_route_answers_a_foreign_id_as_one_that_does_not_exist(
    ada: Client, people: People, foreign: dict[str, UUID]
) -> None:
    routes = await _routes(ada)
    assert len(routes) >= 15
    nothing = {name: uuid4() for name in foreign}
    for method, path in routes:
        hidden, absent = await _ask(ada, method, path, foreign), await _ask(ada, method, path, nothing)
        assert hidden.status_code == absent.status_code == 404, (method, path, hidden.text)
        assert _told(hidden) == _told(absent), (method, path)
        assert hidden.json()["code"] == "not_found"


async def test_every_route_answers_what_is_kept_from_a_member_as_what_does_not_exist(
    house: InHouse, people: People
) -> None:
    ids = await furnished(people.world, people.ada)
    nothing = {name: uuid4() for name in ids}
    async with house.as_(people.world, people.eve) as eve:
        for method, path in [route for route in await _routes(eve) if not route[1].startswith(OPEN)]:
            hidden, absent = await _ask(eve, method, path, ids), await _ask(eve, method, path, nothing)
            assert hidden.status_code == absent.status_code == 404, (method, path, hidden.text)
            assert _told(hidden) == _told(absent), (method, path)


async def test_nothing_of_another_workspace_changes_for_all_the_knocking(
    ada: Client, people: People, foreign: dict[str, UUID], database: DatabaseForTest
) -> None:
    for method, path in await _routes(ada):
        await _ask(ada, method, path, foreign)
    async with new_world(database) as view:
        statuses = "SELECT array_agg(status ORDER BY call) FROM requests WHERE job_id = $1"
        assert await view.value(statuses, foreign["job_id"]) == ["open", "open"]
        assert await view.value("SELECT status FROM jobs WHERE id = $1", foreign["job_id"]) == "parked"
        assert await view.value("SELECT stop_by FROM jobs WHERE id = $1", foreign["job_id"]) is None
        assert await view.value("SELECT status FROM tasks WHERE id = $1", foreign["task_id"]) == "todo"
        count = "SELECT count(*) FROM messages WHERE place_id = $1"
        assert await view.value(count, foreign["channel_id"]) == 1


async def test_lists_hold_only_what_one_may_see(
    house: InHouse, ada: Client, people: People, foreign: dict[str, UUID]
) -> None:
    names = {channel["id"] for channel in await ada.get("/api/channels")}
    assert names == {str(people.channel)}
    assert [project["id"] for project in await ada.get("/api/projects")] == [str(people.atlas)]
    assert await ada.get("/api/requests") == []
    async with house.as_(people.world, people.eve) as eve:
        assert await eve.get("/api/channels") == []
        assert await eve.get("/api/projects") == []


async def test_a_thread_of_one_channel_is_not_found_under_another(ada: Client, people: People) -> None:
    posted = await ada.post("release", "a root")
    other = await people.world.channel("other", admins=[people.ada])
    assert (await ada.http.get(f"/api/channels/{other}/threads/{posted.root}")).status_code == 404
    crossed = await ada.http.post(
        f"/api/channels/{other}/messages", json={"body": "x", "thread_id": posted.root}
    )
    assert crossed.status_code == 404
