"""Moments and lengths as people read them."""

from datetime import UTC, datetime, timedelta

import pytest

from handraise.gateway.pages.times import Times, span, took, zone_of
from tests.unit.gateway.pages import NOW, TIMES, ago


@pytest.mark.parametrize(
    ("length", "words"),
    [
        (timedelta(seconds=-5), "a moment"),
        (timedelta(seconds=59), "a moment"),
        (timedelta(minutes=1), "1 min"),
        (timedelta(hours=2, minutes=49), "2 h 49 min"),
        (timedelta(hours=3), "3 h"),
        (timedelta(days=1, hours=3, minutes=59), "1 d 3 h"),
        (timedelta(days=2, minutes=5), "2 d"),
    ],
)
def test_a_length_is_told_in_its_two_largest_units(length: timedelta, words: str) -> None:
    assert span(length) == words


@pytest.mark.parametrize(
    ("microseconds", "words"),
    [(0, "1 ms"), (40_000, "40 ms"), (1_800_000, "1.8 s"), (125_000_000, "2 min 5 s")],
)
def test_work_is_told_in_its_own_size(microseconds: int, words: str) -> None:
    assert took(microseconds) == words


def test_a_moment_stands_on_the_readers_clock_and_day() -> None:
    midnight = datetime(2026, 11, 3, 23, 30, tzinfo=UTC)
    assert TIMES.when(midnight) == "tomorrow, 00:30"
    assert Times(NOW, "America/New_York").when(midnight) == "today, 18:30"
    assert TIMES.iso(midnight) == "2026-11-04T00:30:00+01:00"


def test_a_moment_far_away_is_named_by_its_date_and_another_year_by_its_year() -> None:
    assert TIMES.when(datetime(2026, 11, 6, 8, 31, tzinfo=UTC)) == "Fri 6 Nov, 09:31"
    assert TIMES.when(datetime(2027, 1, 4, 8, 31, tzinfo=UTC)) == "Mon 4 Jan 2027, 09:31"


def test_what_is_over_needs_no_day_when_it_was_today() -> None:
    assert TIMES.past(ago(hours=3)) == "09:20"
    assert TIMES.past(ago(days=1)) == "yesterday, 12:20"


def test_days_of_a_conversation_are_headed_by_name() -> None:
    assert TIMES.day(ago(hours=1)) == "Today"
    assert TIMES.day(ago(days=1)) == "Yesterday"
    assert TIMES.day(ago(days=2)) == "Sunday 1 November"
    assert TIMES.day(ago(days=400)) == "Monday 29 September 2025"


def test_a_deadline_wants_attention_today_and_in_the_last_third_of_its_time() -> None:
    assert TIMES.is_soon(ago(hours=1), NOW + timedelta(hours=2))
    assert not TIMES.is_soon(ago(hours=24), NOW + timedelta(hours=49))
    assert TIMES.is_soon(ago(hours=96), NOW + timedelta(hours=48))


def test_a_zone_that_this_machine_does_not_know_is_utc() -> None:
    assert zone_of("Mars/Olympus").key == "UTC"
    assert zone_of("../etc/passwd").key == "UTC"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("2026-11-05T10:00", "2026-11-05T09:00:00+00:00"),
        ("2026-07-05T10:00:30", "2026-07-05T08:00:30+00:00"),
        # The clocks go from 02:00 to 03:00: moved forward. They show 02:30 twice: the first.
        ("2027-03-28T02:30", "2027-03-28T01:30:00+00:00"),
        ("2026-10-25T02:30", "2026-10-25T00:30:00+00:00"),
    ],
)
def test_a_time_of_a_form_is_of_the_readers_clock(typed: str, meant: str) -> None:
    assert TIMES.read(typed).isoformat() == meant


@pytest.mark.parametrize(
    "typed", ["", "soon", "2026-13-01T10:00", "2026-11-05T10:00+09:00", "0001-01-01T00:00"]
)
def test_what_is_no_time_of_a_clock_is_not_guessed(typed: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        TIMES.read(typed)


def test_a_field_shows_what_it_reads() -> None:
    assert TIMES.read(TIMES.field(NOW)) == NOW
