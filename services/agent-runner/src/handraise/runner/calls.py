"""What becomes of a round's calls: reads run, questions and writes become requests, the rest is told why not."""

from collections.abc import Sequence
from typing import Any, Protocol
from uuid import UUID

import msgspec

from handraise.common.ids import derive
from handraise.common.questions import Question, QuestionError, render
from handraise.common.secrets import asks_for_lookup_id, asks_for_secret
from handraise.runner.protocol import NEEDS_HUMAN, Call, ResultStatus
from handraise.runner.transcript import CallRecord, Past
from handraise.workspace.jobs import JobState, NewRequest

ASKED = "asked"


class Draft(msgspec.Struct, frozen=True, kw_only=True):
    """A write that may be proposed: what would run, and what a person is shown."""

    arguments: dict[str, Any]
    digest: str
    sentence: str
    preview: Any


class Declined(Exception):
    """A call that can't become what it wants to be; `status` and words are told to the model."""

    def __init__(self, status: ResultStatus, reason: str, title: str = "") -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.title = title or ""


class Toolbox(Protocol):
    """The tools of one agent, for one job: what they do is the workspace's business."""

    def reads(self, tool: str) -> bool:
        """Say whether the tool only reads. Raises Declined for one that is not the agent's."""
        ...

    async def read(self, job: JobState, tool: str, args: dict[str, Any]) -> tuple[dict[str, Any], str]:
        """Run a read as the job's person; return its data and its title. Raises Declined."""
        ...

    async def person(self, job: JobState, named: str) -> UUID:
        """Return the member who is to be asked, if they can read where the question stands. Raises Declined."""
        ...

    async def draft(self, job: JobState, tool: str, args: dict[str, Any]) -> Draft:
        """Check a write and the person's right to it, and say what it would do. Raises Declined."""
        ...


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What a round's calls led to."""

    records: list[CallRecord]
    requests: list[NewRequest]
    refusals: int  # questions that may not be asked


async def carry_out(job: JobState, number: int, calls: Sequence[Call], past: Past, tools: Toolbox) -> Outcome:
    """Run, ask or propose each call, in order. Nothing is written to the workspace."""
    records: list[CallRecord] = []
    requests: list[NewRequest] = []
    refusals = 0
    seen = {
        key(c.tool, c.args): c for kept in past.rounds for c in kept.calls if c.status == ResultStatus.RAN
    }
    for index, call in enumerate(calls):
        try:
            if call.tool == NEEDS_HUMAN:
                record, request = await _ask(job, number, index, call, past, requests, tools)
                requests.append(request)
            elif tools.reads(call.tool):
                record = await _read(job, call, seen, tools)
            else:
                record, request = await _propose(job, number, index, call, past, requests, tools)
                requests.append(request)
        except Known as known:
            record = known.record
        except Declined as no:
            refusals += call.tool == NEEDS_HUMAN
            record = CallRecord(
                tool=call.tool, args=call.args, status=no.status, note=no.reason, title=no.title
            )
        records.append(record)
    return Outcome(records=records, requests=requests, refusals=refusals)


class Known(Exception):
    """A call whose outcome this job has already."""

    def __init__(self, record: CallRecord) -> None:
        super().__init__(record.tool)
        self.record = record


def key(tool: str, args: dict[str, Any]) -> tuple[str, bytes]:
    """Return what makes two reads the same."""
    return tool, msgspec.json.encode(args, order="deterministic")


async def _read(job: JobState, call: Call, seen: dict[Any, CallRecord], tools: Toolbox) -> CallRecord:
    same = key(call.tool, call.args)
    if (before := seen.get(same)) is not None:
        return msgspec.structs.replace(before, status=ResultStatus.CACHED)
    body, title = await tools.read(job, call.tool, call.args)
    record = CallRecord(tool=call.tool, args=call.args, status=ResultStatus.RAN, body=body, title=title)
    seen[same] = record
    return record


def question_of(args: dict[str, Any]) -> Question:
    """Read a `needs_human` call's arguments. Raises Declined with what to correct."""
    unknown = set(args) - {"reason", "question", "text", "options", "person"}
    if unknown:
        raise Declined(
            ResultStatus.INVALID,
            f"{NEEDS_HUMAN} takes reason, options and person, not {', '.join(sorted(unknown))}",
        )
    text = args.get("reason") or args.get("question") or args.get("text") or ""
    options = args.get("options") or []
    if not isinstance(text, str) or not isinstance(options, list):
        raise Declined(ResultStatus.INVALID, "reason is one text, options a list of short texts")
    try:
        return Question.of(text, options)
    except QuestionError as error:
        raise Declined(ResultStatus.INVALID, str(error)) from None


async def _ask(
    job: JobState, number: int, index: int, call: Call, past: Past, asked: list[NewRequest], tools: Toolbox
) -> tuple[CallRecord, NewRequest]:
    question = question_of(call.args)
    reason = asks_for_secret(question) or asks_for_lookup_id(question)
    if reason:
        raise Declined(ResultStatus.REFUSED, reason, "A question that may not be asked")
    if (before := past.earlier(question)) is not None:
        if before.status == "declined":
            raise Declined(
                ResultStatus.REFUSED,
                "This was asked before and the person declined to answer. Go on without it.",
            )
        answer = {"answer": before.option or before.answer or "", "option": before.option is not None}
        raise Known(
            CallRecord(
                tool=call.tool,
                args=call.args,
                status=ResultStatus.ANSWERED,
                body=answer,
                note="You asked this before in this job; the answer is the same.",
            )
        )
    text = render(question)
    if any(r.text == text for r in asked):
        raise Declined(ResultStatus.INVALID, "You ask the same question twice in one reply.")
    named = str(call.args.get("person") or "").strip()
    request = NewRequest(
        id=derive(job.id, "request", number, index),
        call=index,
        kind="question",
        text=text,
        member_id=await tools.person(job, named) if named else None,
        audit_id=derive(job.id, "audit", number, index),
    )
    return CallRecord(tool=call.tool, args=call.args, status=ASKED, title=question.text), request


async def _propose(
    job: JobState, number: int, index: int, call: Call, past: Past, asked: list[NewRequest], tools: Toolbox
) -> tuple[CallRecord, NewRequest]:
    draft = await tools.draft(job, call.tool, call.args)
    if any(r.digest == draft.digest for r in asked):
        raise Declined(ResultStatus.INVALID, "You propose the same call twice in one reply.")
    before = past.action(draft.digest)
    if before is not None and before.action_status == "rejected":
        raise Declined(
            ResultStatus.REFUSED, "The person rejected exactly this before. Do not propose it again."
        )
    if before is not None and before.action_status == "done":
        raise Known(
            CallRecord(
                tool=call.tool,
                args=call.args,
                status=ResultStatus.CONFIRMED,
                body=before.receipt or {},
                note="Exactly this was done before in this job; it is not done twice.",
                title=draft.sentence,
            )
        )
    request_id = derive(job.id, "request", number, index)
    request = NewRequest(
        id=request_id,
        call=index,
        kind="approval",
        text=draft.sentence,
        audit_id=derive(job.id, "audit", number, index),
        action_id=derive(job.id, "action", number, index),
        tool=call.tool,
        arguments=draft.arguments,
        digest=draft.digest,
        preview=draft.preview,
    )
    record = CallRecord(tool=call.tool, args=call.args, status=ResultStatus.PROPOSED, title=draft.sentence)
    return record, request
