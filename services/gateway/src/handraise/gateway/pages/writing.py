"""A write that a form asks for: through the one door, told as a toast or beside the words that it was sent with."""

from typing import Any

import msgspec

from handraise.common.problems import Problem
from handraise.gateway import byhand
from handraise.gateway.pages.forms import Form
from handraise.gateway.pages.toasts import Toast
from handraise.gateway.pages.visit import Visit
from handraise.workspace.actions import Receipt


class Fault(msgspec.Struct, frozen=True):
    """Why a form's write was not made; shown above the form, that keeps its words."""

    title: str
    detail: str
    status: int


async def attempt(visit: Visit, form: Form, name: str, arguments: dict[str, Any]) -> Receipt | Fault:
    """Make the write once for the form's key; return its receipt, or why not. Raises Problem 404 alone.

    With the version that the form holds, what is newer is never overwritten.
    """
    try:
        return await made(visit, form, name, arguments)
    except Problem as problem:
        if problem.status == 404:
            raise
        return Fault(f"{problem.title}.", problem.detail, problem.status)


async def made(visit: Visit, form: Form, name: str, arguments: dict[str, Any]) -> Receipt:
    """Make the write; return its receipt. Raises Problem, for `settled` to tell."""
    return await byhand.write(visit.gateway, visit.who, name, arguments, key=form.key, version=form.version)


async def told(visit: Visit, form: Form, name: str, arguments: dict[str, Any]) -> Toast:
    """Make the write and tell its receipt's title. Raises Problem, for `settled` to tell."""
    return saved(await made(visit, form, name, arguments))


def saved(receipt: Receipt) -> Toast:
    """Tell a receipt's title."""
    return Toast(f"{receipt.title}.", tone="good")
