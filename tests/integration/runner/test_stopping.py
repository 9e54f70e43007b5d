"""Stop holds wherever the work is: queued, in the middle of a model call, parked, or waiting to execute."""

import pytest

from handraise.dev.client import Client, Refused
from tests.support.inhouse import InHouse, People
from tests.support.scripted import ScriptedChat, Thinking, asks, calls
from tests.support.talk import Talk


async def _stop(client: Client, talk: Talk) -> dict[str, str]:
    stopping: dict[str, str] = await client.send(f"/api/jobs/{talk.job}/stop")
    return stopping


async def test_a_model_call_under_way_is_cut_short(ada: Client, chat: ScriptedChat) -> None:
    thinking = Thinking()
    chat.plays(calls(("list_my_tasks", {})), thinking)
    talk = await Talk.begin(ada, "@ray my tasks?")
    await thinking.began.wait()
    try:
        assert await _stop(ada, talk) == {"status": "stopping"}
        job = await talk.until_ended(within=15)
    finally:
        thinking.end.set()
    assert job["status"] == "stopped"
    assert thinking.cancelled
    assert job["reason"] == "Stopped in round 1. Before that: 1 thing read, nothing changed."
    assert await talk.bodies("notice") == [job["reason"]]


async def test_a_parked_job_stops_and_its_question_closes(
    ada: Client, chat: ScriptedChat, people: People
) -> None:
    chat.plays(asks("Which?", "a", "b"), "never said")
    talk = await Talk.begin(ada, "@ray paint it")
    question = await talk.until_asked()
    await _stop(ada, talk)
    job = await talk.until_ended()
    assert job["status"] == "stopped"
    assert job["requests"][0]["status"] == "cancelled"
    assert await ada.open_requests() == []
    with pytest.raises(Refused) as late:
        await ada.answer(question["id"], option="a")
    assert (late.value.status, late.value.problem["outcome"]) == (409, "cancel")
    assert len(chat.told) == 1


async def test_a_job_with_several_requests_stops_as_one(
    ada: Client, chat: ScriptedChat, people: People
) -> None:
    mark = ("update_task_status", {"task_id": str(people.task), "status": "done"})
    chat.plays(f"{asks('Which?', 'a', 'b')}\n{calls(mark)}", "never said")
    talk = await Talk.begin(ada, "@ray paint it and mark it")
    await talk.until_asked()
    await talk.until_asked()
    await _stop(ada, talk)
    job = await talk.until_ended()
    assert job["status"] == "stopped"
    assert {request["status"] for request in job["requests"]} == {"cancelled"}
    assert {request["action_status"] for request in job["requests"]} == {None, "cancelled"}
    assert (await ada.task(str(people.task)))["status"] == "in_review"


async def test_a_queued_job_never_begins(cold: InHouse, people: People, chat: ScriptedChat) -> None:
    await cold.start("permissions", "notifier", "gateway")
    async with cold.as_(people.world, people.ada) as ada:
        talk = await Talk.begin(ada, "@ray my tasks?")
        await _stop(ada, talk)
        await cold.start("runner")
        job = await talk.until_ended()
    assert job["status"] == "stopped"
    assert job["reason"] == "Stopped. Before that: nothing read, nothing changed."
    assert chat.told == []


async def test_a_confirmed_action_whose_job_is_stopped_first_is_not_run(
    cold: InHouse, people: People, chat: ScriptedChat
) -> None:
    mark = ("update_task_status", {"task_id": str(people.task), "status": "done"})
    chat.plays(f"{calls(mark)}\n{asks('Which?', 'a', 'b')}", "never said")
    await cold.start()
    async with cold.as_(people.world, people.ada) as ada:
        talk = await Talk.begin(ada, "@ray mark it")
        first, second = await talk.until_asked(), await talk.until_asked()
        await cold.stop("runner")
        card = first if first["kind"] == "approval" else second
        await ada.confirm(card["action_id"])
        await _stop(ada, talk)
        await cold.start("runner")
        job = await talk.until_ended()
        assert job["status"] == "stopped"
        # Which of the two came first is open; that it ran and was reported, or neither, is not.
        ran = (await ada.task(str(people.task)))["status"] == "done"
        action = next(request for request in job["requests"] if request["action_id"])
        assert (action["action_status"] == "done") is ran
        assert ("Marked" in job["reason"]) is ran


async def test_only_those_who_may_stop_it(
    house: InHouse, people: People, ada: Client, chat: ScriptedChat
) -> None:
    chat.plays(asks("Which?", "a", "b"), "Thanks.")
    talk = await Talk.begin(ada, "@ray paint it")
    question = await talk.until_asked()
    async with house.as_(people.world, people.ben) as ben:
        with pytest.raises(Refused) as refused:
            await _stop(ben, talk)
    assert refused.value.status == 403
    await ada.answer(question["id"], option="a")
    assert (await talk.until_ended())["status"] == "done"
    with pytest.raises(Refused) as ended:
        await _stop(ada, talk)
    assert (ended.value.status, ended.value.problem["code"]) == (409, "already_ended")


async def test_stopped_work_can_be_tried_again(ada: Client, chat: ScriptedChat) -> None:
    chat.plays(asks("Which?", "a", "b"), asks("Which?", "a", "b"), "Thanks.")
    talk = await Talk.begin(ada, "@ray paint it")
    await talk.until_asked()
    await _stop(ada, talk)
    await talk.until_ended()
    again = await ada.send(f"/api/jobs/{talk.job}/retry")
    question = await ada.until_asked(again["job_id"])
    await ada.answer(question["id"], option="a")
    assert (await ada.until_job(again["job_id"]))["final"] == "Thanks."
