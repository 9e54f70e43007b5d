"""Reminders: the reader's own, set on their clock and cancelled by hand."""

from typing import Any
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.response import Template

from handraise.gateway.pages.forms import Form, settled
from handraise.gateway.pages.visit import PageRequest, Visit, go_to
from handraise.gateway.pages.writing import Fault, attempt, saved, told
from handraise.workspace.views.reminder_pages import reminders_of


class NewReminder(msgspec.Struct, frozen=True):
    """The form of a new reminder, with what was written in vain."""

    text: str = ""
    at: str = ""
    fault: Fault | None = None


@get("/reminders")
async def reminders(request: PageRequest, part: str | None = None) -> Template:
    """List the reader's reminders, or the live part of that page."""
    visit = Visit(request)
    if part == "list":
        async with visit.read() as connection:
            return visit.part("reminders", reminders=await reminders_of(connection, visit.who.member_id))
    return await _page(visit, NewReminder(), status=200)


@post("/reminders")
async def set_reminder(request: PageRequest) -> Response[Any]:
    """Set a reminder. What could not be set stays in the form."""
    form = await Form.of(request)
    visit = Visit(request)
    words = {"text": form.words("text"), "at": form.words("at")}
    done = await attempt(visit, form, "set_reminder", dict(words))
    if isinstance(done, Fault):
        return await _page(visit, NewReminder(**words, fault=done), status=done.status)
    return go_to(request, "/reminders", saved(done))


@post("/reminders/{reminder_id:uuid}/cancel")
async def cancel_reminder(request: PageRequest, reminder_id: UUID) -> Response[Any]:
    """Cancel a reminder."""
    form = await Form.of(request)
    cancelled = told(Visit(request), form, "cancel_reminder", {"reminder_id": str(reminder_id)})
    return await settled(request, form, cancelled)


async def _page(visit: Visit, form: NewReminder, *, status: int) -> Template:
    async with visit.read() as connection:
        found = await reminders_of(connection, visit.who.member_id)
        return await visit.page(
            connection, "reminders", here="reminders", status=status, reminders=found, form=form
        )


routes = [reminders, set_reminder, cancel_reminder]
