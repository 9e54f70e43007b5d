"""Folding: two texts that a person would call the same become equal."""

import unicodedata

# Unicode's Default_Ignorable_Code_Point, which Python's tables do not carry.
_IGNORABLE = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
_SPACES = "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85"
_CONTROLS = [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in _SPACES]
_UNSEEN: dict[int, str | None] = {
    **{code: None for first, last in _IGNORABLE for code in range(first, last + 1)},
    **{ord(control): None for control in _CONTROLS},
    0x2800: " ",  # the blank Braille pattern looks like a space and is none to Python
}
_STRAIGHT = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´ʼ", "'"),
        **dict.fromkeys("“”„‟″«»「」『』〝〞", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
    }
)
_MARKS = frozenset("\"'*_")
_CLOSING = frozenset(".,;:!…。、؛،۔।")
_OPENING = frozenset("¿¡")
_BULLETS = frozenset("-*+•")


def seen(text: str) -> str:
    """Return `text` without what nobody can see: zero-width and ignorable characters, controls."""
    return text.translate(_UNSEEN)


def collapse(text: str) -> str:
    """Return what can be seen of `text`, on one line, with single spaces; empty when there is nothing."""
    return " ".join(seen(text).split())


def fold(collapsed: str, *, doubt: bool = True) -> str:
    """Return what a collapsed text is compared by; never empty unless the text is.

    With `doubt` a closing question mark is kept, as in a reply: "production?" does not choose production.
    Normalising is quadratic for long runs of combining marks, so callers bound the length.
    """
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", collapsed).casefold())
    text = _ascii_digits(collapse(text.translate(_STRAIGHT)))
    return _core(text, _CLOSING if doubt else _CLOSING | {"?", "؟"})


def _ascii_digits(text: str) -> str:
    if text.isascii():
        return text
    return "".join(str(unicodedata.decimal(char)) if char.isdecimal() else char for char in text)


def _core(text: str, closing: frozenset[str]) -> str:
    """Strip bullets, closing punctuation and the marks that stand on both ends, but never everything."""
    start, end = 0, len(text)
    while end - start > 1:
        if text[end - 1] in closing or text[end - 1] == " ":
            end -= 1
        elif text[start] in _OPENING or text[start] == " ":
            start += 1
        elif end - start > 2 and text[start] == text[end - 1] and text[start] in _MARKS:
            start, end = start + 1, end - 1
        elif end - start > 2 and text[start] in _BULLETS and text[start + 1] == " ":
            start += 2
        else:
            break
    return text[start:end]
