"""What no text may hold, whoever sends it and wherever it goes."""

import re

from handraise.common.problems import Problem

LONGEST = 20_000  # characters
_UNREADABLE = re.compile("[\x00\ud800-\udfff]")


def check(text: str, what: str) -> None:
    """Raise Problem 422 for a text that is too long, or that no database can hold. `what` names it: message."""
    if len(text) > LONGEST:
        raise Problem(
            422, f"{what}_too_long", f"The {what} has {len(text):,} characters; at most {LONGEST:,} fit."
        )
    if _UNREADABLE.search(text):
        raise Problem(422, f"unreadable_{what}", f"The {what} holds a NUL or half of a character; remove it.")
