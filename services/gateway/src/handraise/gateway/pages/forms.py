"""What a form sent, as it was written, and what comes of a POST that was refused."""

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any
from uuid import UUID

from litestar import Response

from handraise.common.ids import new_id, parse_id
from handraise.common.problems import Problem
from handraise.gateway.pages.toasts import Toast
from handraise.gateway.pages.visit import PageRequest, go_to, local_path

_PLACES = ("home", "thread", "task", "dm")


_UNREADABLE = re.compile("[\x00\ud800-\udfff]")


def sought(text: str) -> str:
    """Return what somebody looks for, as far as it can be looked for."""
    return _UNREADABLE.sub(" ", text)[:200].strip()


class Form:
    """The fields of a POST. Line ends are as they were typed: a browser sends each as two characters."""

    def __init__(self, fields: dict[str, str], every: Sequence[tuple[str, str]] = ()) -> None:
        self._fields = fields
        self._every = every

    @classmethod
    async def of(cls, request: PageRequest) -> "Form":
        """Read the form of a request."""
        sent = await request.form()
        every = [(key, value) for key, value in sent.multi_items() if isinstance(value, str)]
        return cls(dict(every), every)

    def get(self, name: str) -> str | None:
        """Return a field's text; None when it was not sent."""
        value = self._fields.get(name)
        return None if value is None else value.replace("\r\n", "\n").replace("\r", "\n")

    def words(self, name: str) -> str:
        """Return a field's text, empty when it was not sent."""
        return self.get(name) or ""

    def every(self, name: str) -> list[str]:
        """Return what was sent under a name that may come several times: the ticked of many."""
        return [value for key, value in self._every if key == name]

    @property
    def back(self) -> str:
        """The page it was sent from."""
        return local_path(self.get("back"))

    @property
    def key(self) -> UUID:
        """Under which its write happens once, however often it is sent."""
        return parse_id(self.words("key")) or new_id()

    @property
    def version(self) -> int | None:
        """Of what it was filled with; None where that has none. One that can't be read fits nothing."""
        given = self.get("version")
        if given is None:
            return None
        return int(given) if given.isascii() and given.isdigit() and len(given) < 10 else 0

    @property
    def via(self) -> str:
        """From where, as it is recorded."""
        given = self.words("via")
        return given if given in _PLACES else "home"


async def settled(
    request: PageRequest,
    form: Form,
    work: Awaitable[Toast | None],
    *,
    words: str = "",
    place: str = "",
    target: Callable[[], str] | None = None,
) -> Response[Any]:
    """Do what a form asks and go back to its page, or to `target`, asked when all is done.

    What was refused is told there, and its words are kept for `place`. What is not there stays an error.
    """
    try:
        toast = await work
    except Problem as problem:
        if problem.status == 404:
            raise
        toast = Toast(
            f"{problem.title}.",
            problem.detail,
            tone="bad",
            stays=True,
            draft=words,
            draft_for=place if words else "",
        )
    return go_to(request, target() if target else form.back, toast)
