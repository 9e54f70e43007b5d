"""Every write has its endpoint: the same door, the same right as when an agent proposes it."""

from typing import Any
from uuid import uuid4

import httpx

from handraise.common.ids import new_id
from handraise.dev.client import Client
from handraise.workspace.words import ConversationKind, MemberRole
from tests.support.inhouse import InHouse, People

BAD: list[tuple[str, dict[str, Any], int, str]] = [
    ("/tasks", {"title": ""}, 422, "title is empty"),
    ("/tasks", {"title": " \t"}, 422, "title is empty"),
    ("/tasks", {"title": "x" * 201}, 422, "201 characters"),
    ("/tasks", {"title": "x" * 102_400}, 400, "title"),
    ("/tasks", {"title": "a\nb"}, 422, "control character"),
    ("/tasks", {"title": "a\x00b"}, 422, "can't be stored"),
    ("/tasks", {"title": "a\u202eb"}, 422, "control character"),
    ("/tasks", {"title": "a", "description": "x\x07"}, 422, "control character"),
    ("/tasks", {"title": "a", "due_at": "2030-11-05T10:00:00"}, 422, "no time zone"),
    ("/tasks", {"title": "a", "due_at": "soon"}, 422, "date and time"),
    ("/tasks", {"title": "a", "assignee_id": str(new_id())}, 409, "no such person"),
    ("/tasks", {"title": "a", "project_id": str(new_id())}, 404, "no such project"),
    ("/tasks", {"title": "a", "colour": "red"}, 400, "colour"),
    ("/docs", {"title": "x", "body": "y" * 100_001}, 422, "100,001 characters"),
    (
        "/docs",
        {"title": "x", "visibility": "everybody"},
        422,
        "must be one of private, project, team, workspace",
    ),
    ("/docs", {"title": "x", "visibility": "team"}, 422, "needs team_id"),
    ("/docs", {"title": "x", "team_id": str(new_id())}, 404, "no such team"),
    ("/channels", {"name": "two words"}, 422, "no name for a channel"),
    ("/channels", {"name": "x", "kind": "secret"}, 422, "must be one of"),
    ("/groups", {"name": "x", "people": [str(new_id())]}, 409, "no person"),
    ("/groups", {"name": "x", "people": []}, 400, "people"),
    ("/conversations", {"person_id": str(new_id())}, 404, "no such member"),
    ("/projects", {"name": "x", "team_id": str(new_id())}, 404, "no such team"),
]


async def sent(client: Client, method: str, path: str, body: Any = None) -> httpx.Response:
    return await client.http.request(method, f"/api{path}", json=body)


async def done(client: Client, method: str, path: str, body: Any = None) -> dict[str, Any]:
    response = await sent(client, method, path, body)
    assert response.status_code in (200, 201), response.text
    receipt: dict[str, Any] = response.json()
    return receipt


async def refused(client: Client, method: str, path: str, body: Any = None) -> tuple[int, str, str]:
    response = await sent(client, method, path, body)
    problem = response.json()
    return response.status_code, problem["code"], problem["detail"]


async def test_a_task_is_created_changed_and_read(ada: Client, people: People) -> None:
    receipt = await done(
        ada,
        "POST",
        "/tasks",
        {"project_id": str(people.atlas), "title": "Deploy API", "due_at": "2030-11-05T10:00:00+01:00"},
    )
    path = f"/tasks/{receipt['ids']['task']}"
    alone = [
        {"status": "in_progress"},
        {"assignee_id": str(people.ben)},
        {"due_at": None},
        {"title": "Deploy"},
    ]
    for change in alone:
        await done(ada, "PATCH", path, change)
    task = (await sent(ada, "GET", path)).json()
    assert (task["title"], task["status"], task["assignee_id"], task["due_at"], task["version"]) == (
        "Deploy",
        "in_progress",
        str(people.ben),
        None,
        5,
    )
    tags = "SELECT array_agg(tag ORDER BY at) FROM audit WHERE subject_kind = 'task' AND workspace_id = $1"
    assert await people.world.value(tags, people.id) == [
        "task:status",
        "task:assign",
        "task:due",
        "task:edit",
    ]


async def test_several_changes_of_a_task_are_made_together_or_not_at_all(ada: Client, people: People) -> None:
    path = f"/tasks/{people.task}"
    together = {"title": "Fix the login", "status": "done", "assignee_id": str(people.eve)}
    status, code, detail = await refused(ada, "PATCH", path, together)
    assert (status, code) == (409, "not_done")
    assert "Eve is not a member" in detail
    task = (await sent(ada, "GET", path)).json()
    assert (task["title"], task["status"], task["version"]) == ("Fix login bug", "in_review", 1)
    receipt = await done(ada, "PATCH", path, together | {"assignee_id": None, "description": "Once more."})
    assert receipt["facts"]["Status"] == "In review → Done"
    assert (await sent(ada, "GET", path)).json()["version"] == 2


async def test_of_two_edits_of_one_version_the_second_is_told_and_changes_nothing(
    house: InHouse, ada: Client, people: People
) -> None:
    path = f"/tasks/{people.task}"
    await done(ada, "PATCH", path, {"title": "First", "version": 1})
    status, code, detail = await refused(ada, "PATCH", path, {"title": "Second", "version": 1})
    assert (status, code) == (409, "not_done")
    assert "changed by somebody else meanwhile" in detail
    assert (await sent(ada, "GET", path)).json()["title"] == "First"


async def test_a_project_is_created_for_a_team_and_shows_its_people_and_counts(
    ada: Client, people: People
) -> None:
    team = await people.world.team("Web")
    await people.world.join("team", team, [people.ada], [people.ben])
    receipt = await done(ada, "POST", "/projects", {"team_id": str(team), "name": "Apollo"})
    id = receipt["ids"]["project"]
    await done(ada, "POST", "/tasks", {"project_id": id, "title": "Lift off"})
    project = (await sent(ada, "GET", f"/projects/{id}")).json()
    assert (project["key"], project["team"], project["role"]) == ("APO", "Web", "admin")
    assert project["tasks"] == {"todo": 1}
    assert [(person["name"], person["role"]) for person in project["people"]] == [("Ada", "admin")]
    taken = {"team_id": str(team), "name": "Apollo", "short": "APO"}
    assert (await refused(ada, "POST", "/projects", taken))[2].startswith("The key APO is another project's")
    (found,) = (await sent(ada, "GET", "/teams")).json()
    assert (found["name"], found["role"], [one["key"] for one in found["projects"]]) == (
        "Web",
        "admin",
        ["APO"],
    )


async def test_a_doc_is_written_appended_to_and_keeps_what_it_was(
    house: InHouse, ada: Client, people: People
) -> None:
    receipt = await done(
        ada, "POST", "/docs", {"title": "Plan", "body": "# Plan", "project_id": str(people.atlas)}
    )
    path = f"/docs/{receipt['ids']['doc']}"
    await done(ada, "PATCH", path, {"append": "Thursday.", "version": 1})
    async with house.as_(people.world, people.ben) as ben:
        await done(ben, "PATCH", path, {"title": "The plan", "body": "Friday."})
        late = await refused(ben, "PATCH", path, {"append": "x", "version": 2})
    assert late[:2] == (409, "not_done")
    doc = (await sent(ada, "GET", path)).json()
    assert (doc["title"], doc["body"], doc["version"], doc["updated_by"], doc["may_edit"]) == (
        "The plan",
        "Friday.",
        3,
        "Ben",
        True,
    )
    before = (await sent(ada, "GET", f"{path}/revisions")).json()
    assert [(one["version"], one["body"], one["author"]) for one in before] == [
        (2, "# Plan\n\nThursday.\n", "Ada"),
        (1, "# Plan", "Ada"),
    ]
    async with house.as_(people.world, people.eve) as eve:
        for method, body in (("GET", None), ("PATCH", {"append": "x"})):
            assert (await sent(eve, method, path, body)).status_code == 404


async def test_markdown_with_scripts_is_kept_as_it_was_written(ada: Client) -> None:
    body = '<script>alert(1)</script> [x](javascript:alert(1)) <img src=x onerror="alert(1)">'
    receipt = await done(ada, "POST", "/docs", {"title": "Odd", "body": body})
    assert (await sent(ada, "GET", f"/docs/{receipt['ids']['doc']}")).json()["body"] == body


async def test_docs_are_read_by_those_they_are_for(house: InHouse, ada: Client, people: People) -> None:
    team = await people.world.team("Web")
    await people.world.join("team", team, [people.ada], [people.ben])
    filings: dict[str, dict[str, Any]] = {
        "private": {},
        "project": {"project_id": str(people.atlas)},
        "team": {"team_id": str(team)},
        "workspace": {"visibility": "workspace"},
    }
    ids = {
        name: (await done(ada, "POST", "/docs", {"title": name, **filing}))["ids"]["doc"]
        for name, filing in filings.items()
    }
    for reader, expected in ((people.ben, {"project", "team", "workspace"}), (people.eve, {"workspace"})):
        async with house.as_(people.world, reader) as client:
            seen = {
                name
                for name, id in ids.items()
                if (await sent(client, "GET", f"/docs/{id}")).status_code == 200
            }
        assert seen == expected


async def test_channels_groups_and_direct_messages_are_made_and_written_in(
    house: InHouse, ada: Client, people: People
) -> None:
    channel = (await done(ada, "POST", "/channels", {"name": "#Launch", "kind": "private"}))["ids"]["channel"]
    assert "launch" in {one["name"] for one in (await sent(ada, "GET", "/channels")).json()}
    assert (await refused(ada, "POST", "/channels", {"name": "launch"}))[:2] == (409, "not_done")
    group = (await done(ada, "POST", "/groups", {"name": "Launch", "people": [str(people.ben)]}))["ids"]
    direct = (await done(ada, "POST", "/conversations", {"person_id": str(people.eve)}))["ids"]
    again = (await done(ada, "POST", "/conversations", {"person_id": str(people.eve)}))["ids"]
    assert again["conversation"] == direct["conversation"]
    for id in (group["conversation"], direct["conversation"]):
        await ada.send(f"/api/conversations/{id}/messages", {"body": "hello"})
    await ada.send(f"/api/channels/{channel}/messages", {"body": "hello"})
    async with house.as_(people.world, people.eve) as eve:
        said = (await eve.get(f"/api/conversations/{direct['conversation']}"))["messages"]
        assert [line["body"] for line in said] == ["hello"]
        assert (await sent(eve, "GET", f"/conversations/{group['conversation']}")).status_code == 404
        assert (await sent(eve, "POST", f"/channels/{channel}/messages", {"body": "x"})).status_code == 404


async def test_who_is_in_what_is_changed_by_admins_and_holds_at_once(
    house: InHouse, ada: Client, people: People
) -> None:
    path = f"/projects/{people.atlas}/members"
    async with house.as_(people.world, people.eve) as eve:
        task = f"/tasks/{people.task}"
        assert (await sent(eve, "GET", task)).status_code == 404
        await done(ada, "POST", path, {"person_id": str(people.eve)})
        assert (await sent(eve, "GET", task)).status_code == 200
        assert (await refused(eve, "PATCH", task, {"status": "done"}))[:2] == (403, "not_permitted")
        await done(ada, "PATCH", f"{path}/{people.eve}", {"role": "admin"})
        await done(eve, "PATCH", task, {"status": "done"})
        await done(ada, "PATCH", f"{path}/{people.eve}", {"role": "member"})
        assert (await refused(eve, "PATCH", task, {"status": "todo"}))[:2] == (403, "not_permitted")
        assert (await refused(eve, "DELETE", f"{path}/{people.ben}"))[:2] == (403, "not_permitted")
        await done(ada, "DELETE", f"{path}/{people.eve}")
        assert (await sent(eve, "PATCH", task, {"status": "todo"})).status_code == 404
    names = {(one["name"], one["role"]) for one in (await sent(ada, "GET", path)).json()}
    assert names == {("Ada", "admin"), ("Ben", "member")}


async def test_the_last_admin_stays(house: InHouse, ada: Client, people: People) -> None:
    path = f"/projects/{people.atlas}/members/{people.ada}"
    for method, body in (("DELETE", None), ("PATCH", {"role": "member"})):
        status, code, detail = await refused(ada, method, path, body)
        assert (status, code) == (409, "not_done")
        assert "only admin" in detail
    boss = await people.world.member("Boss", MemberRole.ADMIN)
    async with house.as_(people.world, boss) as client:
        for change in ({"role": "member"}, {"status": "deactivated"}):
            assert "only active admin" in (await refused(client, "PATCH", f"/people/{boss}", change))[2]


async def test_somebody_deactivated_is_out_at_once_and_back_when_active_again(
    house: InHouse, people: People
) -> None:
    boss = await people.world.member("Boss", MemberRole.ADMIN)
    async with house.as_(people.world, boss) as client, house.as_(people.world, people.ben) as ben:
        assert (await sent(ben, "GET", "/me")).status_code == 200
        assert (await refused(ben, "PATCH", f"/people/{people.ada}", {"role": "guest"}))[:2] == (
            403,
            "not_permitted",
        )
        await done(client, "PATCH", f"/people/{people.ben}", {"status": "deactivated"})
        assert (await sent(ben, "GET", "/me")).status_code == 401
        listed = {one["name"] for one in (await sent(client, "GET", "/people?q=be")).json()}
        assert "Ben" not in listed
        await done(client, "PATCH", f"/people/{people.ben}", {"status": "active"})
        assert (await sent(ben, "GET", "/me")).status_code == 200
        await done(client, "POST", "/teams", {"name": "Ops"})
        assert (await sent(client, "PATCH", f"/people/{uuid4()}", {"role": "guest"})).status_code == 404


async def test_a_write_sent_twice_under_one_key_is_made_once(ada: Client, people: People) -> None:
    body = {"project_id": str(people.atlas), "title": "Once", "key": str(new_id())}
    first, second = [await done(ada, "POST", "/tasks", body) for _ in range(2)]
    assert first == second
    count = "SELECT count(*) FROM tasks WHERE title = 'Once'"
    assert await people.world.value(count) == 1


async def test_search_finds_what_one_may_read_with_what_was_found_marked(
    house: InHouse, ada: Client, people: People
) -> None:
    dm = await people.world.conversation(ConversationKind.DM, [people.ada, people.ben])
    await people.world.message("dm", dm, "the login works for me", author_id=people.ben)
    await people.world.doc(people.ada, "private", "Login notes", body="nothing yet")

    async def found(client: Client, query: str) -> list[dict[str, Any]]:
        return (await sent(client, "GET", f"/search?q={query}")).json()  # type: ignore[no-any-return]

    hits = await found(ada, "login")
    assert {hit["kind"] for hit in hits} == {"task", "doc", "message"}
    message = next(hit for hit in hits if hit["kind"] == "message")
    assert message["excerpt"] == [
        {"text": "the ", "hit": False},
        {"text": "login", "hit": True},
        {"text": " works for me", "hit": False},
    ]
    assert message["link"] == f"/dm/{dm}#m-{message['id']}"
    assert [hit["title"] for hit in await found(ada, "ATL-117")] == ["ATL-117 Fix login bug"]
    await people.world.run("UPDATE members SET name = 'Beatriz Lima' WHERE id = $1", people.ben)
    (person,) = await found(ada, "beatrix")
    assert (person["kind"], person["title"]) == ("person", "Beatriz Lima @ben")
    assert (await sent(ada, "GET", "/search?q=login&kind=doc")).json()[0]["title"] == "Login notes"
    async with house.as_(people.world, people.eve) as eve:
        assert await found(eve, "login") == []


async def test_what_does_not_fit_is_said_with_its_reason(ada: Client, people: People) -> None:
    before = await people.world.counts()
    for path, body, status, expected in BAD:
        given = ({"project_id": str(people.atlas)} if path == "/tasks" else {}) | body
        answered = await refused(ada, "POST", path, given)
        assert answered[0] == status, (path, body, answered)
        assert expected in answered[2], (path, body)
    assert await people.world.counts() == before


async def test_a_change_without_a_change_is_refused(ada: Client, people: People) -> None:
    for path in (f"/tasks/{people.task}", f"/docs/{new_id()}"):
        assert (await refused(ada, "PATCH", path, {}))[:2] == (422, "nothing_to_change")
    same = await refused(ada, "PATCH", f"/tasks/{people.task}", {"title": "Fix login bug"})
    assert same[:2] == (409, "not_done")
    assert (await refused(ada, "GET", "/search?q=%20-%20"))[:2] == (422, "empty_query")


async def test_deleted_targets_are_said_to_be_gone(ada: Client, people: People) -> None:
    await people.world.run("DELETE FROM tasks WHERE id = $1", people.task)
    assert (await refused(ada, "PATCH", f"/tasks/{people.task}", {"status": "done"}))[:2] == (
        404,
        "not_found",
    )


async def test_a_thread_whose_root_was_deleted_takes_no_reply(ada: Client, people: People) -> None:
    posted = await ada.post("release", "a root")
    await people.world.run("DELETE FROM messages WHERE id = $1", posted.root)
    reply = {"body": "late", "thread_id": posted.root}
    assert (await refused(ada, "POST", f"/channels/{people.channel}/messages", reply))[:2] == (
        404,
        "not_found",
    )
