"""What written things must be like, and how moments are said; shared by writes, previews and reads."""

import unicodedata
from datetime import datetime
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Meta

from handraise.common.clock import utc_now
from handraise.workspace.actions.order import Cannot

TITLE_LENGTH = 200
TEXT_LENGTH = 10_000
BODY_LENGTH = 100_000

Title = Annotated[str, Meta(description=f"One line, at most {TITLE_LENGTH} characters.")]
DueAt = (
    Annotated[
        datetime,
        Meta(
            tz=True,
            description="Date and time with its offset from UTC, such as 2026-11-05T10:00:00+01:00; null: none.",
        ),
    ]
    | None
)

_BREAKS = "\n\t"
# They turn the text round them about, so that a person would read something else than is written.
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def check_title(title: str, of: str = "title") -> None:
    """Raise Cannot unless `title` is one readable line of at most 200 characters."""
    if not title.strip():
        raise Cannot(f"The {of} is empty; give it at least one word.")
    if len(title) > TITLE_LENGTH:
        raise Cannot(
            f"The {of} has {len(title)} characters; shorten it to {TITLE_LENGTH} and put the rest into the text."
        )
    if any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") or c in _TURNING for c in title):
        raise Cannot(f"The {of} contains a control character or a line break; write it as one plain line.")


def check_text(text: str, of: str = "text", *, longest: int = TEXT_LENGTH, empty: bool = False) -> None:
    """Raise Cannot unless `text` can be stored and read: no control characters but line breaks and tabs."""
    if not empty and not text.strip():
        raise Cannot(f"The {of} is empty; write at least one word.")
    if len(text) > longest:
        raise Cannot(f"The {of} has {len(text):,} characters; shorten it to {longest:,}.")
    if any(unicodedata.category(c) in ("Cc", "Cs") and c not in _BREAKS for c in text.replace("\r\n", "\n")):
        raise Cannot(f"The {of} contains a control character; take it out.")


def check_moment(moment: datetime | None) -> None:
    """Raise Cannot for a moment without a zone."""
    if moment is not None and moment.utcoffset() is None:
        raise Cannot(
            "The date has no time zone; write it with its offset, such as 2026-11-05T10:00:00+01:00."
        )


def in_zone(moment: datetime, zone: str | None) -> datetime:
    """Return the moment in the zone of that IANA name, in UTC where there is no such zone."""
    try:
        return moment.astimezone(ZoneInfo(zone or "UTC"))
    except (ZoneInfoNotFoundError, ValueError):
        return moment.astimezone(ZoneInfo("UTC"))


def said(moment: datetime | None, zone: str | None) -> str:
    """Say a moment as people do: Thu 5 Nov, 10:00. With its year when that is not the present one."""
    if moment is None:
        return "none"
    local = in_zone(moment, zone)
    year = "" if local.year == utc_now().year else f" {local.year}"
    return f"{local:%a} {local.day} {local:%b}{year}, {local:%H:%M}"


def one_line(text: str, longest: int = 120) -> str:
    """Return the beginning of `text` on one line."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"
