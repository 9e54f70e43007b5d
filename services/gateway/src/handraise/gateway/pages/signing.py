"""The way in and out."""

from typing import Any

from litestar import Response, get, post
from litestar.response import Redirect, Template

from handraise.common.problems import Problem
from handraise.gateway import auth
from handraise.gateway.pages.forms import Form
from handraise.gateway.pages.visit import PageRequest, local_path
from handraise.gateway.state import Signed, gateway_of


@get("/signin")
async def form(request: PageRequest, next: str = "/") -> Response[Any] | Template:
    """Show the sign-in form; whoever is signed in goes straight on."""
    target = local_path(next)
    if isinstance(request.scope.get("user"), Signed):
        return Redirect(target, status_code=303)
    return _form(target)


@post("/signin")
async def sign_in(request: PageRequest) -> Response[Any] | Template:
    """Sign in and go to where the reader wanted to be."""
    sent = await Form.of(request)
    target = local_path(sent.get("next"))
    gateway = gateway_of(request)
    try:
        token, _ = await auth.sign_in(gateway, sent.words("email"), sent.words("password"))
    except Problem as problem:
        return _form(target, problem=problem, email=sent.words("email")[:320])
    response: Response[Any] = Redirect(target, status_code=303)
    auth.set_cookie(gateway, response, token)
    return response


@post("/signout")
async def sign_out(request: PageRequest) -> Response[Any]:
    """End the session."""
    token = auth.token_of(request)
    who = request.scope.get("user")
    if token and isinstance(who, Signed):
        await gateway_of(request).sessions.sign_out(token, who)
    response: Response[Any] = Redirect("/signin", status_code=303)
    response.delete_cookie(auth.COOKIE, path="/")
    return response


def _form(target: str, *, problem: Problem | None = None, email: str = "") -> Template:
    return Template(
        "signin.html",
        context={
            "csrf": "",
            "next": target,
            "problem": problem.detail if problem else "",
            "email": email,
        },
        status_code=problem.status if problem else 200,
        headers={"cache-control": "no-store"},
    )


routes = [form, sign_in, sign_out]
