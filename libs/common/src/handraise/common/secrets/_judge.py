"""Decides whether a text asks a person to hand over a secret, clause by clause."""

import re

from handraise.common.questions import Question
from handraise.common.secrets._english import (
    ASIDE,
    BRING,
    ELSEWHERE,
    ENGLISH,
    GET,
    GIVE,
    GIVE_AFTER,
    IT,
    KEEPING,
    NAMELY,
    NEED,
    NEGATED,
    OF,
    OFFER,
    OPENER,
    OWN_PLAN,
    OWN_STEP,
    PUT,
    RECIPIENT,
    REQUEST,
    TELL_WHEN,
    VALUE,
    WHAT,
)
from handraise.common.secrets._nouns import marked
from handraise.common.secrets._plain import Clause, clauses, plain
from handraise.common.secrets._rules import MARK, compiled

_ASKS = compiled("asks")
_WHICH = compiled("which")
_ABOUT = compiled("about")
# What may be asked for without being named a secret: a code that came in, a number on a card.
_CODE = re.compile(
    r"\bcard .*\b(?:ends?|starts?|begins?)\b|\b(?:front|back) of\b|\byour (?:phone|app)\b"
    r"|\bcod(?:e|igo|ice)\b|\bkod\b|\btan\b"
)


def asks_for_secret(question: Question) -> str | None:
    """Return why this question must not reach a person, in words for the model; None when it may."""
    found, named = _asked(question.text)
    if found is None:
        for option in question.options:
            if (found := _offered(option, named)) is not None:
                break
    return _reason(found)


def text_asks_for_secret(text: str) -> str | None:
    """Return why this text, which an agent wants to send to a person, must not be sent; None when it may."""
    return _reason(_asked(text)[0])


def _reason(found: str | None) -> str | None:
    if found is None:
        return None
    return (
        f"this asks a person to hand over a secret ({found}). Secrets never travel through a conversation, in "
        "whole or in part, nor to be confirmed. Ask where it is kept or which one to use, by name, or ask the "
        "person to store it in the connector's settings and to tell you when that is done."
    )


def _asked(text: str) -> tuple[str | None, str | None]:
    """Return the words of the secret that is asked for, and of the last one that is named."""
    named: str | None = None
    for clause in clauses(plain(text)):
        line, words = marked(clause.text)
        if words is not None:
            line = NEGATED.sub(" ", line)
            named = words
        if line != clause.text and _WHICH.search(clause.text):
            return words or "a password", words
        if MARK in line:
            if _hands_over(Clause(line, clause.asked)):
                return words, words
        elif _CODE.search(line) and _ASKS.search(line):
            return "a code or number that somebody was given", named
        if named is not None and _means_it(line):
            return named, named
    return None, named


def _offered(option: str, named: str | None) -> str | None:
    """Return the words of the secret that an option says will be handed over."""
    line, words = marked(plain(option))
    offer = OFFER.search(line)
    if offer is None or ELSEWHERE.search(line):
        return None
    means_it = re.search(r"\b(?:it|them|that|one)\b|^\w+ (?:here|below|now)\b", line) is not None
    return words or (named if means_it else None)


def _hands_over(clause: Clause) -> bool:
    line = clause.text
    if _ASKS.search(line):
        return True
    if clause.asked and ENGLISH.search(line) is None:
        return _ABOUT.search(line) is None
    line = TELL_WHEN.sub(" ", line)
    told = RECIPIENT.search(line) is not None
    if ELSEWHERE.search(line) and not told:
        return False
    opener = OPENER.match(line)
    if opener is not None and (not told or OWN_STEP.match(opener["word"])):
        return GET.match(line, opener.start("word")) is not None and _straight(GET.search(line))
    if any(_straight(pattern.search(line)) for pattern in (NEED, GET, PUT)):
        return True
    request = REQUEST.search(line)
    if request is not None and request["verb"] not in KEEPING and _straight(request):
        return True
    brought = BRING.search(line)
    if brought is not None and brought["before"] in (None, *GIVE_AFTER):
        return True
    if any(_value(found["gap"]) for found in WHAT.finditer(line)):
        return True
    if any(_requested(line, found) for found in GIVE.finditer(line)):
        return True
    last = line.rpartition(": ")[2]
    return (clause.asked or line.endswith(" please")) and NAMELY.fullmatch(last) is not None


def _straight(found: re.Match[str] | None) -> bool:
    """Tell whether nothing between the asking and the secret turns it into a question about something else."""
    return found is not None and not ASIDE.intersection(_last(found["gap"]))


def _last(gap: str) -> list[str]:
    """Return the words that belong to the secret itself, where several things are asked for."""
    return gap.rpartition(" and ")[2].split()


def _value(gap: str) -> bool:
    """Tell whether "what is … §" asks for the secret itself: "the value of", but not "the owner of"."""
    words = _last(gap)
    if ASIDE.intersection(words) or words[:1] in (["a"], ["an"]):
        return False
    return not OF.intersection(words) or bool(VALUE.intersection(words))


def _requested(line: str, found: re.Match[str]) -> bool:
    before = found["before"]
    if before is not None and before not in GIVE_AFTER:
        return False
    if before == "to" and OWN_PLAN.search(line[: found.start("verb")].rstrip()):
        return False
    gap = found["gap"].removeprefix(" with")
    if ASIDE.intersection(_last(gap)):
        return False
    if found["verb"] in ("let", "remind"):
        return gap.startswith((" me have", " me know", " me see", " me of", " us "))
    if found["verb"] in ("confirm", "confirming"):
        # A state may be confirmed, the secret may not.
        return (
            re.match(r" ?(?:that )?[^§]*§ (?:has|was|works|no|is|are|were|had)\b", line[found.start("gap") :])
            is None
        )
    return True


def _means_it(line: str) -> bool:
    """Tell whether a clause asks for "it", a secret named before."""
    found = IT.search(line)
    if found is None:
        return False
    opener = OPENER.match(line)
    if opener is not None and OWN_STEP.match(opener["word"]) and not found[0].startswith("which"):
        return False
    before = found["before"]
    return before is None or before in GIVE_AFTER
