"""Reads the JSON that models really write: strictly first, then with the few slips that have one meaning.

Forgiven: line breaks inside strings, trailing commas, Python's True/False/None, smart quotes and single
quotes where no other reading exists, and, when the caller says that the text is complete, closing brackets
missing at its very end. Everything else is a `JsonishError` with a reason for the model.
"""

import json
import math
import re
from typing import Any, NoReturn

MAX_DEPTH = 32
_INT64_MIN, _INT64_MAX = -(2**63), 2**63 - 1
_SPACE = re.compile(r"[ \t\r\n\u00a0\ufeff]*")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,25})(?:\.\d{1,25})?(?:[eE][+-]?\d{1,4})?(?![\w.])", re.ASCII)
_WORD = re.compile(r"true|false|null|True|False|None")
_WORDS = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}
_CLOSERS = {'"': '"', "'": "'", "“": "“”", "„": "“”", "”": "“”", "‘": "’", "’": "’"}
_ESCAPES = {'"': '"', "'": "'", "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class JsonishError(ValueError):
    """The text has no single meaning as JSON; the message tells a model what to correct."""


class DuplicateKeyError(JsonishError):
    """One object names a key twice: which of the two was meant cannot be known."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise DuplicateKeyError(f"the key {key[:60]!r} stands twice in one object; write it once")
            seen.add(key)
    return made


def _constant(name: str) -> NoReturn:
    raise JsonishError(f"{name} is not a JSON number")


_strict = json.JSONDecoder(strict=False, object_pairs_hook=_pairs, parse_constant=_constant)


def decode(text: str, start: int, end: int, *, complete: bool, strictly: bool = False) -> tuple[Any, int]:
    """Read one value from `start`, never looking past `end`; return it and where it ends.

    `complete` says that whoever wrote the text marked its end, so missing closing brackets at `end` are
    a slip and not a cut. `strictly` leaves the forgiving reader out. Raises JsonishError.
    """
    try:
        value, after = _strict.raw_decode(text[start:end])
        after += start
    except DuplicateKeyError:
        raise
    except RecursionError:
        raise JsonishError("the JSON is nested too deeply") from None
    except ValueError:
        if strictly:
            raise JsonishError("this is not strict JSON") from None
        reader = _Reader(text, end, complete=complete)
        value, after = reader.value(start, 0)
    check(value)
    return value, after


def check(value: Any, depth: int = 0) -> None:
    """Refuse what could not be stored or sent on: too deep, not finite, too large, NUL, lone surrogates."""
    if depth > MAX_DEPTH:
        raise JsonishError(f"the JSON is nested more than {MAX_DEPTH} levels deep")
    if isinstance(value, str):
        if _UNSTORABLE.search(value):
            raise JsonishError("a text holds a NUL character or half of a surrogate pair; leave it out")
    elif isinstance(value, bool) or value is None:
        return
    elif isinstance(value, int):
        if not _INT64_MIN <= value <= _INT64_MAX:
            raise JsonishError("a whole number is too large; write it as a text")
    elif isinstance(value, float):
        if not math.isfinite(value):
            raise JsonishError("a number is not finite")
    elif isinstance(value, dict):
        for key, item in value.items():
            check(key, depth)
            check(item, depth + 1)
    else:
        for item in value:
            check(item, depth + 1)


class _Reader:
    """The forgiving reader: one pass, no backtracking, so its work grows with the text alone."""

    def __init__(self, text: str, end: int, *, complete: bool) -> None:
        self._text = text
        self._end = end
        self._complete = complete

    def _skip(self, at: int) -> int:
        found = _SPACE.match(self._text, at, self._end)
        return found.end() if found else at

    def _missing_closer(self, at: int) -> bool:
        if at < self._end:
            return False
        if not self._complete:
            raise JsonishError("the JSON is cut off before its end; write the whole call again")
        return True

    def value(self, at: int, depth: int) -> tuple[Any, int]:
        if depth > MAX_DEPTH:
            raise JsonishError(f"the JSON is nested more than {MAX_DEPTH} levels deep")
        at = self._skip(at)
        if at >= self._end:
            raise JsonishError("the JSON is cut off before its end; write the whole call again")
        first = self._text[at]
        if first == "{":
            return self._object(at + 1, depth)
        if first == "[":
            return self._array(at + 1, depth)
        if first in _CLOSERS:
            return self._string(at)
        if word := _WORD.match(self._text, at, self._end):
            return _WORDS[word.group()], word.end()
        if number := _NUMBER.match(self._text, at, self._end):
            spelled = number.group()
            return (int(spelled) if spelled.lstrip("-").isdigit() else float(spelled)), number.end()
        raise JsonishError(f"this is not JSON near {self._text[at : min(at + 30, self._end)]!r}")

    def _object(self, at: int, depth: int) -> tuple[dict[str, Any], int]:
        pairs: list[tuple[str, Any]] = []
        while True:
            at = self._skip(at)
            if self._missing_closer(at):
                return _pairs(pairs), at
            if self._text[at] == "}":
                return _pairs(pairs), at + 1
            if self._text[at] not in _CLOSERS:
                raise JsonishError(f"a key in double quotes is missing near {self._text[at : at + 30]!r}")
            key, at = self._string(at)
            at = self._skip(at)
            if at >= self._end or self._text[at] != ":":
                raise JsonishError(f"a colon is missing after the key {key[:60]!r}")
            item, at = self.value(at + 1, depth + 1)
            pairs.append((key, item))
            at = self._comma(at, "}")

    def _array(self, at: int, depth: int) -> tuple[list[Any], int]:
        items: list[Any] = []
        while True:
            at = self._skip(at)
            if self._missing_closer(at):
                return items, at
            if self._text[at] == "]":
                return items, at + 1
            item, at = self.value(at, depth + 1)
            items.append(item)
            at = self._comma(at, "]")

    def _comma(self, at: int, closer: str) -> int:
        at = self._skip(at)
        if at >= self._end or self._text[at] == closer:
            return at
        if self._text[at] != ",":
            raise JsonishError(f"a comma or {closer!r} is missing near {self._text[at : at + 30]!r}")
        return at + 1

    def _string(self, at: int) -> tuple[str, int]:
        """Read a quoted text. Other quotes than `"` count only where the end can be meant in one way."""
        opener = self._text[at]
        closers = _CLOSERS[opener]
        parts: list[str] = []
        stop = re.compile(rf"[\\{closers}]")
        at += 1
        while True:
            found = stop.search(self._text, at, self._end)
            if found is None:
                raise JsonishError("a text is never closed with a quote; write the whole call again")
            parts.append(self._text[at : found.start()])
            at = found.end()
            if found.group() != "\\":
                break
            piece, at = self._escape(at)
            parts.append(piece)
        if opener != '"':
            after = self._skip(at)
            if after < self._end and self._text[after] not in ",:}]":
                raise JsonishError(
                    "a text in single or curly quotes holds such a quote itself, so its end is unclear; "
                    "use straight double quotes"
                )
        return "".join(parts), at

    def _escape(self, at: int) -> tuple[str, int]:
        letter = self._text[at : at + 1]
        if letter in _ESCAPES and at < self._end:
            return _ESCAPES[letter], at + 1
        if letter == "u":
            digits = self._text[at + 1 : min(at + 5, self._end)]
            if re.fullmatch(r"[0-9a-fA-F]{4}", digits):
                code = int(digits, 16)
                low = re.match(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})", self._text[at + 5 : at + 11])
                if 0xD800 <= code < 0xDC00 and low:
                    code = 0x10000 + ((code - 0xD800) << 10) + (int(low.group(1), 16) - 0xDC00)
                    return chr(code), at + 11
                return chr(code), at + 5
        raise JsonishError("a backslash in a text starts no JSON escape; double it")
