"""What somebody means by a time: their own wall clock in their own zone, unless they say which other."""

from datetime import UTC, datetime, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Meta

from handraise.workspace.actions.order import Cannot

LocalTime = Annotated[
    str,
    Meta(
        description="Date and time on the person's own clock, such as 2026-11-05T10:00; "
        "or with an offset from UTC, such as 2026-11-05T10:00:00+01:00."
    ),
]
YEARS = 5  # ahead, at most


def moment_of(written: str, zone: str) -> datetime:
    """Return the moment in UTC. Without an offset it is the wall clock's time in `zone`, an IANA name.

    A time that the clock skips moves forward by what is skipped; of one that it shows twice, the first is
    meant. Raises Cannot for what is no date with a time.
    """
    text = written.strip()
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or ":" not in text:
        raise Cannot(
            f"“{text[:40]}” is no date with a time; write it like 2026-11-05T10:00, on the person's own clock."
        )
    if moment.utcoffset() is not None:
        return moment.astimezone(UTC)
    # `fold=0` takes the earlier offset, before a clock change: the first of two, and past a gap by its length.
    return moment.replace(tzinfo=_zone(zone), fold=0).astimezone(UTC)


def check_to_come(moment: datetime, said: str, now: datetime) -> None:
    """Raise Cannot unless `moment` is to come, and within five years. `said` is how a person reads it."""
    if moment <= now:
        raise Cannot(f"{said} is past; choose a time that is still to come.")
    if moment > now + timedelta(days=366 * YEARS):
        raise Cannot(f"{said} is more than {YEARS} years ahead; choose a nearer time.")


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")
