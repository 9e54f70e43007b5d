"""How the practice model reads words: overlap with titles, statuses, lists of choices, tidy titles."""

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

_T = TypeVar("_T")
_WORD = re.compile(r"[^\W_]+")
_STOP = frozenset(
    """a an the my our your this that these those task tasks ticket issue item about on of for to in with and or
    called named titled it its is are be one please whose which regarding s t""".split()  # noqa: SIM905
)
_ACRONYMS = frozenset(
    """api ui ux db sso ci cd sql http https url css html qa pr sdk cli aws gcp dns vpn csv pdf""".split()  # noqa: SIM905
)
_STATUSES = (
    ("done", r"done|finished|completed?|closed|resolved|fixed"),
    ("in_review", r"(?:in[ _-])?review|ready for review"),
    ("in_progress", r"in[ _-]progress|progress|started|doing|ongoing|underway"),
    ("todo", r"to[ _-]?do|open(?:ed)?|reopened|backlog|not started"),
)
STATUS_WORDS = {"todo": "to do", "in_progress": "in progress", "in_review": "in review", "done": "done"}
_CHOICE = re.compile(r"\s*,\s*(?:or\s+)?|\s+or\s+|\s+/\s+|\s*;\s*", re.IGNORECASE)


def tokens(text: str) -> list[str]:
    """Return the words that carry meaning, folded, plurals cut."""
    found = (word.casefold() for word in _WORD.findall(text))
    return [
        word[:-1] if len(word) > 4 and word.endswith("s") else word for word in found if word not in _STOP
    ]


def best_matches(query: str, items: Sequence[_T], title: Callable[[_T], str]) -> list[_T]:
    """Return the items that share the most words with `query`: at least half of its words, else none."""
    wanted = set(tokens(query))
    if not wanted:
        return []
    scored = [(len(wanted & set(tokens(title(item)))), item) for item in items]
    top = max((score for score, _ in scored), default=0)
    if top == 0 or top * 2 < len(wanted):
        return []
    best = [item for score, item in scored if score == top]
    exact = [item for item in best if set(tokens(title(item))) == wanted]
    return exact if len(exact) == 1 else best


def status_of(text: str) -> str | None:
    """Return the status that words such as "finished" mean."""
    bare = text.strip(" .!\"'“”").casefold()
    for status, spelled in _STATUSES:
        if re.fullmatch(spelled, bare):
            return status
    return None


def choices(text: str) -> tuple[str, ...]:
    """Return the choices of "red, green or blue", each once; none unless there are at least two."""
    found = (choice.strip(" .?!\"'“”\t\n") for choice in _CHOICE.split(text.strip()))
    unique = tuple(dict.fromkeys(choice for choice in found if choice))
    return unique if 2 <= len(unique) <= 20 and all(len(choice) <= 120 for choice in unique) else ()


def sentence_case(text: str) -> str:
    """Return a title: first letter large, known acronyms in capitals."""
    words = [word.upper() if word.casefold() in _ACRONYMS else word for word in text.split()]
    joined = " ".join(words)
    return joined[:1].upper() + joined[1:]


def strip_article(text: str) -> str:
    """Return the words without a leading article or possessive."""
    return re.sub(r"^(?:the|an?|my|our|this|that)\s+", "", text.strip(), flags=re.IGNORECASE)


def free_choice(text: str) -> str:
    """Return what is chosen in words such as "neither, use the sandbox please"."""
    words = " ".join(text.split()).strip(" .!")
    words = re.sub(
        r"^(?:neither|none(?: of (?:them|these|those))?|no|nope|actually)\b[\s,.;:–-]*", "", words, flags=re.I
    )
    words = re.sub(
        r"^(?:(?:please|just|let'?s|i'?d|we|you should|better|rather)\s+)*"
        r"(?:(?:use|take|go with|deploy (?:it )?to|pick|choose|make it|put it (?:in|into|on))\s+)?",
        "",
        words,
        flags=re.IGNORECASE,
    )
    words = re.sub(r"[\s,]*\b(?:please|thanks|instead)$", "", words, flags=re.IGNORECASE)
    return strip_article(words).strip(" ,.!")
