"""What somebody looks for, taken apart: words for full-text search, and the key of a task among them."""

import re

from msgspec import Struct

_WORDS = 12
_KEY = re.compile(r"(?P<key>[A-Za-z][A-Za-z0-9]{1,9})-(?P<number>\d{1,9})")


class Query(Struct, frozen=True):
    """What is looked for."""

    words: str
    """A tsquery that wants every word or its beginning."""
    text: str
    key: tuple[str, str] | None = None
    """The key of a task or its beginning, where one of the words is one: ATL, 118."""
    rest: str | None = None
    """The words beside the key."""


def query_of(text: str) -> Query | None:
    """Read what somebody looks for; None when it has no word.

    Each word is quoted whole, so that Postgres takes it apart as it did the text: foo-bar and 2.4 are found.
    """
    words = [word for word in text.split() if any(map(str.isalnum, word))][:_WORDS]
    if not words:
        return None
    found = next((match for word in words if (match := _KEY.fullmatch(word))), None)
    if found is None:
        return Query(_wanted(words), " ".join(words))
    rest = [word for word in words if word != found[0]]
    key = (found["key"].upper(), found["number"])
    return Query(_wanted(words), " ".join(words), key, _wanted(rest) if rest else None)


def _wanted(words: list[str]) -> str:
    quoted = (word.replace("\\", "\\\\").replace("'", "''") for word in words)
    return " & ".join(f"'{word}':*" for word in quoted)
