"""Reminders for oneself."""

from typing import Any
from uuid import UUID

from litestar import Request, delete, get, post

from handraise.gateway.api.receipts import done
from handraise.gateway.api.shapes import Receipt
from handraise.gateway.api.shapes_work import NewReminder, Reminder
from handraise.gateway.auth import signed
from handraise.gateway.state import gateway_of
from handraise.workspace.views import api_work as views
from handraise.workspace.words import ReminderStatus


@get("/reminders", summary="One's reminders", tags=["reminders"])
async def reminders(
    request: Request[Any, Any, Any], status: ReminderStatus = ReminderStatus.SET
) -> list[Reminder]:
    """Return one's reminders: those still to come, unless another status is asked for."""
    gateway, who = gateway_of(request), signed(request)
    async with gateway.db.read(who.workspace_id) as connection:
        rows = await views.reminders_of(connection, who.workspace_id, who.member_id, status)
    return [Reminder(**row) for row in rows]


@post("/reminders", summary="Set a reminder", tags=["reminders"])
async def set_reminder(request: Request[Any, Any, Any], data: NewReminder) -> Receipt:
    """Set a reminder. It is told in a direct message, once."""
    return await done(request, "set_reminder", {"text": data.text, "at": data.at}, key=data.key)


@delete("/reminders/{reminder_id:uuid}", status_code=200, summary="Cancel a reminder", tags=["reminders"])
async def cancel_reminder(request: Request[Any, Any, Any], reminder_id: UUID) -> Receipt:
    """Cancel a reminder before it fires."""
    return await done(request, "cancel_reminder", {"reminder_id": str(reminder_id)})


routes = [reminders, set_reminder, cancel_reminder]
