"""How the practice model reads moments such as "tomorrow at 9", "next Friday" or "in two hours"."""

import re
from datetime import date, datetime, time, timedelta

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_COUNTS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10}
_UNITS = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
}
_PARTS = {"morning": 9, "noon": 12, "midday": 12, "afternoon": 14, "evening": 18, "tonight": 20}
_IN = re.compile(
    r"\bin (\d{1,3}|an?|one|two|three|four|five|six|ten) (minute|hour|day|week)s?\b", re.IGNORECASE
)
_DATE = re.compile(r"\b(?:(?:on|by|for|until) )?(\d{4})-(\d{2})-(\d{2})(?:[T ](?=\d))?", re.IGNORECASE)
_DAY = re.compile(
    rf"\b(?:(?:on|by|for|until) )?(?:(next|this|coming) )?({'|'.join(_DAYS)}|today|tomorrow|next week)\b",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"(?:\bat )(\d{1,2})(?::(\d{2}))?(?: ?([ap])\.?m\.?)?(?! ?\d)\b|(?<!\d)(\d{1,2}):(\d{2})(?: ?([ap])\.?m\.?)?\b"
    r"|(?<!\d)(\d{1,2}) ?([ap])\.?m\.?\b",
    re.IGNORECASE,
)
_PART = re.compile(rf"\b(?:(?:in the|this|at) )?({'|'.join(_PARTS)})\b", re.IGNORECASE)


def find_moment(text: str, now: datetime, *, hour: int = 9) -> tuple[datetime | None, str]:
    """Return the moment that `text` names, in the zone of `now`, and the text without it.

    A day with no time of day means `hour` o'clock; a time alone, the next time the clock shows it.
    """
    if found := _IN.search(text):
        count = _COUNTS.get(found[1].lower()) or int(found[1])
        moment = (now + count * _UNITS[found[2].lower()]).replace(second=0, microsecond=0)
        return moment, _without(text, found)
    day, text = _day(text, now)
    clock, text = _clock(text)
    if day is None and clock is None:
        return None, text
    at = clock or time(hour)
    if day is not None:
        return datetime.combine(day, at, now.tzinfo), text
    moment = datetime.combine(now.date(), at, now.tzinfo)
    return (moment if moment > now else moment + timedelta(days=1)), text


def _day(text: str, now: datetime) -> tuple[date | None, str]:
    if found := _DATE.search(text):
        try:
            return date(int(found[1]), int(found[2]), int(found[3])), _without(text, found)
        except ValueError:
            return None, text
    if not (found := _DAY.search(text)):
        return None, text
    word = found[2].lower()
    if word == "today":
        ahead = 0
    elif word == "tomorrow":
        ahead = 1
    elif word == "next week":
        ahead = 7 - now.weekday()
    else:
        ahead = (_DAYS.index(word) - now.weekday()) % 7 or 7
    return now.date() + timedelta(days=ahead), _without(text, found)


def _clock(text: str) -> tuple[time | None, str]:
    if found := _CLOCK.search(text):
        hours = int(found[1] or found[4] or found[7])
        minutes = int(found[2] or found[5] or 0)
        half = (found[3] or found[6] or found[8] or "").lower()
        if half and 1 <= hours <= 12:
            hours = hours % 12 + (12 if half == "p" else 0)
        if hours < 24 and minutes < 60:
            return time(hours, minutes), _without(text, found)
    if found := _PART.search(text):
        return time(_PARTS[found[1].lower()]), _without(text, found)
    return None, text


def _without(text: str, found: re.Match[str]) -> str:
    return " ".join(f"{text[: found.start()]} {text[found.end() :]}".split())


def end_of_week(now: datetime) -> datetime:
    """Return the last moment of the week's Sunday."""
    sunday = now.date() + timedelta(days=6 - now.weekday())
    return datetime.combine(sunday, time(23, 59, 59), now.tzinfo)


def read_moment(spelled: object, now: datetime) -> datetime | None:
    """Return a stored date or moment in the zone of `now`; a bare date means its end."""
    if not isinstance(spelled, str):
        return None
    try:
        if len(spelled) == 10:
            return datetime.combine(date.fromisoformat(spelled), time(23, 59, 59), now.tzinfo)
        moment = datetime.fromisoformat(spelled)
    except ValueError:
        return None
    return moment.astimezone(now.tzinfo) if moment.tzinfo else moment.replace(tzinfo=now.tzinfo)


def spoken(moment: datetime) -> str:
    """Return a moment as a person says it."""
    return f"{moment:%A %Y-%m-%d, %H:%M}"
