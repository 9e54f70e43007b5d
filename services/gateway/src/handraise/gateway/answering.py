"""What a person decides about a request: one atomic publish, and the loser of a race is told by whom and when."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import UUID

import msgspec
import structlog
from nats.errors import Error as NatsError
from nats.js.errors import Error as JetStreamError
from sqlalchemy import select

from handraise.common import parking
from handraise.common.bus.messages import Wake
from handraise.common.problems import Problem, not_found
from handraise.common.questions import Answer, EmptyReply, Outcome, match, parse
from handraise.gateway import texts
from handraise.gateway.state import Gateway, Signed
from handraise.gateway.unseen import may_read_request
from handraise.workspace.policy import Act, SubjectKind
from handraise.workspace.schema import members
from handraise.workspace.words import RequestKind, RequestStatus

_PATIENCE = (0.02, 0.05, 0.1, 0.2, 0.4, 0.8)  # seconds between looks for a request that is just being parked

_GRACE = timedelta(seconds=30)  # in which a request that is parked again can be answered
_log = structlog.get_logger()

_OUTCOME_OF = {
    RequestStatus.ACCEPTED: Outcome.ACCEPT,
    RequestStatus.DECLINED: Outcome.DECLINE,
    RequestStatus.CANCELLED: Outcome.CANCEL,
    RequestStatus.EXPIRED: Outcome.EXPIRED,
}


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """What was recorded at the broker: from here on nobody else can answer."""

    request_id: UUID
    job_id: UUID
    outcome: Outcome
    option: str | None
    text: str


async def answer(
    gateway: Gateway, who: Signed, request_id: UUID, *, option: str | None, text: str | None, via: str
) -> Answered:
    """Answer a question: with one of its options, exactly, or in own words.

    Raises Problem: 404, 403, 409 `already_answered`, 422 for an option that was not offered or no words.
    """
    row = await _request(gateway, who, request_id, RequestKind.QUESTION, Act.REQUEST_ANSWER)
    question = parse(row["text"])
    if option is not None:
        if option not in question.options:
            raise Problem(
                422,
                "no_such_option",
                f"“{option[:120]}” is not one of the options.",
                options=list(question.options),
            )
        given = Answer(Outcome.ACCEPT, option, option)
    else:
        given = _matched(question, text or "")
    return await outcome(gateway, who, request_id, given, via=via, row=row)


async def decline(gateway: Gateway, who: Signed, request_id: UUID, *, via: str) -> Answered:
    """Say "I am not answering this": the work goes on without it."""
    row = await _request(gateway, who, request_id, RequestKind.QUESTION, Act.REQUEST_DECLINE)
    return await outcome(gateway, who, request_id, Answer(Outcome.DECLINE, None, ""), via=via, row=row)


async def cancel(gateway: Gateway, who: Signed, request_id: UUID, *, via: str) -> Answered:
    """Stop the work that waits for this request."""
    row = await _request(gateway, who, request_id, None, Act.REQUEST_DECLINE)
    return await outcome(gateway, who, request_id, Answer(Outcome.CANCEL, None, ""), via=via, row=row)


async def decide(
    gateway: Gateway, who: Signed, action_id: UUID, *, confirm: bool, reason: str | None, via: str
) -> Answered:
    """Confirm or reject a proposed action. A confirmation is bound to the digest of what was shown."""
    action = await gateway.store.action(who.workspace_id, action_id)
    if action is None:
        raise not_found("proposal")
    act = Act.REQUEST_ANSWER if confirm else Act.REQUEST_DECLINE
    row = await _request(gateway, who, action["request_id"], RequestKind.APPROVAL, act, "proposal")
    words = (reason or "").strip()
    texts.check(words, "reason")
    given = Answer(Outcome.ACCEPT if confirm else Outcome.DECLINE, None, "" if confirm else words)
    return await outcome(gateway, who, row["id"], given, via=via, row=row)


async def outcome(
    gateway: Gateway, who: Signed, request_id: UUID, given: Answer, *, via: str, row: Any = None
) -> Answered:
    """Publish an outcome as the person, if it is the first. Raises Problem 409 with the winner."""
    if row is None:
        act = Act.REQUEST_ANSWER if given.outcome is Outcome.ACCEPT else Act.REQUEST_DECLINE
        row = await _request(gateway, who, request_id, None, act)
    wake = Wake(
        workspace_id=who.workspace_id,
        request_id=request_id,
        job_id=row["job_id"],
        outcome=given.outcome,
        by=who.member_id,
        by_name=who.name,
        option=given.option,
        text=given.text,
        digest=row["digest"] or "",
        via=via,
        at=gateway.clock(),
    )
    if row["status"] != RequestStatus.OPEN:
        # Also where the broker parked it once more since: what the database holds is what came first.
        raise await _lost(gateway, _recorded(wake, row))
    try:
        await _first(gateway, wake)
    except (NatsError, JetStreamError, OSError) as error:
        raise Problem(
            503,
            "bus_unavailable",
            f"The answer was not taken: {str(error) or type(error).__name__}. Try again.",
        ) from None
    return Answered(
        request_id=request_id, job_id=wake.job_id, outcome=wake.outcome, option=wake.option, text=wake.text
    )


async def _first(gateway: Gateway, wake: Wake) -> None:
    """Publish, or raise Problem 409. A request whose row is there but not yet its message is waited for."""
    for pause in (*_PATIENCE, None):
        try:
            await parking.answer(gateway.bus, wake, seq=gateway.hub.parked_at(wake.request_id))
            return
        except parking.AlreadyAnswered as late:
            if late.winner:
                raise await _lost(gateway, late.winner) from None
        except parking.NotParked:
            pass
        row = await gateway.store.request(wake.workspace_id, wake.request_id)
        if row is not None and row["status"] != RequestStatus.OPEN:
            raise await _lost(gateway, _recorded(wake, row)) from None
        if pause is not None:
            await asyncio.sleep(pause)
    if row is None:
        raise not_found("request")
    await _park_again(gateway, wake, row)


async def _park_again(gateway: Gateway, wake: Wake, row: Any) -> None:
    """Answer a request that is open in the database and unknown to the broker: its streams were lost or restored.

    Raises Problem 503 when somebody else mends it at the same moment.
    """
    expired = Wake(
        workspace_id=wake.workspace_id,
        request_id=wake.request_id,
        job_id=wake.job_id,
        outcome=Outcome.EXPIRED,
    )
    _log.warning("parked again", request_id=str(wake.request_id))
    await parking.park(gateway.bus, expired, max(row["expires_at"], gateway.clock() + _GRACE), turn=1)
    try:
        await parking.answer(gateway.bus, wake)
    except (parking.AlreadyAnswered, parking.NotParked) as late:
        winner = getattr(late, "winner", None)
        if winner:
            raise await _lost(gateway, winner) from None
        raise Problem(
            503, "not_parked_yet", "The work is just about to wait for this. Try again in a moment."
        ) from None


def _recorded(wake: Wake, row: Any) -> Wake:
    return msgspec.structs.replace(
        wake,
        outcome=_OUTCOME_OF[RequestStatus(row["status"])],
        by=row["answered_by"],
        by_name="",
        option=row["option"],
        text=row["answer"] or "",
        via=row["answered_from"] or "",
        at=row["answered_at"],
    )


async def _lost(gateway: Gateway, winner: Wake) -> Problem:
    name = winner.by_name
    if not name and winner.by:
        async with gateway.db.read(winner.workspace_id) as connection:
            name = await connection.scalar(select(members.c.name).where(members.c.id == winner.by)) or ""
    what = {
        Outcome.ACCEPT: f"answered “{winner.option or winner.text}”"
        if winner.option or winner.text
        else "confirmed",
        Outcome.DECLINE: "rejected it" if winner.digest else "did not answer",
        Outcome.CANCEL: "stopped the work",
        Outcome.EXPIRED: "expired",
    }[winner.outcome]
    said = (
        "It expired before that."
        if winner.outcome is Outcome.EXPIRED
        else f"{name or 'Somebody'} {what} first."
    )
    return Problem(
        409,
        "already_answered",
        said,
        title="Already answered",
        by=name or None,
        at=winner.at.isoformat() if winner.at else None,
        outcome=winner.outcome.value,
        option=winner.option,
        answer=winner.text or None,
    )


def _matched(question: Any, text: str) -> Answer:
    texts.check(text, "answer")
    try:
        return match(question, text)
    except EmptyReply:
        raise Problem(
            422, "empty_answer", "Choose an option or write an answer: this one is empty."
        ) from None


async def _request(
    gateway: Gateway, who: Signed, request_id: UUID, kind: RequestKind | None, act: Act, what: str = "request"
) -> Any:
    """Return the request's row, if this person may decide it. Raises Problem 404 or 403."""
    row = await gateway.store.request(who.workspace_id, request_id)
    if row is None or (kind is not None and row["kind"] != kind):
        raise not_found(what)
    about = SubjectKind.QUESTION if row["kind"] == RequestKind.QUESTION else SubjectKind.REQUEST
    try:
        await gateway.permit(who, act, about, request_id)
    except Problem as problem:
        if problem.status == 403 and not await may_read_request(gateway, who, request_id):
            raise not_found(what) from None
        raise
    return row
