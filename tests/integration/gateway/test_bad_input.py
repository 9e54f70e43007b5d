"""Whatever is sent to the API, the answer is a problem that says what to correct, and nothing is written."""

from contextlib import suppress
from typing import Any
from uuid import uuid4

import httpx
import pytest

from handraise.dev.client import Client
from tests.support.inhouse import People
from tests.support.scripted import ScriptedChat, asks, calls
from tests.support.talk import Talk

JSON = {"content-type": "application/json"}


def problem(response: httpx.Response, *statuses: int) -> dict[str, Any]:
    """Return the problem of a response that is one, in full."""
    assert response.status_code in statuses, (response.status_code, response.text[:300])
    assert response.headers["content-type"].startswith("application/problem+json")
    body: dict[str, Any] = response.json()
    assert body["status"] == response.status_code
    assert {"code", "title", "detail", "instance"} <= set(body)
    assert body["detail"]
    assert "Traceback" not in response.text
    assert "handraise." not in response.text
    return body


async def test_a_body_that_is_no_json_or_not_of_its_shape_is_refused(
    ada: Client, people: People, chat: ScriptedChat
) -> None:
    path = f"/api/channels/{people.channel}/messages"
    before = await people.world.counts()
    for body in (
        b"",
        b"{",
        b"null",
        b"[]",
        b'"hello"',
        b"\xff\xfe",
        b'{"body": 5}',
        b'{"body": null}',
        b'{"body": ["hello"]}',
        b'{"text": "hello"}',
        b'{"body": "hello", "surprise": 1}',
        b'{"body": "hello", "thread_id": "main"}',
        b'{"body": "hello", "message_id": 7}',
        b'{"body": ""}',
        b'{"body": "' + b"x" * 20_001 + b'"}',
        b"[" * 50_000,
        b'{"a":' * 20_000,
    ):
        problem(await ada.http.post(path, content=body, headers=JSON), 400)
    for body in ({"body": " \n\t "}, {"body": "\u200b \u2060"}, {"body": "nul \x00"}):
        problem(await ada.http.post(path, json=body), 422)
    half = await ada.http.post(path, content=b'{"body": "half \\ud83d of it"}', headers=JSON)
    problem(half, 400, 422)
    assert await people.world.counts() == before
    assert chat.told == []


async def test_a_body_that_is_too_large_is_refused_before_it_is_read(ada: Client, people: People) -> None:
    path = f"/api/channels/{people.channel}/messages"
    # The refusal may overtake the body: then the client finds the connection closed while it still sends.
    for _ in range(10):
        try:
            told = problem(await ada.http.post(path, json={"body": "x" * 1_100_000}), 413)
            break
        except httpx.TransportError:
            continue
    else:
        pytest.fail("the answer was never to be read")
    assert told["code"] == "too_large"

    async def in_pieces() -> Any:
        for _ in range(40):
            yield b"x" * 50_000

    with suppress(httpx.TransportError):
        problem(await ada.http.post(path, content=in_pieces(), headers=JSON), 413, 400)
    assert (await ada.http.get("/api/me")).status_code == 200  # nothing of the house was hurt


async def test_an_address_that_holds_no_id_or_is_none_of_ours_is_not_found(ada: Client) -> None:
    for path in ("/api/jobs/main", "/api/nothing", "/api/tasks/1", "/api/jobs/%00", "/api/jobs/..%2f..%2fme"):
        assert problem(await ada.http.get(path), 404)["code"] == "not_found"
    told = problem(await ada.http.put("/api/me", json={}), 405)
    assert told["code"] == "method_not_allowed"


async def test_an_unknown_id_is_not_found_wherever_it_stands(ada: Client, people: People) -> None:
    unknown = uuid4()
    for path in ("jobs", "requests", "tasks", "conversations"):
        problem(await ada.http.get(f"/api/{path}/{unknown}"), 404)
    for path in (
        f"jobs/{unknown}/stop",
        f"jobs/{unknown}/retry",
        f"requests/{unknown}/decline",
        f"requests/{unknown}/cancel",
        f"actions/{unknown}/confirm",
    ):
        problem(await ada.http.post(f"/api/{path}"), 404)
    problem(await ada.http.post(f"/api/requests/{unknown}/answer", json={"option": "a"}), 404)
    problem(await ada.http.post(f"/api/channels/{unknown}/messages", json={"body": "hello"}), 404)
    problem(await ada.http.post(f"/api/tasks/{unknown}/comments", json={"body": "hello"}), 404)
    problem(await ada.http.patch(f"/api/tasks/{unknown}", json={"status": "done"}), 404)
    within = f"/api/channels/{people.channel}/messages"
    problem(await ada.http.post(within, json={"body": "hello", "thread_id": str(unknown)}), 404)
    assert await people.world.value("SELECT count(*) FROM messages") == 0


async def test_an_answer_that_can_not_be_one_is_refused_and_the_question_stays_open(
    ada: Client, chat: ScriptedChat
) -> None:
    chat.plays(asks("Which?", "red", "blue"), "Thanks.")
    talk = await Talk.begin(ada, "@ray paint it")
    question = await talk.until_asked()
    path = f"/api/requests/{question['id']}/answer"
    told = problem(await ada.http.post(path, json={"option": "green"}), 422)
    assert (told["code"], told["options"]) == ("no_such_option", ["red", "blue"])
    assert problem(await ada.http.post(path, json={}), 422)["code"] == "option_or_text"
    both = await ada.http.post(path, json={"option": "red", "text": "red"})
    assert problem(both, 422)["code"] == "option_or_text"
    assert problem(await ada.http.post(path, json={"text": "  \n"}), 422)["code"] == "empty_answer"
    assert problem(await ada.http.post(path, json={"text": "> quoted only"}), 422)["code"] == "empty_answer"
    assert problem(await ada.http.post(path, json={"text": "nul \x00"}), 422)["code"] == "unreadable_answer"
    problem(await ada.http.post(path, content=b'{"text": "half \\ud83d"}', headers=JSON), 400, 422)
    problem(await ada.http.post(path, json={"text": "x" * 20_001}), 400)
    problem(await ada.http.post(path, json={"option": "x" * 121}), 400)
    # A question is not confirmed, and a proposal not answered.
    problem(await ada.http.post(f"/api/actions/{question['id']}/confirm"), 404)
    assert [r["id"] for r in await ada.open_requests()] == [question["id"]]
    await ada.answer(question["id"], text="the colour of the sky")
    await talk.until_ended()


async def test_a_proposal_is_decided_and_not_answered(
    ada: Client, chat: ScriptedChat, people: People
) -> None:
    mark = ("update_task_status", {"task_id": str(people.task), "status": "done"})
    chat.plays(calls(mark), "Then not.")
    talk = await Talk.begin(ada, "@ray mark it")
    card = await talk.until_asked()
    problem(await ada.http.post(f"/api/requests/{card['id']}/answer", json={"text": "yes"}), 404)
    problem(await ada.http.post(f"/api/requests/{card['id']}/decline"), 404)
    reject = f"/api/actions/{card['action_id']}/reject"
    problem(await ada.http.post(reject, json={"reason": "x" * 20_001}), 400)
    problem(await ada.http.post(reject, json={"reason": "no", "digest": "x"}), 400)
    problem(await ada.http.post(reject, json={"reason": "nul \x00"}), 422)
    assert (await ada.http.post(reject, json={})).status_code == 200
    await talk.until_ended()


@pytest.mark.parametrize(
    "version", [10**30, -(10**30), 2**31, 2**63], ids=["huge", "hugely negative", "2^31", "2^63"]
)
async def test_a_number_beyond_any_column_is_refused_and_not_called_an_outage(
    version: int, ada: Client, people: People
) -> None:
    response = await ada.http.patch(f"/api/tasks/{people.task}", json={"status": "done", "version": version})
    problem(response, 400, 409, 422)
    assert (await ada.task(str(people.task)))["status"] == "in_review"


async def test_a_change_by_hand_says_what_does_not_fit(ada: Client, people: People) -> None:
    path = f"/api/tasks/{people.task}"
    problem(await ada.http.patch(path, json={"status": "perhaps"}), 422)
    problem(await ada.http.patch(path, json={"status": 5}), 400)
    assert (
        problem(await ada.http.patch(path, json={"status": "done", "version": 0}), 409)["code"] == "not_done"
    )
    done = await ada.http.patch(path, json={"status": "done", "version": 1})
    assert done.status_code == 200
    assert done.json()["ids"]["task"] == str(people.task)


async def test_parameters_out_of_their_bounds_are_refused(ada: Client) -> None:
    for query in ("limit=0", "limit=201", "limit=many", "status=perhaps", "limit=" + "9" * 400):
        problem(await ada.http.get(f"/api/requests?{query}"), 400)
    problem(await ada.http.get("/events?topics=everything"), 400)
    problem(await ada.http.get("/events?topics=" + ",".join(f"job-{uuid4()}" for _ in range(51))), 400)


async def test_a_number_that_no_dead_letter_can_have_is_refused(ada: Client) -> None:
    replay = await ada.http.post(f"/api/admin/dead-letters/{10**22}/replay")
    assert problem(replay, 400)["code"] == "invalid_request"
