"""What a person confirmed is what runs, as judged at that moment, and the agent learns what really happened."""

import pytest

from handraise.dev.client import Client, Refused
from tests.support.inhouse import InHouse, People
from tests.support.records import announce_rights
from tests.support.scripted import ScriptedChat, calls, last_told
from tests.support.talk import Json, Talk

pytestmark = pytest.mark.usefixtures("chat")


async def _proposed(client: Client, people: People, chat: ScriptedChat) -> tuple[Talk, Json]:
    mark = ("update_task_status", {"task_id": str(people.task), "status": "done"})
    chat.plays(calls(mark), "So it stands.")
    talk = await Talk.begin(client, "@ray mark it done")
    return talk, await talk.until_asked()


async def test_a_right_that_was_lost_between_click_and_run_refuses_the_run(
    house: InHouse, people: People, ada: Client, chat: ScriptedChat
) -> None:
    talk, card = await _proposed(ada, people, chat)
    await house.stop("runner")
    await ada.confirm(card["action_id"])
    await people.world.run("UPDATE project_members SET role = 'member'")
    await announce_rights(house.nats_url, people.id)
    await house.start("runner")
    job = await talk.until_ended()
    reason = job["requests"][0]["reason"]
    assert job["requests"][0]["action_status"] == "refused"
    assert reason.startswith("Only an admin of the project Atlas may change this task; Ada is a member.")
    assert f"Refused: {reason}" in last_told(chat)
    assert (await ada.task(str(people.task)))["status"] == "in_review"
    refused = "SELECT count(*) FROM audit WHERE tag = 'task:status' AND verdict = 'refused' AND reason = $1"
    assert await people.world.value(refused, reason) == 1


async def test_what_somebody_may_not_do_by_hand_is_not_even_proposed(
    house: InHouse, people: People, chat: ScriptedChat
) -> None:
    mark = ("update_task_status", {"task_id": str(people.task), "status": "done"})
    chat.plays(calls(mark), "You may not.")
    async with house.as_(people.world, people.ben) as ben:
        talk = await Talk.begin(ben, "@ray mark it done")
        job = await talk.until_ended()
        assert job["requests"] == []
        [notice] = await talk.bodies("notice")
        assert notice.startswith(
            "Not done: Mark “Fix login bug” done. Only an admin of the project Atlas may"
        )
        assert (await ben.task(str(people.task)))["status"] == "in_review"
    assert "update_task_status: refused" in last_told(chat)


async def test_arguments_that_were_changed_after_the_click_do_not_run(
    house: InHouse, people: People, ada: Client, chat: ScriptedChat
) -> None:
    talk, card = await _proposed(ada, people, chat)
    await house.stop("runner")
    await ada.confirm(card["action_id"])
    await people.world.run("""UPDATE actions SET arguments = jsonb_set(arguments, '{status}', '"todo"')""")
    await house.start("runner")
    job = await talk.until_ended()
    assert job["requests"][0]["action_status"] == "failed"
    assert job["requests"][0]["reason"] == "What was approved is not what is stored, so it was not run."
    assert (await ada.task(str(people.task)))["status"] == "in_review"


async def test_what_was_approved_is_the_digest_that_was_shown(
    house: InHouse, people: People, ada: Client, chat: ScriptedChat
) -> None:
    talk, card = await _proposed(ada, people, chat)
    await house.stop("runner")
    await ada.confirm(card["action_id"])
    # Another call, well-formed in itself, slipped in under the same id after the click.
    await people.world.run("UPDATE actions SET digest = repeat('0', 64)")
    await house.start("runner")
    job = await talk.until_ended()
    assert job["requests"][0]["action_status"] == "failed"
    assert (await ada.task(str(people.task)))["status"] == "in_review"


async def test_a_target_that_is_gone_is_told_and_the_job_goes_on(
    house: InHouse, people: People, ada: Client, chat: ScriptedChat
) -> None:
    talk, card = await _proposed(ada, people, chat)
    await house.stop("runner")
    await ada.confirm(card["action_id"])
    await people.world.run("DELETE FROM tasks")
    await announce_rights(house.nats_url, people.id)
    await house.start("runner")
    job = await talk.until_ended()
    assert job["status"] == "done"
    assert job["requests"][0]["action_status"] in ("refused", "failed")
    assert job["requests"][0]["reason"]
    assert job["requests"][0]["receipt"] is None


async def test_while_nobody_can_judge_nothing_is_written_and_it_runs_once_when_somebody_can(
    house: InHouse, people: People, ada: Client, chat: ScriptedChat
) -> None:
    talk, card = await _proposed(ada, people, chat)
    await house.stop("permissions")
    with pytest.raises(Refused) as unjudged:
        await ada.confirm(card["action_id"])
    assert (unjudged.value.status, unjudged.value.problem["code"]) == (503, "judge_unavailable")
    assert "Try again" in unjudged.value.problem["detail"]
    assert (await ada.task(str(people.task)))["status"] == "in_review"
    await house.start("permissions")
    await house.stop("runner")
    await ada.confirm(card["action_id"])
    await house.stop("permissions")
    await house.start("runner")
    await ada.until_job(talk.job, ["parked"])
    await house.start("permissions")
    job = await talk.until_ended()
    assert job["requests"][0]["action_status"] == "done"
    assert (await ada.task(str(people.task)))["version"] == 2


async def test_a_confirmed_write_comes_once_however_often_it_is_confirmed(
    people: People, ada: Client, chat: ScriptedChat
) -> None:
    talk, card = await _proposed(ada, people, chat)
    await ada.confirm(card["action_id"])
    with pytest.raises(Refused) as twice:
        await ada.confirm(card["action_id"])
    assert (twice.value.status, twice.value.problem["code"]) == (409, "already_answered")
    assert twice.value.problem["by"] == "Ada"
    await talk.until_ended()
    with pytest.raises(Refused) as thrice:
        await ada.reject(card["action_id"])
    assert thrice.value.problem["detail"] == "Ada confirmed first."
    task = await ada.task(str(people.task))
    assert (task["status"], task["version"]) == ("done", 2)
    assert await people.world.value("SELECT count(*) FROM audit WHERE tag = 'task:status'") == 1


async def test_what_was_rejected_is_not_proposed_again_in_the_same_job(
    people: People, ada: Client, chat: ScriptedChat
) -> None:
    mark = ("update_task_status", {"task_id": str(people.task), "status": "done"})
    chat.plays(calls(mark), calls(mark), "Then not.")
    talk = await Talk.begin(ada, "@ray mark it done")
    card = await talk.until_asked()
    await ada.reject(card["action_id"], "no")
    job = await talk.until_ended()
    assert len(job["requests"]) == 1
    assert "The person rejected exactly this before. Do not propose it again." in last_told(chat)
