"""Who asks: a session cookie with a CSRF token, or a bearer token. Nobody else gets past the open routes."""

import hmac
from typing import Any

from litestar import Request, Response
from litestar.connection import ASGIConnection
from litestar.middleware import AbstractAuthenticationMiddleware, AuthenticationResult

from handraise.common.problems import Problem
from handraise.gateway.state import Gateway, Signed

COOKIE = "handraise_session"
CSRF_HEADER = "x-csrf-token"
CSRF_FIELD = "csrf"
_SAFE = {"GET", "HEAD", "OPTIONS"}
_SCHEMA = "/api/schema"


class Authentication(AbstractAuthenticationMiddleware):
    """Finds the member behind a request; a request without one goes on with none."""

    async def authenticate_request(
        self, connection: ASGIConnection[Any, Any, Any, Any]
    ) -> AuthenticationResult:
        """Return who it is."""
        token = token_of(connection)
        if token is None:
            return AuthenticationResult(user=None, auth=None)
        gateway: Gateway = connection.app.state.gateway
        return AuthenticationResult(user=await gateway.sessions.find(token), auth=token)


def token_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """Return the bearer token or the session's; the former wins."""
    given = connection.headers.get("authorization", "")
    scheme, _, token = given.partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return token.strip()
    return connection.cookies.get(COOKIE)


def signed(request: Request[Any, Any, Any]) -> Signed:
    """Return who asks. Raises Problem 401."""
    who = request.scope.get("user")
    if not isinstance(who, Signed):
        raise Problem(
            401,
            "not_signed_in",
            "Sign in first, or send a bearer token: the session is missing or has ended.",
            title="Not signed in",
        )
    return who


async def protect(request: Request[Any, Any, Any]) -> None:
    """Refuse whoever is not signed in, before their body is read, and a change that another site made a browser send.

    Raises Problem 401, 403. Pages decide for themselves where to send somebody who is not signed in.
    """
    who = request.scope.get("user")
    path = request.url.path
    if (
        path.startswith("/api/")
        and not path.startswith(_SCHEMA)
        and not request.route_handler.opt.get("open")
    ):
        signed(request)
    if request.method in _SAFE or not isinstance(who, Signed) or who.session_kind != "cookie":
        return
    given = request.headers.get(CSRF_HEADER)
    if given is None and "form" in request.headers.get("content-type", ""):
        given = (await request.form()).get(CSRF_FIELD)
    if not isinstance(given, str) or not hmac.compare_digest(given.encode(), who.csrf.encode()):
        raise Problem(
            403,
            "csrf",
            "The request carries no valid CSRF token: send the one that GET /api/me tells as X-CSRF-Token, "
            "or reload the page.",
            title="CSRF token missing",
        )


async def sign_in(
    gateway: Gateway, email: str, password: str, workspace: str | None = None
) -> tuple[str, Signed]:
    """Return a new session's token. Raises Problem 401, the same for every way of being wrong."""
    found = None
    if len(email) <= 320 and len(password) <= 1_024 and "\x00" not in email + (workspace or ""):
        found = await gateway.sessions.sign_in(
            workspace or gateway.settings.handraise_workspace, email, password
        )
    if found is None:
        raise Problem(
            401, "sign_in_failed", "E-mail and password do not fit together.", title="Not signed in"
        )
    return found


def set_cookie(gateway: Gateway, response: Response[Any], token: str) -> None:
    """Give the session to the browser."""
    response.set_cookie(
        key=COOKIE,
        value=token,
        max_age=gateway.settings.handraise_session_hours * 3600,
        path="/",
        httponly=True,
        samesite="lax",
        secure=gateway.settings.handraise_secure_cookies,
    )
