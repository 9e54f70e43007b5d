"""From audit rows to the history of a task: who did what, refusals too."""

from datetime import datetime

import msgspec

from handraise.gateway.pages.times import Times
from handraise.workspace.views.tasks import Event
from handraise.workspace.words import Verdict

_ICONS = {"create": "plus", "status": "doing", "assign": "person", "due": "calendar"}


class EventView(msgspec.Struct, frozen=True):
    """One line of a history."""

    at: datetime
    when: str
    icon: str
    who: str
    what: str
    how: str


def event_view(event: Event, times: Times) -> EventView:
    """Say one audited thing as a sentence."""
    who = event.actor or event.acted_as or "Nobody"
    verb = event.tag.rpartition(":")[2]
    refused = event.verdict is not Verdict.ALLOWED
    return EventView(
        at=event.at,
        when=times.clock(event.at) if times.is_today(event.at) else times.date(event.at),
        icon="lock" if event.verdict is Verdict.REFUSED else "warn" if refused else _ICONS.get(verb, "write"),
        who=who,
        what=_refused(event, verb) if refused else _done(event, verb),
        how=f"proposed by @{event.agent}, confirmed by {who}" if event.agent and not refused else "",
    )


def _done(event: Event, verb: str) -> str:
    if event.reason:
        title = event.reason.partition("\n")[0]
        return title[:1].lower() + title[1:]
    return {
        "create": "created it",
        "status": "changed the status",
        "assign": "changed the assignee",
        "due": "changed the due date",
    }.get(verb, verb)


def _refused(event: Event, verb: str) -> str:
    tried = {
        "create": "create it",
        "status": "change the status",
        "assign": "assign it",
        "due": "change the due date",
    }.get(verb, verb)
    return f"could not {tried}{f': {event.reason}' if event.reason else ''}"
