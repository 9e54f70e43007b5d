"""What becomes of a round's calls, without a database: reads run, questions and writes wait, the rest is told why."""

from typing import Any
from uuid import UUID

import msgspec
import pytest

from handraise.common.bus.messages import Place
from handraise.common.clock import utc_now
from handraise.common.ids import new_id
from handraise.common.questions import Question, render
from handraise.runner.calls import Declined, Draft, Outcome, carry_out, key, question_of
from handraise.runner.protocol import Call, ResultStatus
from handraise.runner.transcript import Asked, CallRecord, Kept, Past
from handraise.workspace.jobs import JobState
from handraise.workspace.words import JobStatus

BEN = new_id()


class Box:
    """A toolbox of three: `look` reads, `mark` writes, `forbidden` may not be done."""

    def __init__(self) -> None:
        self.ran: list[dict[str, Any]] = []

    def reads(self, tool: str) -> bool:
        if tool not in ("look", "mark", "forbidden"):
            raise Declined(ResultStatus.INVALID, f"There is no tool “{tool}”.")
        return tool == "look"

    async def read(self, job: JobState, tool: str, args: dict[str, Any]) -> tuple[dict[str, Any], str]:
        if args.get("bad"):
            raise Declined(ResultStatus.INVALID, "bad is no argument")
        self.ran.append(args)
        return {"found": len(self.ran)}, "Looked"

    async def person(self, job: JobState, named: str) -> UUID:
        if named != "ben":
            raise Declined(ResultStatus.INVALID, f"There is nobody called “{named}”.")
        return BEN

    async def draft(self, job: JobState, tool: str, args: dict[str, Any]) -> Draft:
        if tool == "forbidden":
            raise Declined(ResultStatus.REFUSED, "Only an admin may.", "Forbid it")
        return Draft(
            arguments=args,
            digest=msgspec.json.encode(args).hex(),
            sentence=f"Mark {args}",
            preview={"args": args},
        )


def job() -> JobState:
    return JobState(
        id=new_id(),
        workspace_id=new_id(),
        agent_id=new_id(),
        member_id=new_id(),
        place=Place("dm", new_id()),
        message_id=new_id(),
        prompt="do it",
        status=JobStatus.RUNNING,
        reason=None,
        rounds=0,
        waiting=0,
        cause=None,
        epoch=1,
        fence="f",
        stop_by=None,
        created_at=utc_now(),
        version=1,
    )


JOB = job()


async def run(*calls: Call, past: Past | None = None, box: Box | None = None, number: int = 1) -> Outcome:
    return await carry_out(JOB, number, calls, past or Past(), box or Box())


def asked(question: Question, status: str, **more: Any) -> Past:
    return Past(
        asked=(
            Asked(
                id=new_id(),
                round=1,
                call=0,
                kind="question",
                text=render(question),
                status=status,
                expires_at=utc_now(),
                member_id=new_id(),
                **more,
            ),
        )
    )


def proposed(args: dict[str, Any], action_status: str, **more: Any) -> Past:
    return Past(
        asked=(
            Asked(
                id=new_id(),
                round=1,
                call=0,
                kind="approval",
                text="Mark it",
                status="accepted",
                expires_at=utc_now(),
                member_id=new_id(),
                tool="mark",
                digest=msgspec.json.encode(args).hex(),
                action_status=action_status,
                **more,
            ),
        )
    )


def ask(reason: str, *options: str, **more: Any) -> Call:
    return Call("needs_human", {"reason": reason, "options": list(options), **more})


async def test_reads_run_in_order_and_the_same_one_once() -> None:
    box = Box()
    outcome = await run(
        Call("look", {"a": 1, "b": 2}), Call("look", {"b": 2, "a": 1}), Call("look", {"a": 2}), box=box
    )
    assert [r.status for r in outcome.records] == ["ran", "cached", "ran"]
    assert [r.body for r in outcome.records] == [{"found": 1}, {"found": 1}, {"found": 2}]
    assert box.ran == [{"a": 1, "b": 2}, {"a": 2}]
    assert outcome.requests == []


async def test_what_was_read_in_an_earlier_round_is_not_read_again() -> None:
    box = Box()
    kept = CallRecord(tool="look", args={"a": 1}, status="ran", body={"found": "before"}, title="Looked")
    outcome = await run(
        Call("look", {"a": 1}), past=Past(rounds=(Kept(number=1, reply="", calls=[kept]),)), box=box, number=2
    )
    assert (outcome.records[0].status, outcome.records[0].body) == ("cached", {"found": "before"})
    assert box.ran == []


async def test_a_failed_read_may_be_tried_again() -> None:
    box = Box()
    outcome = await run(Call("look", {"bad": True}), Call("look", {"bad": True}), Call("look", {}), box=box)
    assert [r.status for r in outcome.records] == ["invalid", "invalid", "ran"]


async def test_a_question_becomes_a_request_with_the_text_a_person_reads() -> None:
    outcome = await run(ask("Which colour?", "red", "blue", person="ben"))
    [request] = outcome.requests
    assert request.kind == "question"
    assert request.text == render(Question.of("Which colour?", ["red", "blue"]))
    assert request.member_id == BEN
    assert request.action_id is None
    assert (outcome.records[0].status, outcome.records[0].title) == ("asked", "Which colour?")


async def test_a_write_becomes_a_proposal_and_is_not_done() -> None:
    outcome = await run(Call("mark", {"task": "x"}))
    [request] = outcome.requests
    assert (request.kind, request.tool, request.arguments) == ("approval", "mark", {"task": "x"})
    assert request.digest == msgspec.json.encode({"task": "x"}).hex()
    assert request.preview == {"args": {"task": "x"}}
    assert outcome.records[0].status == "proposed"


async def test_requests_have_the_same_ids_whoever_carries_the_round_out() -> None:
    one, other = [await run(ask("Which?", "a", "b"), Call("mark", {})) for _ in range(2)]
    assert [(r.id, r.action_id, r.audit_id) for r in one.requests] == [
        (r.id, r.action_id, r.audit_id) for r in other.requests
    ]
    later = await run(ask("Which?", "a", "b"), Call("mark", {}), number=2)
    ids = {r.id for r in one.requests} | {r.id for r in later.requests}
    assert len(ids) == 4


async def test_unknown_tools_and_refusals_are_told_and_the_others_go_on() -> None:
    outcome = await run(Call("fly", {}), Call("forbidden", {}), Call("look", {}), Call("mark", {}))
    assert [r.status for r in outcome.records] == ["invalid", "refused", "ran", "proposed"]
    assert outcome.records[1].note == "Only an admin may."
    assert outcome.records[1].title == "Forbid it"
    assert len(outcome.requests) == 1
    assert outcome.refusals == 0


@pytest.mark.parametrize(
    "reason",
    ["What is the password of the database?", "Please paste your API key.", "What is the id of the task?"],
)
async def test_what_may_not_be_asked_becomes_no_request(reason: str) -> None:
    outcome = await run(ask(reason))
    assert outcome.requests == []
    assert outcome.records[0].status == "refused"
    assert outcome.refusals == 1


async def test_a_question_that_was_declined_is_refused_in_any_dress() -> None:
    past = asked(Question.of("Which colour?", ["red", "blue"]), "declined")
    for call in (
        ask("Which colour?", "red", "blue"),
        ask("which  COLOUR", "blue", "red"),
        ask("Which colour?", "Red", "Blue"),
    ):
        outcome = await run(call, past=past)
        assert outcome.requests == []
        assert outcome.records[0].status == "refused"
        assert "declined" in (outcome.records[0].note or "")


async def test_a_question_that_was_answered_is_answered_again_without_asking() -> None:
    question = Question.of("Which colour?", ["red", "blue"])
    chosen = await run(
        ask("Which colour?", "red", "blue"), past=asked(question, "accepted", option="red", answer="red")
    )
    assert chosen.requests == []
    assert chosen.records[0].body == {"answer": "red", "option": True}
    written = await run(ask("Which colour?", "red", "blue"), past=asked(question, "accepted", answer="both"))
    assert written.records[0].body == {"answer": "both", "option": False}


@pytest.mark.parametrize("status", ["expired", "cancelled", "open"])
async def test_a_question_without_an_answer_may_be_asked_once_more(status: str) -> None:
    past = asked(Question.of("Which colour?", ["red", "blue"]), status)
    assert len((await run(ask("Which colour?", "red", "blue"), past=past)).requests) == 1


async def test_the_same_thing_twice_in_one_reply_is_one_request() -> None:
    outcome = await run(ask("Which?", "a", "b"), ask("Which?", "a", "b"), Call("mark", {}), Call("mark", {}))
    assert [r.status for r in outcome.records] == ["asked", "invalid", "proposed", "invalid"]
    assert len(outcome.requests) == 2


async def test_what_was_rejected_is_not_proposed_again_and_what_was_done_is_not_done_twice() -> None:
    refused = await run(Call("mark", {"a": 1}), past=proposed({"a": 1}, "rejected"))
    assert (refused.requests, refused.records[0].status) == ([], "refused")
    done = await run(Call("mark", {"a": 1}), past=proposed({"a": 1}, "done", receipt={"title": "Marked"}))
    assert (done.requests, done.records[0].status) == ([], "confirmed")
    assert done.records[0].body == {"title": "Marked"}
    for status in ("refused", "failed", "expired"):
        again = await run(Call("mark", {"a": 1}), past=proposed({"a": 1}, status))
        assert len(again.requests) == 1
    other = await run(Call("mark", {"a": 2}), past=proposed({"a": 1}, "rejected"))
    assert len(other.requests) == 1


@pytest.mark.parametrize(
    ("args", "why"),
    [
        ({"reason": "Which?", "colour": "red"}, "not colour"),
        ({"reason": 5}, "reason is one text"),
        ({"reason": "Which?", "options": "a, b"}, "options a list"),
        ({"reason": ""}, ""),
        ({}, ""),
        ({"reason": "Which?", "options": ["a"]}, ""),
        ({"reason": "Which?", "options": ["a", "a"]}, ""),
        ({"reason": "Which?", "options": [None, {}]}, ""),
    ],
)
def test_arguments_that_make_no_question_are_declined_with_what_to_correct(
    args: dict[str, Any], why: str
) -> None:
    with pytest.raises(Declined) as declined:
        question_of(args)
    assert declined.value.status is ResultStatus.INVALID
    assert why in declined.value.reason
    assert declined.value.reason


@pytest.mark.parametrize("name", ["reason", "question", "text"])
def test_a_question_is_read_under_any_of_its_names(name: str) -> None:
    assert question_of({name: "Which?", "options": ["a", "b"]}) == Question.of("Which?", ["a", "b"])


def test_two_reads_are_the_same_whatever_the_order_of_their_arguments() -> None:
    assert key("look", {"a": 1, "b": {"c": 2, "d": 3}}) == key("look", {"b": {"d": 3, "c": 2}, "a": 1})
    assert key("look", {"a": 1}) != key("look", {"a": "1"})
    assert key("look", {}) != key("mark", {})
