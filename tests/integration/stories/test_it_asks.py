"""Story 2: “open a task for the api deploy”. It asks, everything is killed, and it goes on from exactly there."""

import pytest

from handraise.dev.client import Client
from tests.support.stack import House
from tests.support.talk import Json, Talk

WISH = "@ray open a task for the api deploy"

pytestmark = pytest.mark.crash


def _stamps(job: Json) -> list[tuple[int, str, str]]:
    return [(r["number"], r["created_at"], r["reply"]) for r in job["rounds"]]


async def _asked(ada: Client) -> tuple[Talk, Json, Json]:
    talk = await Talk.begin(ada, WISH)
    question = await talk.until_asked()
    assert question["kind"] == "question"
    assert question["text"] == "Which environment should I deploy to?"
    assert question["options"] == ["staging", "production"]
    return talk, question, await ada.job(talk.job)


async def _goes_on(ada: Client, talk: Talk, before: Json) -> None:
    """Follow the work from its answer to the end, and see that nothing before the question ran again."""
    proposal = await talk.until_asked()
    assert proposal["tool"] == "create_task"
    assert proposal["arguments"]["title"] == "Deploy API to production"
    job = await ada.job(talk.job)
    assert _stamps(job)[: len(before["rounds"])] == _stamps(before)
    # One round reads the projects, one proposes: no more of them than without the kill.
    assert len(job["rounds"]) == len(before["rounds"]) + 2
    await ada.confirm(proposal["action_id"])
    ended = await talk.until_ended()
    receipts = [request["receipt"]["title"] for request in ended["requests"] if request["receipt"]]
    assert len(receipts) == 1
    assert "Deploy API to production" in receipts[0]


async def test_a_question_outlives_every_process_and_a_button_answers_it(own_house: House) -> None:
    house = own_house
    async with house.as_("ada") as ada:
        talk, question, before = await _asked(ada)
    house.kill_all()
    house.start_all()
    async with house.as_("ada") as ada:
        talk = talk.seen_by(ada)
        assert [request["id"] for request in await ada.open_requests(talk.job)] == [question["id"]]
        answered = await ada.answer(question["id"], option="production")
        assert (answered["outcome"], answered["option"]) == ("accept", "production")
        await _goes_on(ada, talk, before)
        assert await talk.bodies("answer") == ["production"]
        # Nothing was said twice for all the killing.
        said = [(m["kind"], m["body"]) for m in await talk.said()]
        assert len(said) == len(set(said))


async def test_a_reply_typed_in_the_thread_answers_it_after_everything_was_killed(own_house: House) -> None:
    house = own_house
    async with house.as_("ada") as ada:
        talk, question, before = await _asked(ada)
    house.kill_all()
    house.start_all()
    async with house.as_("ada") as ada:
        talk = talk.seen_by(ada)
        posted = await ada.post("release", "production", talk.root)
        assert posted.request_id == question["id"]
        assert posted.job_id == talk.job
        await _goes_on(ada, talk, before)
        mine = [m for m in await talk.said() if m["body"] == "production"]
        assert [message["request_id"] for message in mine] == [question["id"]]
        assert await talk.bodies("answer") == []  # it stands there already, as Ada typed it
