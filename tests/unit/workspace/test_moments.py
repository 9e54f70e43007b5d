"""A person's clock is taken at its word: in their zone, across its changes."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handraise.workspace.actions.moments import check_to_come, moment_of
from handraise.workspace.actions.order import Cannot

ZONES = ("Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Africa/Casablanca")


@pytest.mark.parametrize(
    ("written", "zone", "utc"),
    [
        ("2026-11-05T10:00", "Europe/Berlin", "2026-11-05T09:00"),
        ("2026-11-05 10:00:30", "Europe/Berlin", "2026-11-05T09:00:30"),
        ("2026-11-05T10:00:00+05:30", "Europe/Berlin", "2026-11-05T04:30"),
        ("2026-11-05T10:00:00Z", "Europe/Berlin", "2026-11-05T10:00"),
        # The clock goes from 02:00 to 03:00: half past two is half past three.
        ("2026-03-29T02:30", "Europe/Berlin", "2026-03-29T01:30"),
        ("2026-03-08T02:00", "America/New_York", "2026-03-08T07:00"),
        # By half an hour only.
        ("2026-10-04T02:15", "Australia/Lord_Howe", "2026-10-03T15:45"),
        # The clock shows it twice: the first is meant.
        ("2026-10-25T02:30", "Europe/Berlin", "2026-10-25T00:30"),
        ("2026-11-01T01:30", "America/New_York", "2026-11-01T05:30"),
        ("2026-11-05T10:00", "Mars/Olympus", "2026-11-05T10:00"),
    ],
)
def test_a_time_is_that_of_the_zone_past_a_gap_and_the_first_of_two(
    written: str, zone: str, utc: str
) -> None:
    assert moment_of(written, zone) == datetime.fromisoformat(f"{utc}+00:00")


@given(
    st.datetimes(min_value=datetime(2000, 1, 1), max_value=datetime(2099, 1, 1)),  # noqa: DTZ001
    st.sampled_from(ZONES),
)
def test_a_moment_reads_on_that_clock_as_it_was_written_or_later_by_a_gap(local: datetime, zone: str) -> None:
    moment = moment_of(local.isoformat(), zone)
    shown = moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    assert timedelta(0) <= shown - local <= timedelta(hours=2)
    earlier = (moment - timedelta(hours=1)).astimezone(ZoneInfo(zone)).replace(tzinfo=None)
    assert earlier != local, "of two, it is the first"


@pytest.mark.parametrize("written", ["", "soon", "2026-11-05", "10:00", "2026-13-05T10:00", "20261105"])
def test_what_is_no_date_with_a_time_is_refused(written: str) -> None:
    with pytest.raises(Cannot, match="no date with a time"):
        moment_of(written, "Europe/Berlin")


def test_only_what_is_to_come_and_not_too_far_can_be_reminded_of() -> None:
    now = datetime(2026, 11, 5, 9, 0, tzinfo=UTC)
    for at, expected in (
        (now, "past"),
        (now - timedelta(days=1), "past"),
        (now + timedelta(days=3000), "years"),
    ):
        with pytest.raises(Cannot, match=expected):
            check_to_come(at, "Thu 5 Nov, 10:00", now)
    check_to_come(now + timedelta(seconds=1), "Thu 5 Nov, 10:00", now)
