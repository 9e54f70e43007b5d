"""What a question is: one text and zero or more options, valid from the moment it exists."""

import math
import unicodedata
from collections.abc import Sequence

import msgspec

from handraise.common.questions._folding import collapse
from handraise.common.questions._forms import confusion

MAX_TEXT = 2000
MAX_OPTION = 120
MIN_OPTIONS = 2
MAX_OPTIONS = 20

_REFUSED = {
    "Cc": "a control character",
    "Cs": "half of a surrogate pair",
    "Zl": "a line separator",
    "Zp": "a paragraph separator",
}
_REFUSED_CHARACTERS = {
    "\ufeff": "a byte-order mark",
    # An override shows other words than those that are stored and matched.
    "\u202d": "a direction override",
    "\u202e": "a direction override",
}


class QuestionError(ValueError):
    """Why a question or a reply can't be taken, in words that say what to correct."""


class EmptyReply(QuestionError):
    """A reply in which nobody says anything: blank, invisible, or only quotes of somebody else."""


class Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One text and its options, exactly as they will be shown, stored and matched.

    Nothing is trimmed or mended: what could not be shown, stored and read back unchanged raises
    `QuestionError`.
    """

    text: str
    options: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise QuestionError("the question's text must be a string")
        if not isinstance(self.options, tuple):
            raise QuestionError("options must be a tuple of strings; Question.of takes other lists")
        _check("the question's text", self.text, MAX_TEXT, one_line=False)
        if self.options and not MIN_OPTIONS <= len(self.options) <= MAX_OPTIONS:
            raise QuestionError(
                f"{len(self.options)} options given: give {MIN_OPTIONS} to {MAX_OPTIONS}, "
                "or none for a free answer"
            )
        for position, option in enumerate(self.options, 1):
            if not isinstance(option, str):
                raise QuestionError(f"option {position} must be a string; Question.of takes numbers")
            _check(f"option {position}", option, MAX_OPTION, one_line=True)
        if (reason := confusion(self.options)) is not None:
            raise QuestionError(reason)

    @classmethod
    def of(cls, text: str, options: Sequence[object] | None = None) -> "Question":
        """Make a question of what a model wrote: numbers and booleans among the options become text."""
        if isinstance(options, str | bytes) or not isinstance(options, Sequence | None):
            raise QuestionError("options must be a list of short texts")
        return cls(text, tuple(_as_text(place, option) for place, option in enumerate(options or (), 1)))


def _as_text(position: int, option: object) -> str:
    if isinstance(option, str):
        return option
    if isinstance(option, bool):
        return "true" if option else "false"
    if isinstance(option, int) and abs(option) < 10**MAX_OPTION:
        return str(option)
    if isinstance(option, float) and math.isfinite(option):
        return repr(option)
    raise QuestionError(f"option {position} must be a short text, a number, true or false")


def _check(name: str, text: str, limit: int, *, one_line: bool) -> None:
    if len(text) > limit:
        raise QuestionError(f"{name} has {len(text)} characters: at most {limit}")
    for place, char in enumerate(text):
        if char == "\n" and not one_line:
            continue
        if char in "\n\r":
            advice = "keep it on one line" if one_line else "end lines with \\n alone"
            raise QuestionError(f"{name} has a line break ({char!r}) at character {place + 1}: {advice}")
        reason = _REFUSED_CHARACTERS.get(char) or _REFUSED.get(unicodedata.category(char))
        if reason is not None:
            raise QuestionError(
                f"{name} has {reason} (U+{ord(char):04X}) at character {place + 1}: leave it out"
            )
    if not collapse(text):
        raise QuestionError(f"{name} is empty: write something a person can read")
    if text != text.strip():
        raise QuestionError(f"{name} begins or ends with white space: leave that out")
