"""Turns every error into problem details (RFC 9457) or into the error page, and leaks nothing of the inside."""

from typing import Any

import msgspec
import structlog
from litestar import Request, Response
from litestar.exceptions import (
    ClientException,
    HTTPException,
    MethodNotAllowedException,
    NotFoundException,
    ValidationException,
)
from nats.errors import Error as NatsError
from nats.js.errors import Error as JetStreamError
from sqlalchemy.exc import DBAPIError

from handraise.common import telemetry
from handraise.common.problems import Problem, ProblemDetails, not_found

MEDIA_TYPE = "application/problem+json"
_log = structlog.get_logger()


def problem_of(request: Request[Any, Any, Any], error: Exception) -> Problem:
    """Return what the caller is told of an error."""
    match error:
        case Problem():
            return error
        case ValidationException():
            return Problem(400, "invalid_request", _faults(error), title="The request is not valid")
        case NotFoundException():
            return not_found("page")
        case MethodNotAllowedException():
            return Problem(405, "method_not_allowed", f"{request.method} is not possible here.")
        case HTTPException(status_code=413):
            return Problem(
                413, "too_large", "The request is larger than this server takes.", title="Too large"
            )
        case ClientException():
            return Problem(
                error.status_code, "invalid_request", _said(error), title="The request is not valid"
            )
        case HTTPException(status_code=status) if status < 500:
            return Problem(status, "refused", _said(error))
        case RecursionError():
            return Problem(
                400, "invalid_request", "The body is nested too deeply.", title="The request is not valid"
            )
        case NatsError() | JetStreamError() | ConnectionError():
            _log.error("bus unavailable", exc_info=error)
            return Problem(503, "bus_unavailable", "The message bus can't be reached. Try again in a moment.")
        case DBAPIError() | OSError():
            _log.error("database unavailable", exc_info=error)
            return Problem(
                503, "database_unavailable", "The database can't be reached. Try again in a moment."
            )
        case _:
            _log.error("unexpected", path=request.url.path, exc_info=error)
            return Problem(
                500,
                "unexpected",
                "Something went wrong here, not with you. Quote the trace id to an admin.",
                title="Unexpected error",
            )


def respond(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """Answer with problem details, or with the error page where a browser asked for a page."""
    problem = problem_of(request, error)
    if not request.url.path.startswith(("/api", "/events")) and "text/html" in request.headers.get(
        "accept", ""
    ):
        from handraise.gateway.pages import page_error_response

        return page_error_response(request, problem)
    return details(request, problem)


def details(request: Request[Any, Any, Any], problem: Problem) -> Response[bytes]:
    """Return the problem as RFC 9457 wants it: what is special to it stands beside the standard members."""
    body = msgspec.to_builtins(
        ProblemDetails(
            status=problem.status,
            code=problem.code,
            title=problem.title,
            detail=problem.detail,
            instance=request.url.path,
            trace_id=telemetry.trace_id(),
        )
    )
    body.update({k: v for k, v in problem.extra.items() if v is not None and k not in body})
    headers = {"retry-after": "1"} if problem.status == 503 else {}
    if problem.status == 401:
        headers["www-authenticate"] = "Bearer"
    return Response(
        content=msgspec.json.encode(body), status_code=problem.status, media_type=MEDIA_TYPE, headers=headers
    )


def _faults(error: ValidationException) -> str:
    found = error.extra if isinstance(error.extra, list) else []
    told = [f"{f.get('key', 'body')}: {f.get('message', '')}" for f in found if isinstance(f, dict)]
    return "; ".join(told) or _said(error)


def _said(error: HTTPException) -> str:
    return error.detail.splitlines()[0][:500] if error.detail else "The request can't be understood."
