"""Stories that change nothing: asking on demand, greeting, and telling what the practice model is."""

import re

from handraise.runner.chat.practice.script import Script
from handraise.runner.chat.practice.words import choices

ONLY_PRACTICE = (
    "I am only the practice model: I follow rules, I do not think. I can find and mark a task, open or assign "
    "one, tell what is due this week, sum up a channel, post to it, message a person, write a doc and set a "
    "reminder. Try “find my task about the login bug and mark it as done” or “open a task for the api deploy”. "
    "For everything else, connect a real model."
)
HELLO = (
    "Hello{name}! I am the practice model: rules, not a mind. Ask me to “open a task for the api deploy”, "
    "and you will see how I ask before I act."
)


def ask_me(script: Script, found: re.Match[str]) -> str:
    """Put a question to somebody just as it was spelled, and say what came of it."""
    whom = found["whom"].removeprefix("@")
    me = whom.lower() in ("me", "us")
    seen = script.ask(found["question"].strip(), choices(found["rest"]), person="" if me else whom.lower())
    if seen.status == "declined":
        return "You did not answer, so I leave it open." if me else "There was no answer, so I leave it open."
    if seen.status == "expired":
        return "Nobody answered in time, so I leave it open."
    if me:
        return f"You chose {seen.words}." if seen.chosen else f"You wrote: “{seen.words}”"
    return f"The answer is {seen.words}." if seen.chosen else f"The answer: “{seen.words}”"


def hello(script: Script, found: re.Match[str]) -> str:
    """Greet back, with no tool."""
    first = script.situation.person.partition(" ")[0]
    return HELLO.format(name=f", {first}" if first else "")


ASKING = (
    (
        re.compile(
            r"^ask (?P<whom>me|us|@?[\w-]+(?=\s*:))\s*[:,]?\s*(?P<question>[^?]+\?)\s*(?P<rest>.*)$",
            re.I | re.S,
        ),
        ask_me,
    ),
)
GREETING = (
    (
        re.compile(
            r"^(?:hello|hi|hey|howdy|good (?:morning|afternoon|evening|day)|thanks|thank you)\b[^?:]{0,40}$",
            re.I,
        ),
        hello,
    ),
)
