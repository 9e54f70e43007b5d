"""While a part is away the gateway says so, writes nothing it can't finish, and goes on when the part is back."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from handraise.dev.client import Client, Refused
from handraise.dev.nats import EmbeddedNats
from tests.support.inhouse import InHouse, People
from tests.support.scripted import ScriptedChat, Thinking, asks, calls, last_told
from tests.support.talk import Talk


async def _ready(client: Client, status: int) -> None:
    async with asyncio.timeout(30):
        while (await client.http.get("/readyz")).status_code != status:
            pass


async def _once_taken(work: Callable[[], Awaitable[Any]]) -> Any:
    """Try until every part has found its way back to the bus, as one is told to."""
    async with asyncio.timeout(30):
        while True:
            try:
                return await work()
            except Refused as refused:
                if refused.status != 503:
                    raise


async def test_without_the_bus_the_answer_is_503_and_later_the_same_message_goes_through(
    nats_server: EmbeddedNats, house: InHouse, people: People, ada: Client, chat: ScriptedChat
) -> None:
    chat.plays("Here I am.")
    path = f"/api/channels/{people.channel}/messages"
    content = {"body": "@ray hello", "message_id": "0192f0c1-0000-7000-8000-000000000001"}
    nats_server.kill()
    down = await ada.http.post(path, json=content)
    assert down.status_code == 503
    assert down.headers["retry-after"] == "1"
    assert down.json()["code"] in ("judge_unavailable", "bus_unavailable")
    await _ready(ada, 503)
    assert (await ada.http.get("/api/me")).status_code == 200  # what needs no bus is still answered
    assert await people.world.value("SELECT count(*) FROM messages") == 0
    nats_server.start()
    await _ready(ada, 200)
    posted = await _once_taken(lambda: ada.send(path, content))
    job = await ada.until_job(posted["job_id"], within=60)
    assert (job["status"], job["final"]) == ("done", "Here I am.")


async def test_a_question_is_answered_after_the_bus_was_away(
    nats_server: EmbeddedNats, house: InHouse, people: People, ada: Client, chat: ScriptedChat
) -> None:
    chat.plays(asks("Which?", "red", "blue"), "Thanks.")
    talk = await Talk.begin(ada, "@ray paint it")
    question = await talk.until_asked()
    nats_server.kill()
    with pytest.raises(Refused) as down:
        await ada.answer(question["id"], option="red")
    assert down.value.status == 503
    nats_server.start()
    await _ready(ada, 200)
    await _once_taken(lambda: ada.answer(question["id"], option="blue"))
    job = await talk.until_ended(within=60)
    assert job["requests"][0]["option"] == "blue"


async def test_without_a_judge_nothing_is_written_and_one_is_told_to_try_again(
    house: InHouse, people: People, ada: Client
) -> None:
    await house.stop("permissions")
    before = await people.world.counts()
    for method, path, content in (
        ("POST", f"/api/channels/{people.channel}/messages", {"body": "hello"}),
        ("POST", f"/api/tasks/{people.task}/comments", {"body": "hello"}),
        ("PATCH", f"/api/tasks/{people.task}", {"status": "done"}),
    ):
        response = await ada.http.request(method, path, json=content)
        assert response.status_code == 503
        assert response.json()["code"] == "judge_unavailable"
        assert "Nothing was changed" in response.json()["detail"]
        assert "Try again" in response.json()["detail"]
        assert response.headers["retry-after"] == "1"
    assert await people.world.counts() == before
    assert (await ada.http.get(f"/api/tasks/{people.task}")).status_code == 200
    await house.start("permissions")
    assert (
        await ada.http.post(f"/api/channels/{people.channel}/messages", json={"body": "hi"})
    ).status_code == 202


async def test_the_agent_says_that_it_can_not_find_out_what_is_permitted(
    house: InHouse, people: People, ada: Client, chat: ScriptedChat
) -> None:
    mark = ("update_task_status", {"task_id": str(people.task), "status": "done"})
    thinking = Thinking(calls(mark))
    chat.plays(thinking, "I could not find out.")
    talk = await Talk.begin(ada, "@ray mark it done")
    await thinking.began.wait()
    await house.stop("permissions")
    thinking.end.set()
    job = await talk.until_ended()
    assert job["requests"] == []
    assert "can't be found out now" in last_told(chat)
    assert (await ada.task(str(people.task)))["status"] == "in_review"


async def test_a_service_stops_in_good_order_while_the_bus_is_away(
    nats_server: EmbeddedNats, house: InHouse, ada: Client
) -> None:
    nats_server.kill()
    await _ready(ada, 503)
    async with asyncio.timeout(20):
        await house.stop("runner", "notifier", "permissions", "gateway")
    nats_server.start()
    await house.start()
    await _ready(ada, 200)
