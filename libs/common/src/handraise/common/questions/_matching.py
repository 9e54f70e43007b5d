"""What a reply means: that option, a refusal to answer, the wish to stop, or the words as written."""

from enum import StrEnum

import msgspec

from handraise.common.questions._folding import collapse, fold
from handraise.common.questions._forms import (
    bare_number,
    line_keys,
    marked_number,
    mentions,
    named_number,
    numbers_only,
    option_key,
    option_keys,
)
from handraise.common.questions._phrases import CANCEL, DECLINE, phrase_key
from handraise.common.questions._question import EmptyReply, Question

# Longer than any form of any option can get; beyond it a reply is prose and is not worth normalising.
_LONGEST = 4096


class Outcome(StrEnum):
    """How a request ended."""

    ACCEPT = "accept"  # somebody answered, or approved
    DECLINE = "decline"  # somebody won't answer, or refused: the work goes on without it
    CANCEL = "cancel"  # somebody wants the work stopped
    EXPIRED = "expired"  # nobody answered in time


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a person answered.

    `option` is the option exactly as it was shown, or None for a free answer; `text` is always the reply as
    it was written, byte for byte.
    """

    outcome: Outcome
    option: str | None
    text: str


def match(question: Question, reply: str) -> Answer:
    """Read a person's reply: an option, its number, a decline, a cancel, or else a free answer.

    An option always wins, so an option called "Cancel" is chosen by its name. Nothing is ever guessed from
    words within a longer reply. Quoted lines (`> …`) are somebody else's. Never yields `expired`. Raises
    `EmptyReply` when the person says nothing. Takes time linear in the reply.
    """
    if reply in question.options:
        return Answer(Outcome.ACCEPT, reply, reply)
    if (place := _by_words(question, _fold(collapse(reply)))) is not None:
        return Answer(Outcome.ACCEPT, question.options[place - 1], reply)
    own = collapse("\n".join(line for line in reply.splitlines() if not collapse(line).startswith(">")))
    if not own:
        raise EmptyReply("the reply is empty: pick an option, write an answer, or decline")
    key = _fold(own)
    if key is None:
        return Answer(Outcome.ACCEPT, None, reply)
    place = _by_words(question, key) or _by_number(question, key)
    if place is not None:
        return Answer(Outcome.ACCEPT, question.options[place - 1], reply)
    phrase = phrase_key(key)
    if phrase in DECLINE:
        return Answer(Outcome.DECLINE, None, reply)
    if phrase in CANCEL:
        return Answer(Outcome.CANCEL, None, reply)
    return Answer(Outcome.ACCEPT, None, reply)


def same_question(a: Question | str, b: Question | str) -> bool:
    """Tell whether two questions, or their texts, ask the same in the same words; options don't matter."""
    return option_key(_text_of(a)) == option_key(_text_of(b))


def _text_of(question: Question | str) -> str:
    return question if isinstance(question, str) else question.text


def _fold(collapsed: str) -> str | None:
    return fold(collapsed) if 0 < len(collapsed) <= _LONGEST else None


def _by_words(question: Question, key: str | None) -> int | None:
    if key is None:
        return None
    for place, option in enumerate(question.options, 1):
        if key in option_keys(option):
            return place
    if key[0].isdigit():
        for place, option in enumerate(question.options, 1):
            if key in line_keys(place, option):
                return place
    return None


def _by_number(question: Question, key: str) -> int | None:
    keys = [option_key(option) for option in question.options]
    named, marked, bare = named_number(key), marked_number(key), bare_number(key)
    number = named or marked or (None if numbers_only(keys) else bare)
    if number is None or not 1 <= number <= len(keys):
        return None
    own, others = keys[number - 1], keys[: number - 1] + keys[number:]
    if named:
        rivals = any(bare_number(other) == number for other in others)
    else:
        # "2" beside the options "2 GB" and "4 GB" may mean either: that is for the agent to read.
        rivals = any(mentions(other, number) for other in others) and not mentions(own, number)
    return None if rivals else number
