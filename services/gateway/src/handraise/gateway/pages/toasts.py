"""One message carried over a redirect to the next page, in a cookie of its reader: what just happened, or why not."""

import base64
import binascii
import hashlib
import zlib
from datetime import datetime
from typing import Any

import msgspec

from handraise.gateway.pages.times import Times
from handraise.gateway.pages.wording import cut

COOKIE = "handraise_toast"
LIMIT = 3800  # bytes of a cookie that every browser keeps
_PLAIN = 100_000  # bytes that a cookie may unpack to


class Toast(msgspec.Struct, frozen=True):
    """What is told once. `draft` is what somebody wrote in vain, `draft_for` where they can use it."""

    title: str
    text: str = ""
    tone: str = ""  # good, bad, or neither
    stays: bool = False
    draft: str = ""
    draft_for: str = ""

    @property
    def id(self) -> str:
        return hashlib.sha256(f"{self.title}{self.text}".encode()).hexdigest()[:12]


def pack(toast: Toast) -> str:
    """Write a toast as a cookie's value. A draft that is too long stays out: the browser still has it."""
    packed = _pack(toast)
    if len(packed) > LIMIT:
        packed = _pack(msgspec.structs.replace(toast, draft="", text=cut(toast.text, 300)))
    return packed


def unpack(value: str | None) -> Toast | None:
    """Read a cookie's value; None for none, and for what we did not write."""
    if not value:
        return None
    try:
        raw = zlib.decompressobj().decompress(base64.urlsafe_b64decode(value), _PLAIN)
        return msgspec.msgpack.decode(raw, type=Toast)
    except (ValueError, binascii.Error, zlib.error, msgspec.MsgspecError):
        return None


def lost_race(extra: dict[str, Any], words: str | None, place: str, times: Times) -> Toast:
    """Tell the loser of a race who was first, with what and when, and keep their words."""
    who = extra.get("by") or "Somebody"
    what = extra.get("option") or extra.get("answer") or _outcome(extra.get("outcome"))
    at = extra.get("at")
    when = f"At {times.exact(datetime.fromisoformat(at))}. " if isinstance(at, str) else ""
    unused = "Your answer was not used and is kept as a draft." if words else "Your choice was not used."
    return Toast(
        f"{who} was first: {cut(str(what), 120)}.",
        when + (f"{unused} “{words}”" if words else unused),
        stays=True,
        draft=words or "",
        draft_for=place if words else "",
    )


def _outcome(outcome: Any) -> str:
    return {
        "decline": "not answering",
        "cancel": "the work is stopped",
        "expired": "it expired",
        "confirmed": "confirmed",
        "rejected": "rejected",
    }.get(str(outcome), "decided")


def _pack(toast: Toast) -> str:
    return base64.urlsafe_b64encode(zlib.compress(msgspec.msgpack.encode(toast))).decode()
