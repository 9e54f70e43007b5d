"""The fence round retrieved data: an unguessable boundary, and nothing inside that reads like a call.

Content is neutralised where it comes in, however it disguises a tag: invisible characters, full-width or
look-alike brackets, compatibility letters, HTML entities, JSON escapes.
"""

import hashlib
import re
import secrets
import unicodedata

import msgspec

from handraise.runner.protocol.marks import CALL_NAMES, THINKING_NAMES, fence_close, fence_open

DEFAULT_LIMIT = 16_000
_WINDOW = 400
_BRACKET = re.compile(
    r"[<＜﹤‹〈〈⟨❮❬˂ᐸ𝈶≮⧼«]"
    r"|&(?:amp;)*(?:lt|#0*60|#x0*3c)(?![a-z0-9]);?"
    r"|\\u003c|\\x3c|%3c",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"&(?:amp;)*#(?:x([0-9a-f]{1,6})|([0-9]{1,7}));?", re.IGNORECASE)
_NAMES = (
    *(name.replace("_", "") for name in (*CALL_NAMES, *THINKING_NAMES)),
    *("function=", "functionname=", "function>", "invoke", "parameter=", "parametername=", "parameter>"),
    *("fence", "endfence", "|"),  # the last: <|…|>, special tokens of many chat templates
)
_LONGEST = 24
_QUOTED = "‹quoted "


class Fence(msgspec.Struct, frozen=True):
    """One job's fence. Its boundary is told to the model and never to anybody whose data it holds."""

    boundary: str

    @classmethod
    def new(cls, seed: bytes | None = None) -> "Fence":
        """Draw a boundary of 96 random bits; a secret `seed` of 16 bytes or more gives the same one again."""
        if seed is None:
            return cls(secrets.token_hex(12))
        if len(seed) < 16:
            raise ValueError("a fence's seed needs at least 16 bytes")
        return cls(hashlib.blake2b(seed, digest_size=12, person=b"handraise fence").hexdigest())

    def wrap(self, kind: str, content: str, *, limit: int = DEFAULT_LIMIT, read_on: str | None = None) -> str:
        """Return `content` fenced and neutralised; past `limit` characters it is cut, and the cut is told.

        `read_on` says how the model gets at the rest, e.g. "ask for fewer messages".
        """
        inside = self._without_boundary(neutralise(content[:limit]))
        fenced = f"{self._open(kind)}\n{inside}\n{fence_close(self.boundary)}"
        if len(content) > limit:
            how = read_on or "narrow what you ask for to read on"
            fenced += f"\n(cut: the first {limit:,} of {len(content):,} characters; {how})"
        return fenced

    def quote(self, kind: str, words: str) -> str:
        """Return a person's own words between the marks, byte for byte: they are said to the model."""
        return f"{self._open(kind)}\n{self._without_boundary(words)}\n{fence_close(self.boundary)}"

    def _open(self, kind: str) -> str:
        return fence_open(self.boundary, re.sub(r"[^\w .,#@-]", "", kind, flags=re.ASCII)[:60] or "data")

    def _without_boundary(self, text: str) -> str:
        return re.sub(re.escape(self.boundary), "(boundary)", text, flags=re.IGNORECASE)


def neutralise(content: str) -> str:
    """Return `content` with every tag of our convention, and every look-alike of one, made plain text.

    Other angle brackets stay: code and HTML remain readable.
    """
    parts: list[str] = []
    at = 0
    for bracket in _BRACKET.finditer(content):
        if bracket.start() < at or not _opens_a_mark(content, bracket.end()):
            continue
        parts.append(content[at : bracket.start()])
        parts.append(_QUOTED)
        at = bracket.end()
    parts.append(content[at:])
    return "".join(parts)


def _opens_a_mark(content: str, at: int) -> bool:
    """Tell whether what follows an opening bracket would read as a mark's name."""
    skeleton, decided = _skeleton(content[at : at + _WINDOW])
    name = skeleton.lstrip("/<&\\")
    return name.startswith(_NAMES) or (not decided and any(mark.startswith(name) for mark in _NAMES))


def _skeleton(window: str) -> tuple[str, bool]:
    """Return the first visible letters, folded, and whether that was enough of the text to decide."""
    if window.isascii() and "&" not in window:
        plain = window.translate(_ASCII_JUNK).lower()
        return plain[:_LONGEST], len(plain) >= _LONGEST or len(window) < _WINDOW
    letters: list[str] = []
    length = 0
    for char in _ENTITY.sub(_entity, window):
        if char.isspace() or char in _JUNK or unicodedata.category(char) in _INVISIBLE:
            continue
        folded = _FOLDED.get(char) or unicodedata.normalize("NFKD", char).casefold()
        for piece in folded:
            if piece not in _JUNK and unicodedata.category(piece) not in _INVISIBLE:
                letters.append(piece)
                length += 1
        if length >= _LONGEST:
            return "".join(letters), True
    return "".join(letters), len(window) < _WINDOW


_INVISIBLE = frozenset({"Cf", "Cc", "Mn", "Me", "Zs", "Zl", "Zp", "Cn", "Co"})
_JUNK = "_-‐‑‒–—·."
_ASCII_JUNK = dict.fromkeys((*range(33), 127, ord("_"), ord("-"), ord(".")))
_FOLDED = {
    **dict(zip("аеорсухіѕјԁһӏκτονƒ", "aeopcyxisjdhlktovf", strict=True)),
    **dict.fromkeys("／∕⁄", "/"),
    **dict.fromkeys("〈⟨‹", "<"),
}
"""Letters of other scripts, and marks, that read like ours and that no normal form folds."""


def _entity(found: re.Match[str]) -> str:
    code = int(found[1], 16) if found[1] else int(found[2])
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else found.group()
