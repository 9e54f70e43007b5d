"""Which request starts which story: the first rule that matches, in this order."""

import re
from collections.abc import Callable

from handraise.runner.chat.practice import channels, create, remind, smalltalk, tasks
from handraise.runner.chat.practice.reading import Situation
from handraise.runner.chat.practice.script import Said, Script

Story = Callable[[Script, re.Match[str]], str]

_ADDRESS = re.compile(r"^(?:(?:hey|hi|hello|ok|dear)[ ,]+)?@[\w.-]+[\s,:]*", re.IGNORECASE)
_POLITE = re.compile(r"^(?:please|pls|(?:can|could|would|will) you(?: please)?)[\s,]+", re.IGNORECASE)

_LONGEST = 8_000

RULES: tuple[tuple[re.Pattern[str], Story], ...] = (
    *smalltalk.ASKING,
    *remind.REMINDERS,
    *channels.SUMMARIES,
    *channels.POSTS,
    *create.TASKS,
    *create.DOCS,
    *tasks.TASKS,
    *smalltalk.GREETING,
)


def reply(situation: Situation) -> str:
    """Return the text of this round. Pure: the same situation gives the same text."""
    asked = situation.request.strip()[:_LONGEST]
    wish = _POLITE.sub("", _ADDRESS.sub("", asked, count=1), count=1).strip()
    script = Script(situation)
    try:
        for pattern, story in RULES:
            if found := pattern.search(wish):
                return story(script, found)
    except Said as said:
        return said.text
    return smalltalk.ONLY_PRACTICE
