"""The clock, passed in wherever time matters, so that tests can hold it."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """Return the present moment, timezone-aware, in UTC."""
    return datetime.now(UTC)


def rfc3339(moment: datetime) -> str:
    """Write an aware moment as RFC 3339 in UTC with whole seconds, as message schedules want it.

    Rounds up, so that nothing expires before its time. Raises ValueError for a moment without a zone.
    """
    if moment.tzinfo is None:
        raise ValueError("a moment needs a time zone")
    utc = moment.astimezone(UTC)
    if utc.microsecond:
        utc = datetime.fromtimestamp(int(utc.timestamp()) + 1, UTC)
    return utc.strftime("%Y-%m-%dT%H:%M:%SZ")
