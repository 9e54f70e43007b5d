"""What a model is told so far: stored rounds and the outcomes of what they asked, as messages. Pure."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from handraise.common.questions import Question, parse, same_question
from handraise.runner.chat.base import ChatMessage
from handraise.runner.protocol import (
    CallResult,
    Fence,
    Problem,
    ResultStatus,
    answered,
    parse_reply,
    results_message,
)

EMPTY = "Your reply was empty. Call a tool, or write the final message."


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A request of the job as the database tells it, with its action where it approves one."""

    id: UUID
    round: int
    call: int
    kind: str
    text: str
    status: str
    expires_at: datetime
    member_id: UUID
    option: str | None = None
    answer: str | None = None
    tool: str | None = None
    digest: str | None = None
    action_id: UUID | None = None
    action_status: str | None = None
    reason: str | None = None
    receipt: dict[str, Any] | None = None


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """A stored round. `calls` are `CallRecord`s."""

    number: int
    reply: str
    calls: list["CallRecord"]


class CallRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One call of a round and what came of it at once. `asked` and `proposed` have their outcome elsewhere."""

    tool: str
    args: dict[str, Any]
    status: str  # a `ResultStatus`, or "asked"
    body: Any = ""
    note: str | None = None
    title: str = ""  # what a person reads of it: "Searched “login bug”"


class Past(msgspec.Struct, frozen=True):
    """Everything that happened in a job so far."""

    rounds: tuple[Kept, ...] = ()
    asked: tuple[Asked, ...] = ()

    @classmethod
    def of(cls, rounds: Any, asked: Any) -> "Past":
        """Read what `JobStore.transcript` returned. Raises msgspec.ValidationError for a shape of no version."""
        return cls(
            msgspec.convert(rounds, tuple[Kept, ...]),
            msgspec.convert(asked, tuple[Asked, ...]),
        )

    def with_round(self, kept: Kept) -> "Past":
        """Return the past with one more round."""
        return Past((*self.rounds, kept), self.asked)

    def receipts(self) -> list[Asked]:
        """Return what was really done, oldest first."""
        return [a for a in self.asked if a.action_status == "done" and a.receipt]

    def earlier(self, question: Question) -> Asked | None:
        """Return the request that asked this before and has its outcome, if any did."""
        for past in reversed(self.asked):
            settled = past.kind == "question" and past.status in ("accepted", "declined")
            if settled and same_question(parse(past.text), question):
                return past
        return None

    def action(self, digest: str) -> Asked | None:
        """Return the last proposal of exactly this call, if there was one."""
        return next((a for a in reversed(self.asked) if a.digest == digest), None)


def messages(system: str, request: str, past: Past, fence: Fence) -> list[ChatMessage]:
    """Return the whole conversation for the next round."""
    told = [ChatMessage("system", system), ChatMessage("user", request)]
    by_call = {(a.round, a.call): a for a in past.asked}
    for kept in past.rounds:
        reply = parse_reply(kept.reply)
        results = [
            _result(number, record, by_call.get((kept.number, number - 1)))
            for number, record in enumerate(kept.calls, 1)
        ]
        told.append(ChatMessage("assistant", kept.reply or "(nothing)"))
        told.append(ChatMessage("user", _told(results, reply.problems, fence)))
    return told


def _told(results: list[CallResult], problems: Sequence[Problem], fence: Fence) -> str:
    return results_message(results, fence, problems=problems) if results or problems else EMPTY


def _result(number: int, record: CallRecord, asked: Asked | None) -> CallResult:
    if asked is None:
        return CallResult(number, record.tool, ResultStatus(record.status), record.body, record.note)
    if asked.kind == "question":
        return _of_question(number, record.tool, asked)
    return _of_action(number, record.tool, asked)


def _of_question(number: int, tool: str, asked: Asked) -> CallResult:
    match asked.status:
        case "accepted":
            return answered(number, asked.option or asked.answer or "", is_option=asked.option is not None)
        case "declined":
            return CallResult(number, tool, ResultStatus.DECLINED)
        case "expired":
            return CallResult(number, tool, ResultStatus.EXPIRED)
        case _:
            return CallResult(number, tool, ResultStatus.CANCELLED)


def _of_action(number: int, tool: str, asked: Asked) -> CallResult:
    match asked.action_status:
        case "done":
            return CallResult(number, tool, ResultStatus.CONFIRMED, asked.receipt or {})
        case "rejected":
            return CallResult(number, tool, ResultStatus.REJECTED, note=asked.reason)
        case "refused":
            return CallResult(number, tool, ResultStatus.REFUSED, note=asked.reason)
        case "failed":
            return CallResult(number, tool, ResultStatus.FAILED, note=asked.reason)
        case "expired":
            return CallResult(number, tool, ResultStatus.EXPIRED)
        case _:
            return CallResult(number, tool, ResultStatus.CANCELLED)
