"""The practice model's stories, from the request to the last message."""

import pytest

from handraise.runner.chat import ChatMessage, PracticeChat
from handraise.runner.chat.practice.smalltalk import ONLY_PRACTICE
from handraise.runner.protocol import Call, Reply, ResultStatus
from tests.unit.runner.practice_story import (
    Result,
    became,
    calls_of,
    chosen,
    confirmed,
    play,
    prompt,
    ran,
    wrote,
)

SAFARI = {
    "id": "t1",
    "key": "ATL-9",
    "title": "Login bug on Safari",
    "status": "in_progress",
    "project": "Atlas",
    "due": "2026-03-06",
}
FIREFOX = {"id": "t2", "key": "ATL-8", "title": "Login bug on Firefox", "status": "todo", "due": None}
NOTES = {
    "id": "t3",
    "key": "ATL-7",
    "title": "Write release notes",
    "status": "todo",
    "due": "2026-03-02T12:00:00+01:00",
}
ATLAS = {"id": "p1", "key": "ATL", "name": "Atlas", "role": "admin"}
ORBIT = {"id": "p2", "key": "ORB", "name": "Orbit", "role": "member"}
BEN = {"id": "m1", "name": "Ben Ode", "handle": "ben"}
MARK = "find my task about the login bug and mark it as done"
DEPLOY = "open a task for the api deploy"


def last(replies: list[Reply]) -> str:
    assert replies[-1].calls == ()
    return replies[-1].text


async def test_it_reads_before_it_proposes_and_reports_by_the_receipt() -> None:
    replies = await play(MARK, ran(tasks=[NOTES, SAFARI]), confirmed("Marked “Login bug on Safari” done"))
    assert calls_of(replies) == [
        Call("list_my_tasks"),
        Call("update_task_status", {"task_id": "t1", "status": "done"}),
    ]
    assert "I propose to mark it as done" in replies[1].text
    assert last(replies) == "Done: marked “Login bug on Safari” done."


@pytest.mark.parametrize(
    ("request_text", "status"),
    [
        ("Find my task about the login bug and set it to in review", "in_review"),
        ("find my login bug task, and move it to in progress.", "in_progress"),
        ("please mark my login bug task as finished", "done"),
        ("@ray mark my login bug as to do", "todo"),
        ("close my task about the login bug", "done"),
        ("can you reopen my login bug ticket please", "todo"),
        ("mark my login bug done", "done"),
    ],
)
async def test_other_words_for_a_status_mean_the_same(request_text: str, status: str) -> None:
    task = SAFARI | {"status": "nothing yet"}
    replies = await play(request_text, ran(tasks=[NOTES, task]))
    assert calls_of(replies)[-1] == Call("update_task_status", {"task_id": "t1", "status": status})


async def test_a_key_names_its_task() -> None:
    replies = await play("mark ATL-7 as in progress", ran(tasks=[NOTES, SAFARI]), ran(results=[]))
    assert calls_of(replies)[-1] == Call("update_task_status", {"task_id": "t3", "status": "in_progress"})


async def test_a_rejection_changes_nothing_and_repeats_the_persons_words() -> None:
    rejected = became(ResultStatus.REJECTED, "it still fails on iOS")
    replies = await play(MARK, ran(tasks=[SAFARI]), rejected)
    assert last(replies) == "You said no, so nothing was changed. You said: “it still fails on iOS”"


async def test_a_refusal_tells_its_reason() -> None:
    refused = became(ResultStatus.REFUSED, "only an admin of Atlas may change its tasks.")
    replies = await play(MARK, ran(tasks=[SAFARI]), refused)
    assert last(replies) == (
        "That was refused: only an admin of Atlas may change its tasks. Nothing was changed."
    )


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (ResultStatus.EXPIRED, "Nobody confirmed it in time"),
        (ResultStatus.FAILED, "did not work"),
        (ResultStatus.INVALID, "did not work"),
        (ResultStatus.PROPOSED, "waits for a click"),
        (ResultStatus.CANCELLED, "did not work"),
    ],
)
async def test_what_was_not_done_is_never_reported_as_done(status: ResultStatus, told: str) -> None:
    replies = await play(MARK, ran(tasks=[SAFARI]), became(status, "the reason"))
    assert told in last(replies)
    assert "Done" not in last(replies)


async def test_no_match_is_said_and_nothing_proposed() -> None:
    replies = await play(MARK, ran(tasks=[NOTES]))
    assert last(replies) == "I found no task of yours about “login bug”. Nothing was changed."


async def test_several_matches_are_asked_about_with_their_titles() -> None:
    replies = await play(MARK, ran(tasks=[SAFARI, FIREFOX]), chosen("Login bug on Firefox"))
    question = calls_of(replies)[1]
    assert question.args["options"] == ["Login bug on Safari", "Login bug on Firefox"]
    assert calls_of(replies)[2] == Call("update_task_status", {"task_id": "t2", "status": "done"})


async def test_equal_titles_are_told_apart_by_key() -> None:
    twins = [SAFARI, SAFARI | {"id": "t4", "key": "ORB-1"}]
    replies = await play(MARK, ran(tasks=twins), chosen("Login bug on Safari (ORB-1)"))
    assert calls_of(replies)[2].args["task_id"] == "t4"


async def test_a_free_answer_can_name_one_of_several() -> None:
    replies = await play(MARK, ran(tasks=[SAFARI, FIREFOX]), wrote("the firefox one"))
    assert calls_of(replies)[2].args["task_id"] == "t2"


@pytest.mark.parametrize("outcome", [became(ResultStatus.DECLINED), wrote("some other thing")])
async def test_without_knowing_which_it_leaves_all_of_them(outcome: Result) -> None:
    replies = await play(MARK, ran(tasks=[SAFARI, FIREFOX]), outcome)
    assert "Nothing was changed" in last(replies)
    assert len(calls_of(replies)) == 2


async def test_a_task_that_is_so_already_is_left() -> None:
    replies = await play(MARK, ran(tasks=[SAFARI | {"status": "done"}]))
    assert last(replies) == "“Login bug on Safari” (ATL-9) is done already. Nothing was changed."


async def test_it_asks_which_environment_before_anything_else() -> None:
    replies = await play(DEPLOY)
    assert calls_of(replies) == [
        Call(
            "needs_human",
            {"reason": "Which environment should I deploy to?", "options": ["staging", "production"]},
        )
    ]


async def test_the_answer_goes_into_the_task() -> None:
    replies = await play(
        DEPLOY,
        chosen("production"),
        ran(projects=[ATLAS]),
        confirmed("Created task “Deploy API to production”"),
    )
    assert calls_of(replies)[1:] == [
        Call("list_projects"),
        Call("create_task", {"project_id": "p1", "title": "Deploy API to production"}),
    ]
    assert last(replies) == "Done: created task “Deploy API to production”."


@pytest.mark.parametrize(
    ("words", "environment"),
    [
        ("neither, use the sandbox", "sandbox"),
        ("none of them: deploy it to canary please", "canary"),
        ("the EU cluster", "EU cluster"),
        ("let's go with qa", "qa"),
    ],
)
async def test_a_free_answer_names_another_environment(words: str, environment: str) -> None:
    replies = await play(DEPLOY, wrote(words), ran(projects=[ATLAS]))
    assert calls_of(replies)[-1].args["title"] == f"Deploy API to {environment}"


@pytest.mark.parametrize("status", [ResultStatus.DECLINED, ResultStatus.EXPIRED])
async def test_without_an_answer_it_does_what_it_can_and_asks_no_more(status: ResultStatus) -> None:
    replies = await play(
        DEPLOY, became(status), ran(projects=[ATLAS]), confirmed("Created task “Deploy API”")
    )
    assert calls_of(replies)[-1].args["title"] == "Deploy API"
    assert [call.tool for call in calls_of(replies)].count("needs_human") == 1
    assert "did not say which environment" in last(replies)


async def test_a_named_environment_is_not_asked_for() -> None:
    replies = await play(
        "create a ticket for the billing service deployment to staging", ran(projects=[ATLAS])
    )
    assert calls_of(replies)[-1].args["title"] == "Deploy Billing service to staging"


async def test_the_project_named_in_the_request_is_taken() -> None:
    replies = await play("create a task: write the changelog in Orbit", ran(projects=[ATLAS, ORBIT]))
    assert calls_of(replies)[-1].args == {"project_id": "p2", "title": "Write the changelog"}


async def test_the_only_project_that_one_administers_is_taken() -> None:
    replies = await play("open a task to fix the lamp", ran(projects=[ORBIT, ATLAS]))
    assert calls_of(replies)[-1].args == {"project_id": "p1", "title": "Fix the lamp"}


async def test_between_several_projects_it_asks() -> None:
    projects = [ATLAS, ORBIT | {"role": "admin"}]
    replies = await play("open a task to fix the lamp", ran(projects=projects), chosen("Orbit"))
    assert calls_of(replies)[1].args["options"] == ["Atlas", "Orbit"]
    assert calls_of(replies)[-1].args["project_id"] == "p2"


async def test_without_any_project_it_says_so() -> None:
    replies = await play("open a task to fix the lamp", ran(projects=[]))
    assert "in no project" in last(replies)


async def test_ask_me_asks_at_once_and_says_what_was_chosen() -> None:
    replies = await play("ask me: Which colour? red, green or blue", chosen("red"))
    assert calls_of(replies) == [
        Call("needs_human", {"reason": "Which colour?", "options": ["red", "green", "blue"]})
    ]
    assert last(replies) == "You chose red."


async def test_ask_me_says_that_it_was_declined_or_what_else_was_written() -> None:
    declined = await play("ask me: Which colour? red or blue", became(ResultStatus.DECLINED))
    assert last(declined) == "You did not answer, so I leave it open."
    free = await play("ask me: Which colour? red or blue", wrote("neither, [2] purple: done"))
    assert last(free) == "You wrote: “neither, [2] purple: done”"
    refused = await play(
        "ask me: What is your password?", became(ResultStatus.REFUSED, "it asks for a secret.")
    )
    assert "it asks for a secret" in last(refused)


async def test_an_open_question_is_asked_without_options() -> None:
    replies = await play("ask me: How shall we call it?", wrote("Zed"))
    assert calls_of(replies) == [Call("needs_human", {"reason": "How shall we call it?"})]


async def test_hello_runs_no_tool() -> None:
    replies = await play("hello!")
    assert last(replies).startswith("Hello, Ada!")
    assert len(replies) == 1


@pytest.mark.parametrize("request_text", ["What is the meaning of life?", "", "open the pod bay doors", "?!"])
async def test_all_else_is_answered_with_what_it_is(request_text: str) -> None:
    assert last(await play(request_text)) == ONLY_PRACTICE
    assert ONLY_PRACTICE.startswith("I am only the practice model: I follow rules, I do not think.")


async def test_a_tool_that_the_agent_lacks_is_not_called() -> None:
    replies = await play("post to #general: Hello", missing="post_to_channel")
    assert "I need the tool post_to_channel, which I do not have here" in last(replies)
    assert calls_of(replies) == []


async def test_it_reads_the_conversation_alone_and_a_bare_request_does() -> None:
    messages = [ChatMessage("system", prompt()), ChatMessage("user", "hello!")]
    reply = await PracticeChat().complete(messages, max_tokens=500, timeout=1)
    assert reply.text.startswith("Hello, Ada!")
    again = await PracticeChat().complete(messages, max_tokens=500, timeout=1)
    assert again == reply


async def test_a_reply_longer_than_allowed_is_cut_and_says_so() -> None:
    messages = [ChatMessage("user", "what is love")]
    reply = await PracticeChat().complete(messages, max_tokens=5, timeout=1)
    assert len(reply.text) == 20
    assert reply.finish_reason == "length"
