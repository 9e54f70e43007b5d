"""The words a job ends with: for whoever must act on them, and nothing that did not happen."""

from typing import Any

import pytest

from handraise.common.clock import utc_now
from handraise.common.ids import new_id
from handraise.runner import endings
from handraise.runner.transcript import Asked, CallRecord, Kept, Past


def call(status: str, tool: str = "look", **more: Any) -> CallRecord:
    return CallRecord(tool=tool, args={}, status=status, **more)


def kept(number: int, *calls: CallRecord) -> Kept:
    return Kept(number=number, reply="r", calls=list(calls))


def receipt(title: str) -> Asked:
    return Asked(
        id=new_id(),
        round=1,
        call=0,
        kind="approval",
        text="Mark it",
        status="accepted",
        expires_at=utc_now(),
        member_id=new_id(),
        tool="mark",
        action_status="done",
        receipt={"title": title},
    )


def test_stopped_before_anything_says_so() -> None:
    assert endings.stopped(Past()) == "Stopped. Before that: nothing read, nothing changed."


def test_stopped_says_what_had_been_read_and_done() -> None:
    past = Past((kept(1, call("ran"), call("cached")), kept(2, call("ran"))), (receipt("Marked it done"),))
    assert endings.stopped(past) == "Stopped in round 2. Before that: 2 things read, done: Marked it done."
    one = Past((kept(1, call("ran")),))
    assert endings.stopped(one) == "Stopped in round 1. Before that: 1 thing read, nothing changed."


def test_refusals_since_the_last_park_are_told_and_earlier_ones_were() -> None:
    refused = call("refused", "mark", title="Mark it done", note="Only an admin may.")
    later = call("refused", "mark", title="Assign it", note="Only an admin may.")
    rounds = (
        kept(1, refused),
        kept(2, refused, call("proposed", "mark")),
        kept(3, call("ran")),
        kept(4, later),
    )
    assert endings.notices(rounds) == ["Not done: Assign it. Only an admin may."]
    assert endings.notices(rounds[:2]) == ["Not done: Mark it done. Only an admin may."] * 2
    assert endings.notices(rounds[:1]) == ["Not done: Mark it done. Only an admin may."]
    assert endings.notices(()) == []


def test_a_question_that_may_not_be_asked_is_no_notice() -> None:
    assert endings.notices((kept(1, call("refused", "needs_human", title="x", note="no")),)) == []
    assert endings.notices((kept(1, call("invalid", "mark", title="x", note="no")),)) == []


@pytest.mark.parametrize("length", [0, 1, endings.LONGEST, endings.LONGEST + 1, endings.LONGEST * 30])
def test_far_too_many_words_are_cut_and_all_others_are_not(length: int) -> None:
    text = "x" * length
    shown = endings.shown(text)
    assert len(shown) <= endings.LONGEST + len(endings.CUT)
    assert (shown == text) is (length <= endings.LONGEST)
    assert shown.endswith(endings.CUT) is (length > endings.LONGEST)


def test_an_event_with_the_longest_words_fits_into_a_message_of_the_bus() -> None:
    assert len(endings.shown("🎨" * 10**6).encode()) < 500_000


def test_reasons_say_what_to_do_next() -> None:
    for text in (
        endings.too_many_rounds(8),
        endings.EMPTY,
        endings.BROKEN,
        endings.no_model("Check that it runs."),
        endings.refused_questions("No secrets."),
    ):
        assert "stopped" in text
        assert text.endswith(".")
    assert "8 rounds" in endings.too_many_rounds(8)
    assert "Check that it runs." in endings.no_model("Check that it runs.")
