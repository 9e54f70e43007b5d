"""The one error shape over HTTP: RFC 9457 problem details with a stable `code`."""

from typing import Any

import msgspec


class ProblemDetails(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The body of an error, `application/problem+json`. `code` is stable; people read `title` and `detail`."""

    status: int
    code: str
    title: str
    detail: str
    type: str = "about:blank"
    instance: str | None = None
    trace_id: str | None = None
    extra: dict[str, Any] = {}


class Problem(Exception):
    """Something a caller did, or met, that ends the request with an error they can act on."""

    def __init__(
        self, status: int, code: str, detail: str, *, title: str | None = None, **extra: Any
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.detail = detail
        self.title = title or code.replace("_", " ").capitalize()
        self.extra = extra


def not_found(what: str = "this") -> Problem:
    """The same answer for what does not exist, is another workspace's, or is not the caller's to see."""
    return Problem(
        404, "not_found", f"There is no such {what}, or it is not yours to see.", title="Not found"
    )
