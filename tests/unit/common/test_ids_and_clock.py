"""Ids that always come out the same, and moments that always have their zone."""

from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handraise.common.clock import rfc3339, utc_now
from handraise.common.ids import derive, new_id, parse_id

moments = st.datetimes(
    datetime(2000, 1, 1),  # noqa: DTZ001 - the zone comes from the strategy
    datetime(2100, 1, 1),  # noqa: DTZ001
    timezones=st.integers(-720, 720).map(lambda minutes: timezone(timedelta(minutes=minutes))),
)


def test_new_ids_are_ordered_by_time_and_never_the_same() -> None:
    ids = [new_id() for _ in range(1_000)]
    assert ids == sorted(ids)
    assert len(set(ids)) == 1_000
    assert {id.version for id in ids} == {7}


@given(st.uuids(), st.lists(st.one_of(st.text(), st.integers()), max_size=4))
def test_what_is_derived_is_always_the_same_and_belongs_to_its_source(
    source: UUID, parts: list[str | int]
) -> None:
    assert derive(source, *parts) == derive(source, *parts)
    assert derive(source, *parts) != derive(new_id(), *parts)
    assert derive(source, *parts, "more") != derive(source, *parts)


@pytest.mark.parametrize(
    "text", ["", "main", "0192f0c1", "0192f0c1-0000-7000-8000-00000000000g", "x" * 5_000]
)
def test_what_is_no_id_reads_as_none(text: str) -> None:
    assert parse_id(text) is None


@given(moments)
def test_a_schedule_is_never_due_before_its_moment_nor_a_second_after(moment: datetime) -> None:
    written = rfc3339(moment)
    due = datetime.fromisoformat(written)
    assert written.endswith("Z")
    assert timedelta(0) <= due - moment < timedelta(seconds=1)


def test_a_moment_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="time zone"):
        rfc3339(datetime(2026, 3, 5))  # noqa: DTZ001 - that is what is refused


def test_the_clock_is_aware() -> None:
    assert utc_now().tzinfo is UTC
