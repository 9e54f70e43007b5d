"""The story of a reminder: what, when, and asking when the request does not say."""

import re

from handraise.runner.chat.practice.script import NOTHING, Said, Script, reported
from handraise.runner.chat.practice.times import find_moment, spoken

WHEN = ("in one hour", "tomorrow at 9:00", "next Monday at 9:00")


def remind(script: Script, found: re.Match[str]) -> str:
    """Propose a reminder."""
    now = script.situation.now
    moment, what = find_moment(found["what"].strip(" .!"), now)
    what = (
        re.sub(r"^(?:to|that|about|of)\s+", "", what.strip(" ,"), flags=re.IGNORECASE).strip(" ,")
        or "what you asked"
    )
    if moment is None:
        seen = script.ask("When should I remind you?", WHEN)
        moment = find_moment(seen.words, now)[0] if seen.status == "answered" else None
        if moment is None:
            raise Said(f"I do not know when, so I set no reminder. {NOTHING}")
    text = what[:1].upper() + what[1:]
    receipt = script.propose(
        "set_reminder",
        f"I propose a reminder for {spoken(moment)}: “{text}”.",
        text=text,
        at=moment.isoformat(),
    )
    return reported(receipt, f"the reminder “{text}” is set for {spoken(moment)}")


REMINDERS = (
    (
        re.compile(r"^(?:remind me|set (?:me )?a reminder)\b\s*(?P<what>.*)$", re.IGNORECASE | re.DOTALL),
        remind,
    ),
)
