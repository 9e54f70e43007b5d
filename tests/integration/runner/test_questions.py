"""What is asked, of whom, and what the agent is told of each outcome."""

import pytest

from handraise.dev.client import Client, Refused
from tests.support.inhouse import InHouse, People
from tests.support.scripted import ScriptedChat, asks, last_told
from tests.support.talk import Talk, tools_of

COLOUR = asks("Which colour?", "red", "blue")


async def test_an_option_reaches_the_agent_as_the_option_it_is(ada: Client, chat: ScriptedChat) -> None:
    chat.plays(COLOUR, "Then so.")
    talk = await Talk.begin(ada, "@ray paint it")
    question = await talk.until_asked()
    assert (question["text"], question["options"]) == ("Which colour?", ["red", "blue"])
    await ada.answer(question["id"], option="blue")
    await talk.until_ended()
    assert "The person answered: blue (one of the options you offered)" in last_told(chat)


async def test_words_of_ones_own_reach_the_agent_byte_for_byte(ada: Client, chat: ScriptedChat) -> None:
    words = "rather  BLUE-ish,\n\tbut “not” too much <b>é</b> 🎨"
    chat.plays(COLOUR, "Then so.")
    talk = await Talk.begin(ada, "@ray paint it")
    await talk.until_asked()
    posted = await ada.post("release", words, talk.root)
    assert posted.request_id is not None
    job = await talk.until_ended()
    assert job["requests"][0]["answer"] == words
    assert job["requests"][0]["option"] is None
    assert "in their own words" in last_told(chat)
    assert "rather  BLUE-ish,\n" in last_told(chat)


async def test_a_decline_goes_on_without_and_is_told_as_a_refusal(ada: Client, chat: ScriptedChat) -> None:
    chat.plays(COLOUR, "Then I leave it.")
    talk = await Talk.begin(ada, "@ray paint it")
    question = await talk.until_asked()
    await ada.decline(question["id"])
    job = await talk.until_ended()
    assert job["status"] == "done"
    assert job["requests"][0]["status"] == "declined"
    assert "do not ask this again" in last_told(chat)


async def test_a_cancel_stops_the_work_and_asks_the_model_nothing_more(
    ada: Client, chat: ScriptedChat, people: People
) -> None:
    chat.plays(COLOUR, "never said")
    talk = await Talk.begin(ada, "@ray paint it")
    question = await talk.until_asked()
    await ada.cancel(question["id"])
    job = await talk.until_ended()
    assert job["status"] == "stopped"
    assert job["requests"][0]["status"] == "cancelled"
    assert job["reason"] == "Stopped in round 1. Before that: nothing read, nothing changed."
    assert await talk.bodies("notice") == [job["reason"]]
    assert len(chat.told) == 1
    tags = await people.world.value(
        "SELECT array_agg(tag ORDER BY at, tag) FROM audit WHERE job_id IS NOT NULL"
    )
    assert tags == ["job:start", "request:ask", "request:cancel", "job:stop"]


async def test_an_expiry_is_told_and_is_neither_a_decline_nor_a_cancel(
    ada: Client, chat: ScriptedChat, people: People
) -> None:
    await people.world.run("UPDATE agents SET request_ttl = 1")
    chat.plays(COLOUR, "Nobody said.")
    talk = await Talk.begin(ada, "@ray paint it")
    question = await talk.until_asked()
    job = await talk.until_ended()
    assert (job["status"], job["final"]) == ("done", "Nobody said.")
    assert job["requests"][0]["status"] == "expired"
    assert job["requests"][0]["answered_by"] is None
    assert "Nobody answered in time. Nothing was changed." in last_told(chat)
    with pytest.raises(Refused) as late:
        await ada.answer(question["id"], option="red")
    assert late.value.status == 409
    assert late.value.problem["code"] == "already_answered"
    assert late.value.problem["outcome"] == "expired"


async def test_what_was_declined_may_not_be_asked_again_in_other_dress(
    ada: Client, chat: ScriptedChat
) -> None:
    chat.plays(COLOUR, asks("which  COLOUR", "blue", "red"), "Then without.")
    talk = await Talk.begin(ada, "@ray paint it")
    question = await talk.until_asked()
    await ada.decline(question["id"])
    job = await talk.until_ended()
    assert job["final"] == "Then without."
    assert [r["id"] for r in job["requests"]] == [question["id"]]
    assert "This was asked before and the person declined to answer. Go on without it." in last_told(chat)


async def test_what_was_answered_is_not_asked_again_but_told_again(ada: Client, chat: ScriptedChat) -> None:
    chat.plays(COLOUR, COLOUR, "Blue, then.")
    talk = await Talk.begin(ada, "@ray paint it")
    question = await talk.until_asked()
    await ada.answer(question["id"], option="blue")
    job = await talk.until_ended()
    assert len(job["requests"]) == 1
    assert "You asked this before in this job; the answer is the same." in last_told(chat)
    assert "blue" in last_told(chat)


async def test_a_request_for_a_secret_never_reaches_a_person(
    ada: Client, chat: ScriptedChat, people: People
) -> None:
    chat.plays(asks("What is the password of the database?"), "Then I can't.")
    talk = await Talk.begin(ada, "@ray migrate it")
    job = await talk.until_ended()
    assert (job["status"], job["final"]) == ("done", "Then I can't.")
    assert job["requests"] == []
    assert [(m["kind"]) for m in await talk.said()] == ["text", "final"]
    assert "needs_human: refused" in last_told(chat)
    assert await people.world.value("SELECT count(*) FROM requests") == 0


async def test_three_questions_that_may_not_be_asked_end_the_job(ada: Client, chat: ScriptedChat) -> None:
    chat.plays(*(asks(f"What is the {what}?") for what in ("API key", "root password", "private key")), "no")
    talk = await Talk.begin(ada, "@ray migrate it")
    job = await talk.until_ended()
    assert job["status"] == "failed"
    assert job["reason"].startswith("I stopped: three questions of mine were not fit to be asked.")


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (asks(""), "needs_human: invalid"),
        (asks("Which?", "a", "A"), "needs_human: invalid"),
        (asks("Which?", "a", "b", colour="red"), "needs_human takes reason, options and person, not colour"),
        (asks("Which?", "a", "b", person="nobody"), "There is nobody called “nobody”"),
        (asks("Which?", "a", "b", person="eve"), "can't read along here"),
    ],
)
async def test_a_question_that_cannot_be_is_told_back_and_not_posted(
    reply: str, why: str, ada: Client, chat: ScriptedChat
) -> None:
    chat.plays(reply, "Then not.")
    talk = await Talk.begin(ada, "@ray paint it")
    job = await talk.until_ended()
    assert job["requests"] == []
    assert why in last_told(chat)


async def test_a_question_to_somebody_else_waits_for_them_and_its_starter(
    house: InHouse, people: People, ada: Client, chat: ScriptedChat
) -> None:
    chat.plays(asks("Which colour?", "red", "blue", person="@Ben"), "Red, then.")
    async with house.as_(people.world, people.ben) as ben, house.as_(people.world, people.eve) as eve:
        talk = await Talk.begin(ada, "@ray paint it as Ben wants")
        question = await talk.until_asked()
        assert question["member_id"] == str(people.ben)
        assert [r["id"] for r in await ben.open_requests()] == [question["id"]]
        assert await eve.open_requests() == []
        with pytest.raises(Refused) as hidden:
            await eve.answer(question["id"], option="red")
        assert hidden.value.status in (403, 404)
        await ben.answer(question["id"], option="red")
        job = await talk.until_ended()
        assert job["requests"][0]["answered_by"] == str(people.ben)
        with pytest.raises(Refused) as late:
            await ada.answer(question["id"], option="blue")
    assert late.value.status == 409
    assert (late.value.problem["by"], late.value.problem["option"]) == ("Ben", "red")
    assert tools_of(job) == ["needs_human"]


async def test_two_questions_at_once_wait_for_both_answers(ada: Client, chat: ScriptedChat) -> None:
    chat.plays(f"{COLOUR}\n{asks('Which size?', 'small', 'large')}", "Then so.")
    talk = await Talk.begin(ada, "@ray paint it")
    first, second = await talk.until_asked(), await talk.until_asked()
    with pytest.raises(Refused) as which:
        await ada.post("release", "whatever you like", talk.root)
    assert (which.value.status, which.value.problem["code"]) == (409, "which_question")
    assert sorted(which.value.problem["questions"]) == ["Which colour?", "Which size?"]
    posted = await ada.post("release", "large", talk.root)  # an option of one of them: no doubt
    sizes = first if first["text"] == "Which size?" else second
    assert posted.request_id == sizes["id"]
    other = second if sizes is first else first
    await ada.answer(other["id"], option="red")
    job = await talk.until_ended()
    assert {r["text"]: r["option"] for r in job["requests"]} == {
        "Which colour?": "red",
        "Which size?": "large",
    }
    assert len(chat.told) == 2
