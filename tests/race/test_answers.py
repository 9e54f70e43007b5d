"""Story 3: of several who answer, confirm, reject or expire at the same moment, exactly one wins."""

import asyncio
from collections import Counter
from datetime import datetime
from typing import Any
from uuid import uuid4

import pytest

from handraise.common.clock import utc_now
from handraise.dev.client import Client, Refused
from tests.support.inhouse import InHouse, People
from tests.support.scripted import ScriptedChat, asks, calls
from tests.support.stack import House
from tests.support.talk import Json, Talk

RACES = 50
_AT_ONCE = 10


async def _ends(*tries: Any) -> list[Any]:
    """Run all at the same moment; return what each got, or the problem it met."""
    ends = await asyncio.gather(*tries, return_exceptions=True)
    for end in ends:
        if isinstance(end, BaseException) and not isinstance(end, Refused):
            raise end
    return ends


def _one_won(ends: list[Any]) -> tuple[Json, list[Json]]:
    """Return what the one winner got and what the losers were told."""
    won = [end for end in ends if not isinstance(end, Refused)]
    lost = [end for end in ends if isinstance(end, Refused)]
    assert len(won) == 1
    assert {end.status for end in lost} == {409}
    assert {end.problem["code"] for end in lost} == {"already_answered"}
    return won[0], [end.problem for end in lost]


async def _asked(ada: Client, count: int, wish: str) -> list[tuple[Talk, Json]]:
    talks = await asyncio.gather(*(Talk.begin(ada, wish) for _ in range(count)))
    return list(zip(talks, await asyncio.gather(*(talk.until_asked() for talk in talks)), strict=True))


async def _raced(stack: House, handles: tuple[str, str], wish: str, final: str) -> Counter[str]:
    """Have two sessions answer each question differently in the same moment; count who won."""
    names = {"ada": "Ada Lindqvist", "ben": "Ben Okafor"}
    winners: Counter[str] = Counter()
    async with stack.as_("ada") as ada, stack.as_(handles[1]) as other:
        for _ in range(RACES // _AT_ONCE):
            for talk, question in await _asked(ada, _AT_ONCE, wish):
                began = utc_now()
                tries = [
                    ada.answer(question["id"], option="red"),
                    other.answer(question["id"], option="blue"),
                ]
                # Each goes first in its turn, so that neither wins by sitting nearer.
                ends = await _ends(*(tries if sum(winners.values()) % 2 else reversed(tries)))
                won, [lost] = _one_won(ends)
                winner = names[handles[0] if won["option"] == "red" else handles[1]]
                assert (lost["by"], lost["option"]) == (winner, won["option"])
                assert lost["detail"] == f"{winner} answered “{won['option']}” first."
                assert began <= datetime.fromisoformat(lost["at"]) <= utc_now()
                job = await talk.until_ended()
                assert job["final"] == final.format(won["option"])
                assert job["requests"][0]["option"] == won["option"]
                winners[won["option"]] += 1
    return winners


async def test_two_tabs_answer_fifty_questions_differently_and_one_wins_each(stack: House) -> None:
    wish = "@ray ask me: Which colour? red or blue"
    assert sum((await _raced(stack, ("ada", "ada"), wish, "You chose {}.")).values()) == RACES


async def test_two_people_answer_fifty_questions_and_the_later_is_told_by_whom(stack: House) -> None:
    wish = "@ray ask ben: Which colour? red or blue"
    assert sum((await _raced(stack, ("ada", "ben"), wish, "The answer is {}.")).values()) == RACES


async def test_confirm_and_reject_at_once_have_one_outcome_that_all_agree_on(
    people: People, ada: Client, chat: ScriptedChat, house: InHouse
) -> None:
    async with house.as_(people.world, people.ada) as there:
        for number in range(20):
            title = f"Task {number}"
            chat.plays(
                calls(("create_task", {"project_id": str(people.atlas), "title": title})), "So it stands."
            )
            [(talk, card)] = await _asked(ada, 1, "@ray open a task")
            ends = await _ends(ada.confirm(card["action_id"]), there.reject(card["action_id"], "no"))
            won, [lost] = _one_won(ends)
            confirmed = won["outcome"] == "accept"
            assert lost["detail"] == ("Ada confirmed first." if confirmed else "Ada rejected it first.") or (
                lost["outcome"] == "decline" and "no" in lost["detail"]
            )
            job = await talk.until_ended()
            made = await people.world.value("SELECT count(*) FROM tasks WHERE title = $1", title)
            assert made == (1 if confirmed else 0)
            assert job["requests"][0]["action_status"] == ("done" if confirmed else "rejected")


async def test_ten_confirmations_at_once_make_one_task(
    people: People, ada: Client, chat: ScriptedChat
) -> None:
    chat.plays(calls(("create_task", {"project_id": str(people.atlas), "title": "Once"})), "So it stands.")
    [(talk, card)] = await _asked(ada, 1, "@ray open a task")
    ends = await _ends(*(ada.confirm(card["action_id"]) for _ in range(10)))
    _, lost = _one_won(ends)
    assert len(lost) == 9
    await talk.until_ended()
    assert await people.world.value("SELECT count(*) FROM tasks WHERE title = 'Once'") == 1
    assert await people.world.value("SELECT count(*) FROM audit WHERE tag = 'task:create'") == 1


async def test_an_answer_in_the_moment_of_expiry_is_taken_or_told_that_it_expired(
    people: People, ada: Client, chat: ScriptedChat
) -> None:
    await people.world.run("UPDATE agents SET request_ttl = 1")
    outcomes: Counter[str] = Counter()
    for number in range(6):
        chat.plays(asks("Which colour?", "red", "blue"), "So it stands.")
        [(talk, question)] = await _asked(ada, 1, "@ray paint it")
        expires_at = datetime.fromisoformat(question["expires_at"])
        # A press on a button that is not there is told so: it takes the time until the broker's clock is due.
        while (expires_at - utc_now()).total_seconds() > 0.05 * number:
            [pressed] = await _ends(ada.answer(question["id"], option="green"))
            assert (pressed.status, pressed.problem["code"]) == (422, "no_such_option")
        [end] = await _ends(ada.answer(question["id"], option="red"))
        if isinstance(end, Refused):
            assert (end.status, end.problem["code"]) == (409, "already_answered")
            assert end.problem["detail"] == "It expired before that."
            outcome = end.problem["outcome"]
        else:
            outcome = end["outcome"]
        job = await talk.until_ended()
        assert job["status"] == "done"
        assert job["requests"][0]["status"] == {"accept": "accepted", "expired": "expired"}[outcome]
        assert len(chat.told) == 2
        outcomes[outcome] += 1
    assert sum(outcomes.values()) == 6


async def test_two_requests_of_one_job_answered_at_once_go_on_exactly_once(
    people: People, ada: Client, chat: ScriptedChat
) -> None:
    for _ in range(20):
        chat.plays(
            f"{asks('Which colour?', 'red', 'blue')}\n{asks('Which size?', 's', 'l')}", "So it stands."
        )
        [(talk, one)] = await _asked(ada, 1, "@ray paint it")
        other = await talk.until_asked()
        await asyncio.gather(
            *(ada.answer(request["id"], option=request["options"][0]) for request in (one, other))
        )
        job = await talk.until_ended()
        assert len(chat.told) == 2
        assert [request["status"] for request in job["requests"]] == ["accepted", "accepted"]
        assert await talk.bodies("final") == ["So it stands."]


async def test_one_message_sent_ten_times_at_once_is_one_message_and_one_job(
    people: People, ada: Client, chat: ScriptedChat
) -> None:
    chat.plays("Hello.")
    path = f"/api/channels/{people.channel}/messages"
    content = {"body": "@ray hello", "message_id": str(uuid4())}
    posted = await asyncio.gather(*(ada.send(path, content) for _ in range(10)))
    assert len({answer["job_id"] for answer in posted}) == 1
    job = await ada.until_job(posted[0]["job_id"])
    assert len(job["rounds"]) == len(chat.told) == 1
    assert await people.world.value("SELECT count(*) FROM messages WHERE author_id IS NOT NULL") == 1
    assert await people.world.value("SELECT count(*) FROM jobs") == 1


@pytest.mark.parametrize("verb", ["cancel", "decline"])
async def test_an_answer_and_its_opposite_at_once_have_one_outcome(
    verb: str, people: People, ada: Client, chat: ScriptedChat
) -> None:
    for _ in range(10):
        chat.plays(asks("Which colour?", "red", "blue"), "So it stands.")
        [(talk, question)] = await _asked(ada, 1, "@ray paint it")
        opposite = ada.cancel(question["id"]) if verb == "cancel" else ada.decline(question["id"])
        won, [lost] = _one_won(await _ends(ada.answer(question["id"], option="red"), opposite))
        assert lost["outcome"] == won["outcome"]
        job = await talk.until_ended()
        assert job["status"] == ("stopped" if won["outcome"] == "cancel" else "done")
        expected = {"accept": "accepted", "decline": "declined", "cancel": "cancelled"}[won["outcome"]]
        assert job["requests"][0]["status"] == expected
