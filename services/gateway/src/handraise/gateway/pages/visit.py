"""One visit of one reader: what every page and every part of a page is made with."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeVar
from urllib.parse import quote

from litestar import Request, Response
from litestar.datastructures import Cookie
from litestar.response import Redirect, Template
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.common.problems import not_found
from handraise.gateway.auth import protect, signed
from handraise.gateway.pages.times import Times
from handraise.gateway.pages.toasts import COOKIE, Toast, pack, unpack
from handraise.gateway.state import Gateway, Signed, gateway_of
from handraise.workspace.views.places import places

PageRequest = Request[Any, Any, Any]
T = TypeVar("T")


class Visit:
    """A reader on a page. `via` is how what they do here is recorded."""

    def __init__(self, request: PageRequest, *, via: str = "home") -> None:
        self.request = request
        self.who: Signed = signed(request)
        self.gateway: Gateway = gateway_of(request)
        self.times = Times(self.gateway.clock(), self.who.timezone)
        self.via = via

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """Lend a connection that is held to the reader's workspace."""
        async with self.gateway.db.read(self.who.workspace_id) as connection:
            yield connection

    def part(self, name: str, **context: Any) -> Template:
        """Render one live region of the page."""
        return Template(f"parts/{name}.html", context={**self._context(), **context}, headers=_NEVER_KEPT)

    async def page(
        self,
        connection: AsyncConnection,
        name: str,
        *,
        here: str,
        topics: Sequence[str] = (),
        status: int = 200,
        **context: Any,
    ) -> Template:
        """Render the whole page, with the toast that was carried to it."""
        toast = unpack(self.request.cookies.get(COOKIE))
        return Template(
            f"{name}.html",
            context={
                **self._context(),
                "places": await places(connection, self.who.member_id),
                "here": here,
                "topics": ["home", *topics],
                "toasts": [toast] if toast else [],
                **context,
            },
            status_code=status,
            headers=_NEVER_KEPT,
            cookies=[_toast_cookie("", 0)] if COOKIE in self.request.cookies else [],
        )

    def draft(self, place: str) -> str:
        """Return what the reader wrote for this place in vain, so that it is not lost without script."""
        toast = unpack(self.request.cookies.get(COOKIE))
        return toast.draft if toast and toast.draft_for == place else ""

    def _context(self) -> dict[str, Any]:
        return {
            "who": self.who,
            "csrf": self.who.csrf,
            "t": self.times,
            "back": self.request.url.path,
            "via": self.via,
            "practice": self.gateway.settings.practice_model,
        }


_NEVER_KEPT = {"cache-control": "no-store", "vary": "cookie, hx-request"}


def present(found: T | None, what: str = "page") -> T:
    """Return what was found. Raises the same Problem 404 for what is not there and what is not theirs."""
    if found is None:
        raise not_found(what)
    return found


def local_path(path: str | None) -> str:
    """Return a path of ours that a form named; Home for anything that could lead elsewhere."""
    if not path or not path.startswith("/") or path.startswith(("//", "/\\")):
        return "/"
    return path if all(" " < sign < "\x7f" and sign != "\\" for sign in path) else "/"


def go_to(request: PageRequest, path: str, toast: Toast | None = None) -> Response[Any]:
    """Send the reader on after a POST. With script, the page they are on is only morphed, another one loaded."""
    cookies = [_toast_cookie(pack(toast), 60)] if toast else []
    current = request.headers.get("hx-current-url", "").partition("#")[0]
    there = current.endswith(path) or current.partition("?")[0].endswith(path)
    if request.headers.get("hx-request") and not there:
        return Response(content=b"", status_code=200, headers={"HX-Redirect": path}, cookies=cookies)
    return Redirect(path, status_code=303, cookies=cookies)


async def guard(request: PageRequest) -> Response[Any] | None:
    """Refuse forged forms, then send whoever is not signed in to sign in. For `before_request`."""
    # The closest hook is the only one that runs, so the application's own is called here.
    await protect(request)
    return need_sign_in(request)


def need_sign_in(request: PageRequest) -> Response[Any] | None:
    """Send whoever is not signed in to the sign-in page, and back afterwards; None for who is."""
    if isinstance(request.scope.get("user"), Signed):
        return None
    path = request.url.path if request.method == "GET" else "/"
    target = "/signin" if path == "/" else f"/signin?next={quote(path)}"
    if request.headers.get("hx-request"):
        return Response(content=b"", status_code=200, headers={"HX-Redirect": target})
    return Redirect(target, status_code=303)


def _toast_cookie(value: str, seconds: int) -> Cookie:
    return Cookie(key=COOKIE, value=value, max_age=seconds, path="/", httponly=True, samesite="lax")
