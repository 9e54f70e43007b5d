"""Whatever a model writes, a job ends or waits, and its person can read why."""

import pytest

from handraise.dev.client import Client
from handraise.runner import endings
from handraise.runner.claims import CORRECTED
from tests.support.inhouse import People
from tests.support.scripted import ScriptedChat, asks, calls, last_told
from tests.support.talk import Talk, tools_of

LOOK = ("list_my_tasks", {})


async def test_a_plain_reply_is_the_final_message(ada: Client, chat: ScriptedChat) -> None:
    chat.plays("It is Thursday.")
    talk = await Talk.begin(ada, "@ray which day?")
    job = await talk.until_ended()
    assert (job["status"], job["final"]) == ("done", "It is Thursday.")
    assert await talk.bodies("final") == ["It is Thursday."]


async def test_three_empty_replies_end_the_job_with_a_reason(ada: Client, chat: ScriptedChat) -> None:
    chat.plays("", "  \n ", "<think>hm</think>", "never read")
    talk = await Talk.begin(ada, "@ray which day?")
    job = await talk.until_ended()
    assert (job["status"], job["reason"]) == ("failed", endings.EMPTY)
    assert await talk.bodies("notice") == [endings.EMPTY]
    assert len(chat.told) == 3


async def test_a_call_that_cannot_be_read_is_told_back_and_may_be_corrected(
    ada: Client, chat: ScriptedChat
) -> None:
    chat.plays('<tool_call>{"tool": "list_my_tasks", "args": ', calls(LOOK), "You have one.")
    talk = await Talk.begin(ada, "@ray my tasks?")
    job = await talk.until_ended()
    assert (job["status"], job["final"]) == ("done", "You have one.")
    assert "Not understood, and not run" in chat.told[1][-1].content


async def test_rubbish_for_ever_ends_at_the_agents_bound_with_a_reason(
    ada: Client, chat: ScriptedChat, people: People
) -> None:
    await people.world.run("UPDATE agents SET max_rounds = 4")
    chat.plays("<tool_call>{{{</tool_call>")
    talk = await Talk.begin(ada, "@ray my tasks?")
    job = await talk.until_ended()
    assert (job["status"], job["reason"]) == ("failed", endings.too_many_rounds(4))
    assert len(chat.told) == len(job["rounds"]) == 4


async def test_no_agent_may_be_set_beyond_the_ceiling(
    ada: Client, chat: ScriptedChat, people: People
) -> None:
    await people.world.run("UPDATE agents SET max_rounds = 500")
    chat.plays(calls(LOOK))
    talk = await Talk.begin(ada, "@ray my tasks?")
    job = await talk.until_ended()
    assert (job["status"], job["reason"]) == ("failed", endings.too_many_rounds(12))
    assert len(chat.told) == 12


async def test_the_same_read_runs_once_and_its_data_is_told_again(ada: Client, chat: ScriptedChat) -> None:
    chat.plays(calls(LOOK, LOOK), calls(LOOK), "You have one.")
    talk = await Talk.begin(ada, "@ray my tasks?")
    job = await talk.until_ended()
    records = [call for round in job["rounds"] for call in round["calls"]]
    assert [record["status"] for record in records] == ["ran", "cached", "cached"]
    assert records[0]["body"] == records[1]["body"] == records[2]["body"] != ""
    assert last_told(chat).count("Fix login bug") == 1


@pytest.mark.parametrize("tool", ["format_disk", "update_task_status"])
async def test_a_tool_that_is_not_the_agents_is_told_and_not_run(
    tool: str, ada: Client, chat: ScriptedChat, people: People
) -> None:
    await people.world.run("UPDATE agents SET tools = '{list_my_tasks}'")
    chat.plays(calls((tool, {"task_id": str(people.task), "status": "done"})), "Then not.")
    talk = await Talk.begin(ada, "@ray mark it done")
    job = await talk.until_ended()
    assert job["requests"] == []
    assert f"There is no tool “{tool}” for you. You have: needs_human, list_my_tasks." in last_told(chat)
    assert (await ada.task(str(people.task)))["status"] == "in_review"


async def test_arguments_that_do_not_fit_are_told_and_nothing_is_proposed(
    ada: Client, chat: ScriptedChat, people: People
) -> None:
    chat.plays(
        calls(("update_task_status", {"task_id": str(people.task), "status": "perhaps"})),
        calls(("update_task_status", {"status": "done"})),
        calls(("update_task_status", {"task_id": "'; DROP TABLE tasks; --", "status": "done"})),
        "I could not.",
    )
    talk = await Talk.begin(ada, "@ray mark it done")
    job = await talk.until_ended()
    assert job["requests"] == []
    assert [c["status"] for r in job["rounds"] for c in r["calls"]] == ["invalid"] * 3


async def test_a_reply_of_a_megabyte_is_kept_and_shown_as_far_as_it_can_be(
    ada: Client, chat: ScriptedChat
) -> None:
    chat.plays("So it goes. " * 85_000)
    talk = await Talk.begin(ada, "@ray tell me everything")
    job = await talk.until_ended()
    assert job["status"] == "done"
    [final] = await talk.bodies("final")
    assert final.startswith("So it goes. So it goes.")
    assert final.endswith("(The rest is not shown: the message was too long.)")
    assert len(final) < 41_000
    assert len(job["rounds"][0]["reply"]) == 12 * 85_000


async def test_what_is_beyond_a_megabyte_is_told_back_as_not_read(ada: Client, chat: ScriptedChat) -> None:
    chat.plays("So it goes. " * 90_000, "Shorter, then.")
    talk = await Talk.begin(ada, "@ray tell me everything")
    job = await talk.until_ended()
    assert (job["status"], job["final"]) == ("done", "Shorter, then.")
    assert "the reply is longer than 1 MiB" in last_told(chat)


async def test_long_words_beside_a_question_do_not_keep_it_from_being_asked(
    ada: Client, chat: ScriptedChat
) -> None:
    chat.plays(
        "So it goes. " * 80_000 + calls(("needs_human", {"reason": "Which?", "options": ["a", "b"]})),
        "Thanks.",
    )
    talk = await Talk.begin(ada, "@ray tell me everything")
    question = await talk.until_asked()
    await ada.answer(question["id"], option="a")
    assert (await talk.until_ended())["final"] == "Thanks."


async def test_characters_that_no_column_can_hold_do_not_stop_a_job(ada: Client, chat: ScriptedChat) -> None:
    chat.plays(f"Half \ud83d and nothing \x00.\n{calls(LOOK)}", "Half \ud83d and nothing \x00.")
    talk = await Talk.begin(ada, "@ray say it")
    job = await talk.until_ended()
    assert (job["status"], job["final"]) == ("done", "Half \ufffd and nothing \ufffd.")
    assert chat.told[1][-2].content.startswith("Half \ufffd and nothing \ufffd.")


async def test_a_change_that_no_receipt_shows_is_not_reported(ada: Client, chat: ScriptedChat) -> None:
    chat.plays("I have marked “Fix login bug” as done.")
    talk = await Talk.begin(ada, "@ray mark the login bug as done")
    job = await talk.until_ended()
    assert "I have marked" not in job["final"]
    assert job["final"].startswith("Nothing was changed")
    assert job["rounds"][0]["reply"] == "I have marked “Fix login bug” as done."


async def test_several_writes_become_several_cards_that_are_decided_in_any_order(
    ada: Client, chat: ScriptedChat, people: People
) -> None:
    def make(title: str) -> tuple[str, dict[str, object]]:
        return "create_task", {"project_id": str(people.atlas), "title": title}

    chat.plays(calls(make("One"), make("Two"), make("Three"), words="Three of them."), "So it is.")
    talk = await Talk.begin(ada, "@ray open three tasks")
    cards = {}
    for _ in range(3):
        card = await talk.until_asked()
        cards[card["arguments"]["title"]] = card
    assert await talk.bodies("text") == ["@ray open three tasks", "Three of them."]
    await ada.confirm(cards["Three"]["action_id"])
    await ada.reject(cards["One"]["action_id"], "one is enough")
    await ada.until_job(talk.job, ["parked"])
    assert len(chat.told) == 1  # it goes on only once all of them are settled
    await ada.confirm(cards["Two"]["action_id"])
    job = await talk.until_ended()
    assert len(chat.told) == 2
    statuses = {r["arguments"]["title"]: r["action_status"] for r in job["requests"]}
    assert statuses == {"One": "rejected", "Two": "done", "Three": "done"}
    titles = "SELECT array_agg(title ORDER BY title) FROM tasks WHERE number > 117"
    assert await people.world.value(titles) == ["Three", "Two"]
    told = last_told(chat)
    assert "[1] create_task: rejected" in told
    assert "[2] create_task: confirmed" in told
    assert "[3] create_task: confirmed" in told
    assert tools_of(job) == ["create_task"] * 3


async def test_the_same_write_twice_in_one_reply_is_one_card(
    ada: Client, chat: ScriptedChat, people: People
) -> None:
    mark = ("update_task_status", {"task_id": str(people.task), "status": "done"})
    chat.plays(calls(mark, mark), "Done as asked.")
    talk = await Talk.begin(ada, "@ray mark it done")
    card = await talk.until_asked()
    await ada.confirm(card["action_id"])
    job = await talk.until_ended()
    assert len(job["requests"]) == 1
    assert [c["status"] for c in job["rounds"][0]["calls"]] == ["proposed", "invalid"]


async def test_a_claim_beside_a_question_is_corrected_before_anybody_reads_it(
    ada: Client, chat: ScriptedChat
) -> None:
    chat.plays(f"I have marked the task as done.\n{asks('Which?', 'a', 'b')}", "So it stands.")
    talk = await Talk.begin(ada, "@ray mark it")
    await talk.until_asked()
    assert await talk.bodies("text") == ["@ray mark it", CORRECTED]
