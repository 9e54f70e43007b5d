"""Signing in and out, who one is, and bearer tokens for programs."""

from datetime import timedelta
from typing import Any

from litestar import Request, Response, delete, get, post

from handraise.gateway import auth
from handraise.gateway.api.shapes import Me, NewToken, SignIn, Token
from handraise.gateway.state import Signed, gateway_of


def _me(who: Signed) -> Me:
    return Me(
        member_id=who.member_id,
        workspace_id=who.workspace_id,
        workspace=who.workspace_name,
        name=who.name,
        handle=who.handle,
        role=who.role,
        timezone=who.timezone,
        csrf=who.csrf,
    )


@post("/session", status_code=200, summary="Sign in", tags=["session"], opt={"open": True})
async def sign_in(request: Request[Any, Any, Any], data: SignIn) -> Response[Me]:
    """Sign in with e-mail and password; sets the session cookie."""
    gateway = gateway_of(request)
    token, who = await auth.sign_in(gateway, data.email, data.password, data.workspace)
    response = Response(_me(who), status_code=200)
    auth.set_cookie(gateway, response, token)
    return response


@delete("/session", status_code=204, summary="Sign out", tags=["session"])
async def sign_out(request: Request[Any, Any, Any]) -> Response[None]:
    """End the session or revoke the token that asks."""
    who = auth.signed(request)
    await gateway_of(request).sessions.sign_out(str(request.auth), who)
    response = Response(None, status_code=204)
    response.delete_cookie(auth.COOKIE, path="/")
    return response


@get("/me", summary="Who is signed in", tags=["session"])
async def me(request: Request[Any, Any, Any]) -> Me:
    """Return the member behind the session or token."""
    return _me(auth.signed(request))


@post("/tokens", status_code=201, summary="Make a bearer token", tags=["session"])
async def make_token(request: Request[Any, Any, Any], data: NewToken) -> Token:
    """Make a bearer token with the rights of whoever makes it. It is shown this once."""
    who = auth.signed(request)
    token = await gateway_of(request).sessions.issue_bearer(who, data.name, (), timedelta(days=data.days))
    return Token(token=token, name=data.name)


routes = [sign_in, sign_out, me, make_token]
