"""What waits for people, and what they decide."""

from typing import Annotated, Any
from uuid import UUID

from litestar import Request as HttpRequest
from litestar import get, post
from litestar.params import Parameter

from handraise.common.problems import Problem, not_found
from handraise.common.questions import parse
from handraise.gateway import answering
from handraise.gateway.api.shapes import Answered, Reason, Reply, Request
from handraise.gateway.auth import signed
from handraise.gateway.state import gateway_of
from handraise.workspace.views import api as views
from handraise.workspace.words import RequestStatus


def shaped(row: dict[str, Any]) -> Request:
    """Return a request as the API gives it: the options are those of the stored text."""
    if row["kind"] == "question":
        question = parse(row["text"])
        row = {**row, "text": question.text, "options": question.options}
    else:
        row = {**row, "options": ()}
    return Request(**row)


def _answered(answered: answering.Answered) -> Answered:
    return Answered(
        request_id=answered.request_id,
        job_id=answered.job_id,
        outcome=answered.outcome.value,
        option=answered.option,
        text=answered.text,
    )


@get("/requests", summary="What waits for me", tags=["requests"])
async def requests(
    request: HttpRequest[Any, Any, Any],
    status: Annotated[RequestStatus, Parameter(description="the state they are in")] = RequestStatus.OPEN,
    limit: Annotated[int, Parameter(ge=1, le=200)] = 100,
) -> list[Request]:
    """Return the requests to the member, or of jobs that run as the member, oldest first."""
    gateway, who = gateway_of(request), signed(request)
    async with gateway.db.read(who.workspace_id) as connection:
        rows = await views.requests_of(connection, who.member_id, status, limit)
    return [shaped(row) for row in rows]


@get("/requests/{request_id:uuid}", summary="A request", tags=["requests"])
async def one(request: HttpRequest[Any, Any, Any], request_id: UUID) -> Request:
    """Return one request."""
    gateway, who = gateway_of(request), signed(request)
    async with gateway.db.read(who.workspace_id) as connection:
        row = await views.request(connection, who.member_id, request_id)
    if row is None:
        raise not_found("request")
    return shaped(row)


@post("/requests/{request_id:uuid}/answer", status_code=200, summary="Answer", tags=["requests"])
async def answer(request: HttpRequest[Any, Any, Any], request_id: UUID, data: Reply) -> Answered:
    """Answer a question with an option or in own words. The first answer wins; a later one gets 409."""
    if (data.option is None) == (data.text is None):
        raise Problem(422, "option_or_text", "Send either an option or a text.")
    return _answered(
        await answering.answer(
            gateway_of(request), signed(request), request_id, option=data.option, text=data.text, via="api"
        )
    )


@post("/requests/{request_id:uuid}/decline", status_code=200, summary="Don't answer", tags=["requests"])
async def decline(request: HttpRequest[Any, Any, Any], request_id: UUID) -> Answered:
    """Say that one is not answering: the work goes on without it."""
    return _answered(await answering.decline(gateway_of(request), signed(request), request_id, via="api"))


@post("/requests/{request_id:uuid}/cancel", status_code=200, summary="Stop the work", tags=["requests"])
async def cancel(request: HttpRequest[Any, Any, Any], request_id: UUID) -> Answered:
    """Stop the work that waits for this request."""
    return _answered(await answering.cancel(gateway_of(request), signed(request), request_id, via="api"))


@post("/actions/{action_id:uuid}/confirm", status_code=200, summary="Confirm a proposal", tags=["requests"])
async def confirm(request: HttpRequest[Any, Any, Any], action_id: UUID) -> Answered:
    """Confirm a proposed action: it runs as the person the job works for, judged then, once."""
    return _answered(
        await answering.decide(
            gateway_of(request), signed(request), action_id, confirm=True, reason=None, via="api"
        )
    )


@post("/actions/{action_id:uuid}/reject", status_code=200, summary="Reject a proposal", tags=["requests"])
async def reject(request: HttpRequest[Any, Any, Any], action_id: UUID, data: Reason) -> Answered:
    """Reject a proposed action; the agent reads the reason."""
    return _answered(
        await answering.decide(
            gateway_of(request), signed(request), action_id, confirm=False, reason=data.reason, via="api"
        )
    )


routes = [requests, one, answer, decline, cancel, confirm, reject]
