"""How long and when, in the words and the time zone of whoever reads the page."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec


class Times(msgspec.Struct, frozen=True):
    """One reader's present moment and time zone. Every method takes an aware moment."""

    now: datetime
    zone: str

    def local(self, at: datetime) -> datetime:
        """Return the moment on the reader's clock; UTC where the zone is unknown here."""
        return at.astimezone(zone_of(self.zone))

    def iso(self, at: datetime) -> str:
        """Write it for `<time datetime>`, with its offset."""
        return self.local(at).isoformat(timespec="seconds")

    def clock(self, at: datetime) -> str:
        """Write hours and minutes: 09:31."""
        return f"{self.local(at):%H:%M}"

    def exact(self, at: datetime) -> str:
        """Write hours, minutes and seconds, for records: 09:31:07."""
        return f"{self.local(at):%H:%M:%S}"

    def field(self, at: datetime) -> str:
        """Write it for `<input type=datetime-local>`, on the reader's clock."""
        return f"{self.local(at):%Y-%m-%dT%H:%M}"

    def read(self, text: str) -> datetime:
        """Read what such a field sent: a moment of the reader's clock, in UTC. Raises ValueError.

        A time that the clocks skip moves forward; of one that they show twice it is the first.
        """
        local = datetime.fromisoformat(text)
        if local.tzinfo is not None:
            raise ValueError("a time on the reader's clock has no zone")
        try:
            return local.replace(tzinfo=zone_of(self.zone)).astimezone(UTC)
        except OverflowError:
            raise ValueError("no such moment") from None

    def since(self, at: datetime) -> str:
        """Say how long ago it was: “2 h 49 min”."""
        return span(self.now - at)

    def date(self, at: datetime) -> str:
        """Name the date: “Fri 6 Nov”, with its year when it is another one."""
        local = self.local(at)
        year = "" if local.year == self.local(self.now).year else f" {local.year}"
        return f"{local:%a} {local.day} {local:%b}{year}"

    def when(self, at: datetime) -> str:
        """Name a moment near or far, in future or past: “today, 18:00”, “Fri 6 Nov, 09:31”."""
        days = (self.local(at).date() - self.local(self.now).date()).days
        day = {-1: "yesterday", 0: "today", 1: "tomorrow"}.get(days) or self.date(at)
        return f"{day}, {self.clock(at)}"

    def past(self, at: datetime) -> str:
        """Name a moment that is over: the clock alone when it was today."""
        return self.clock(at) if self.is_today(at) else self.when(at)

    def day(self, at: datetime) -> str:
        """Head a day of a conversation: “Today”, “Monday 2 November”."""
        local, today = self.local(at), self.local(self.now)
        days = (today.date() - local.date()).days
        if days in (0, 1):
            return ("Today", "Yesterday")[days]
        year = "" if local.year == today.year else f" {local.year}"
        return f"{local:%A} {local.day} {local:%B}{year}"

    def is_today(self, at: datetime) -> bool:
        """Tell whether it is on the reader's present day."""
        return self.local(at).date() == self.local(self.now).date()

    def is_soon(self, asked: datetime, expires: datetime) -> bool:
        """Tell whether a deadline wants attention: it is today, or two thirds of its time are gone."""
        return self.is_today(expires) or self.now >= asked + (expires - asked) * 2 / 3


def zone_of(name: str) -> ZoneInfo:
    """Return the IANA zone, or UTC when this machine does not know it."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")


def span(length: timedelta) -> str:
    """Say a length of waiting in its two largest units: “18 min”, “2 h 49 min”, “1 d 3 h”."""
    minutes = max(0, int(length.total_seconds() // 60))
    if minutes == 0:
        return "a moment"
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    pieces = [(days, "d"), (hours, "h"), (minutes, "min")]
    first = next(place for place, (count, _) in enumerate(pieces) if count)
    return " ".join(f"{count} {unit}" for count, unit in pieces[first : first + 2] if count)


def took(microseconds: int) -> str:
    """Say how long work took: “40 ms”, “1.8 s”, “2 min 5 s”."""
    if microseconds < 1_000_000:
        return f"{max(1, round(microseconds / 1000))} ms"
    if microseconds < 60_000_000:
        return f"{microseconds / 1_000_000:.1f} s"
    minutes, seconds = divmod(round(microseconds / 1_000_000), 60)
    return f"{minutes} min {seconds} s"
