"""The error page: what happened, to what, what next, and the trace to quote."""

from typing import Any

import msgspec
from litestar import Response
from litestar.enums import MediaType

from handraise.common import telemetry
from handraise.common.clock import utc_now
from handraise.common.problems import Problem
from handraise.gateway.pages.templating import template_config
from handraise.gateway.pages.times import Times
from handraise.gateway.pages.visit import PageRequest, need_sign_in
from handraise.gateway.state import Signed


class ErrorView(msgspec.Struct, frozen=True):
    """What the error page says."""

    status: int
    code: str
    title: str
    detail: str
    path: str
    at: str
    trace: str | None


_NOT_FOUND = (
    "This is not here, or not yours to see",
    "It may have been deleted, moved to a place you are not in, or the link is cut short. We say the same in "
    "each case, so that a link never tells more than it should.",
)


def page_error_response(request: PageRequest, problem: Problem) -> Response[Any]:
    """Return the error page; the sign-in page where nobody is signed in."""
    if problem.status == 401 and (elsewhere := need_sign_in(request)):
        return elsewhere
    who = request.scope.get("user")
    signed = who if isinstance(who, Signed) else None
    times = Times(utc_now(), signed.timezone if signed else "UTC")
    title, detail = _NOT_FOUND if problem.status == 404 else (problem.title, problem.detail)
    template = template_config.engine_instance.get_template("error.html")
    html = template.render(
        who=signed,
        csrf="",
        error=ErrorView(
            status=problem.status,
            code=problem.code,
            title=title,
            detail=detail,
            path=request.url.path,
            at=f"{times.date(times.now)}, {times.exact(times.now)}",
            trace=telemetry.trace_id(),
        ),
    )
    return Response(
        content=html,
        status_code=problem.status,
        media_type=MediaType.HTML,
        headers={"cache-control": "no-store"},
    )
