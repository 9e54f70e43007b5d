"""The ways a person can name an option: its words, its number, or its whole line of the list."""

import re
from collections.abc import Sequence

from handraise.common.questions._folding import collapse, fold

_NAMED = re.compile(
    r"(?:option|opción|opcion|opção|opcao|opzione|optie|number|nummer|numéro|numero|número) ?#?(\d{1,3})"
)
_MARKED = re.compile(r"#(\d{1,3})")
_BARE = re.compile(r"(\d{1,3})|[(\[](\d{1,3})[)\]]|(\d{1,3})[)\]]")
_QUANTITY = re.compile(r"[+-]? ?[€$£¥]?\d+(?:[.,' ]\d+)* ?[%€$£¥]?")


def option_key(option: str) -> str:
    """Return what an option, or a question's text, is compared by."""
    return fold(collapse(option), doubt=False)


def option_keys(option: str) -> frozenset[str]:
    """Return the folded replies that are the option's own words, with and without its question mark."""
    return frozenset((option_key(option), fold(collapse(option))))


def line_keys(position: int, option: str) -> frozenset[str]:
    """Return the folded forms of the line that shows `option` at `position`, counted from 1."""
    lines = (f"{position}{mark} {option}" for mark in (".", ")", ":", ""))
    return frozenset(key for line in lines for key in option_keys(line))


def numbers_only(keys: Sequence[str]) -> bool:
    """Tell whether every option is itself a number: then a bare number names a value, not a position."""
    return all(_QUANTITY.fullmatch(key) for key in keys)


def bare_number(key: str) -> int | None:
    """Read `2`, `2)`, `(2)` or `[2]`."""
    found = _BARE.fullmatch(key)
    return int(found[1] or found[2] or found[3]) if found else None


def marked_number(key: str) -> int | None:
    """Read `#2`."""
    found = _MARKED.fullmatch(key)
    return int(found[1]) if found else None


def named_number(key: str) -> int | None:
    """Read `option 2` and its like."""
    found = _NAMED.fullmatch(key)
    return int(found[1]) if found else None


def mentions(key: str, number: int) -> bool:
    """Tell whether an option speaks of `number` itself, as "2 GB" and "fix #2" do."""
    return re.search(rf"(?<!\d)0*{number}(?!\d)", key) is not None


def confusion(options: Sequence[str]) -> str | None:
    """Say which two options a reply could not tell apart; None when all can be."""
    keys = [option_key(option) for option in options]
    owner: dict[str, int] = {}
    for position, option in enumerate(options, 1):
        for key in option_keys(option):
            if (other := owner.setdefault(key, position)) != position:
                return (
                    f"options {other} and {position} read the same to a person "
                    f"({options[other - 1]!r}, {option!r}): make them differ in words"
                )
    for position, option in enumerate(options, 1):
        for line in line_keys(position, option):
            if (other := owner.get(line, position)) != position:
                return (
                    f"option {other} ({options[other - 1]!r}) reads like the line that shows option "
                    f"{position}: leave numbers off, the list is numbered when it is shown"
                )
    if numbers_only(keys):
        return None
    for position, key in enumerate(keys, 1):
        for number in (bare_number(key), marked_number(key), named_number(key)):
            if number is not None and number != position and 1 <= number <= len(keys):
                return (
                    f"option {position} ({options[position - 1]!r}) reads like the number of option "
                    f"{number}: put it at that place or say it in words"
                )
    return None
