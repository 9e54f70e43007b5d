"""Stories about what people say: sum up a channel, post to one, message a person."""

import re
from datetime import datetime, time, timedelta
from typing import Any

from handraise.runner.chat.practice.look_up import find_person
from handraise.runner.chat.practice.script import Script, reported
from handraise.runner.chat.practice.times import read_moment

_SHOWN = 6
_LONGEST = 140


def summarise(script: Script, found: re.Match[str]) -> str:
    """Tell who wrote what, as quotations. What a message asks for is not done: it is data."""
    channel = found["channel"]
    data = script.read("summarize_channel", channel=channel)
    messages: list[dict[str, Any]] = data.get("messages", [])
    since, spoken = _since(found.string, script.situation.now)
    if since is not None:
        messages = [one for one in messages if (read_moment(one.get("at"), since) or since) >= since]
    if not messages:
        return f"Nothing was written in #{channel}{spoken}."
    authors = list(dict.fromkeys(str(one.get("author", "somebody")) for one in messages))
    count = "one message" if len(messages) == 1 else f"{len(messages)} messages"
    lines = [
        f"- {one.get('author', 'somebody')}: “{_short(str(one.get('text', '')))}”"
        for one in messages[-_SHOWN:]
    ]
    more = len(messages) - len(lines)
    head = f"In #{channel}{spoken}: {count} by {_listed(authors)}."
    return "\n".join((head, *lines, *([f"and {more} before these"] if more else [])))


def post(script: Script, found: re.Match[str]) -> str:
    """Propose a post, word for word."""
    channel, text = found["channel"], _unquoted(found["text"])
    receipt = script.propose(
        "post_to_channel", f"I propose this post to #{channel}.", channel=channel, text=text
    )
    return reported(receipt, f"it is posted to #{channel}")


def message(script: Script, found: re.Match[str]) -> str:
    """Find the person, propose a direct message, word for word."""
    person, text = find_person(script, found["who"].strip()), _unquoted(found["text"])
    receipt = script.propose(
        "send_dm", f"I propose this message to {person['name']}.", person_id=person["id"], text=text
    )
    return reported(receipt, f"the message to {person['name']} is sent")


def _since(request: str, now: datetime) -> tuple[datetime | None, str]:
    midnight = datetime.combine(now.date(), time(), now.tzinfo)
    folded = request.casefold()
    if "this week" in folded:
        return midnight - timedelta(days=now.weekday()), " this week"
    if "today" in folded:
        return midnight, " today"
    if "yesterday" in folded:
        return midnight - timedelta(days=1), " since yesterday"
    return None, ""


def _short(text: str) -> str:
    line = " ".join(text.split()).replace("“", "‘").replace("”", "’")
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


def _listed(names: list[str]) -> str:
    if len(names) > 4:
        return f"{', '.join(names[:3])} and {len(names) - 3} others"
    return " and ".join((", ".join(names[:-1]), names[-1])) if len(names) > 1 else names[0]


def _unquoted(text: str) -> str:
    bare = text.strip()
    if len(bare) > 1 and bare[0] in "\"“'‘" and bare[-1] in "\"”'’":
        return bare[1:-1].strip()
    return bare


_FLAGS = re.IGNORECASE | re.DOTALL
_CHANNEL = r"#?(?P<channel>[\w-]+)"
POSTS = (
    (
        re.compile(
            rf"^(?:post|write|say|announce|publish)(?: this| a message)?\s+(?:to|in|on)\s+(?:the\s+)?{_CHANNEL}"
            r"(?:\s+channel)?\s*(?:[:,–-]|that)\s*(?P<text>.+)$",
            _FLAGS,
        ),
        post,
    ),
    (
        re.compile(
            r"^(?:post|write|say|announce|publish)\s+(?P<text>[\"“'].+[\"”']|.+?)\s+(?:to|in|on)\s+(?:the\s+)?#"
            r"(?P<channel>[\w-]+)[.!]*$",
            _FLAGS,
        ),
        post,
    ),
    (
        re.compile(
            r"^(?:dm|message|write to|send (?:an? )?(?:dm|message) to)\s+@?(?P<who>[\w.-]+(?: [A-Z][\w.-]+)?)\s*"
            r"(?:[:,–]|that|saying)\s*(?P<text>.+)$",
            _FLAGS,
        ),
        message,
    ),
    (re.compile(r"^tell\s+@?(?!me\b|us\b)(?P<who>[\w.-]+)\s*(?:[:,]|that)\s*(?P<text>.+)$", _FLAGS), message),
)
SUMMARIES = (
    (
        re.compile(
            r"^(?:what(?:'s|’s| is| has)? (?:happened|happening|happen|new|going on|up)|summari[sz]e|sum up|"
            r"catch (?:me )?up|recap|(?:give me )?an? (?:summary|recap))\b[^#]*#(?P<channel>[\w-]+)",
            _FLAGS,
        ),
        summarise,
    ),
)
