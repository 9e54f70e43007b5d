"""A model that can't be had ends the job with a reason in the thread, and the work can be tried again."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from handraise.dev.client import Client, Refused
from handraise.runner.chat import Garbled, RateLimited, Unavailable, chat_from_settings
from tests.contract.runner.fake_provider import Played, Provider, completion, failure, running_provider
from tests.support.inhouse import InHouse, People
from tests.support.scripted import ScriptedChat, calls
from tests.support.talk import Talk


@pytest.fixture
async def provider() -> AsyncIterator[Provider]:
    async with running_provider() as running:
        yield running


@pytest.fixture
async def wired(
    cold: InHouse, provider: Provider, people: People, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Client]:
    """Ada, in a house whose runner speaks with the provider and tries each call once."""
    chat = chat_from_settings(provider.url, "some-model", "sk-key")
    monkeypatch.setattr("handraise.runner.app.chat_from_settings", lambda *_: chat)
    await cold.start("permissions", "notifier", "gateway")
    await cold.start("runner", handraise_model_attempts=1, handraise_model_timeout=0.5)
    async with cold.as_(people.world, people.ada) as ada:
        yield ada
    await chat.close()


@pytest.mark.parametrize(
    ("played", "told"),
    [
        (Played(hang_up=True), "cannot be reached"),
        (Played(hang=True), "did not answer within"),
        (Played(body=b"<html>Bad gateway</html>", content_type="text/html"), ""),
        (Played(body=b'{"choices": []}'), ""),
        (failure(401, "no such key"), "check the key"),
        (failure(429, "slow down"), ""),
        (failure(500, "oops"), "500"),
    ],
    ids=["hangs up", "is slow", "is a web page", "says nothing", "401", "429", "500"],
)
async def test_an_endpoint_at_fault_fails_the_job_with_a_reason_in_the_thread(
    played: Played, told: str, wired: Client, provider: Provider
) -> None:
    provider.plays(played)
    talk = await Talk.begin(wired, "@ray hello")
    job = await talk.until_ended()
    assert job["status"] == "failed"
    assert job["reason"].startswith("I could not reach my model, so I stopped. ")
    assert told in job["reason"]
    assert len(job["reason"]) > len("I could not reach my model, so I stopped. ")
    assert "sk-key" not in job["reason"]
    assert await talk.bodies("notice") == [job["reason"]]


async def test_failed_work_is_tried_again_as_a_job_of_its_own(wired: Client, provider: Provider) -> None:
    provider.plays(failure(500, "oops"), completion("Here I am."))
    talk = await Talk.begin(wired, "@ray hello")
    failed = await talk.until_ended()
    again = await wired.send(f"/api/jobs/{talk.job}/retry")
    assert again["job_id"] != talk.job
    job = await wired.until_job(again["job_id"])
    assert (job["status"], job["final"]) == ("done", "Here I am.")
    assert job["prompt"] == failed["prompt"]
    assert job["thread_id"] == failed["thread_id"]
    await talk.until_said(lambda message: message["kind"] == "final")
    # What Ada wrote stands there once.
    assert [m["body"] for m in await talk.said()].count("@ray hello") == 1
    # And once more is the same once more: nothing is run a third time.
    assert await wired.send(f"/api/jobs/{talk.job}/retry") == again
    with pytest.raises(Refused) as done:
        await wired.send(f"/api/jobs/{again['job_id']}/retry")
    assert (done.value.status, done.value.problem["code"]) == (409, "not_ended")
    assert len(provider.requests) == 2


@pytest.mark.parametrize(
    "fault",
    [
        Unavailable("It is down.", retry_after=0.01),
        RateLimited("Slowly.", retry_after=0.01),
        Garbled("What?"),
    ],
    ids=["down", "rate", "garbled"],
)
async def test_a_passing_fault_is_tried_again_within_the_round(
    fault: Any, ada: Client, chat: ScriptedChat
) -> None:
    if fault.retry_after is None:
        fault.retry_after = 0.01
    chat.plays(fault, fault, "Here I am.")
    talk = await Talk.begin(ada, "@ray hello")
    job = await talk.until_ended()
    assert (job["status"], job["final"]) == ("done", "Here I am.")
    assert len(job["rounds"]) == 1


async def test_a_wait_that_is_too_long_is_not_waited_for(ada: Client, chat: ScriptedChat) -> None:
    chat.plays(RateLimited("Come back in an hour.", retry_after=3600), "never said")
    talk = await Talk.begin(ada, "@ray hello")
    job = await talk.until_ended()
    assert job["status"] == "failed"
    assert "Come back in an hour." in job["reason"]


async def test_a_fault_after_rounds_keeps_what_was_read(ada: Client, chat: ScriptedChat) -> None:
    chat.plays(calls(("list_my_tasks", {})), RateLimited("Come back in an hour.", retry_after=3600))
    talk = await Talk.begin(ada, "@ray my tasks?")
    job = await talk.until_ended()
    assert job["status"] == "failed"
    assert [call["status"] for call in job["rounds"][0]["calls"]] == ["ran"]
