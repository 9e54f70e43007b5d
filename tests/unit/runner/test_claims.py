"""Only receipts are reported as done: claims without one are found and corrected, the rest is left alone."""

import json
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handraise.runner.claims import CORRECTED, DONE, Receipt, corrected, unbacked_claim

CORPORA = Path(__file__).parents[2] / "corpora" / "claims"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CORPORA / name).read_text().splitlines()]


def receipts(row: dict[str, Any]) -> list[Receipt]:
    return [Receipt(*pair) for pair in row.get("receipts", [])]


SEEN, HELD_OUT = rows("seen.jsonl"), rows("held_out.jsonl")
DONE_TASK = Receipt("update_task_status", "Marked “Fix login bug” as done")
KNOWN_FALSE_ALARM = (
    "Ben: I closed it. Dita: thanks."  # a chat copied without quotes reads as the agent's own words
)


@pytest.mark.parametrize("row", SEEN, ids=[row["text"][:60] for row in SEEN])
def test_a_sentence_is_a_claim_only_where_it_reports_what_no_receipt_shows(row: dict[str, Any]) -> None:
    reason = unbacked_claim(row["text"], receipts(row))
    expected = row["claims"] or row["text"] == KNOWN_FALSE_ALARM
    assert (reason is not None) == expected, reason


def test_sentences_that_no_rule_was_written_for_are_judged_well(capsys: pytest.CaptureFixture[str]) -> None:
    missed = [row["text"] for row in HELD_OUT if row["claims"] and not unbacked_claim(row["text"], [])]
    alarms = [row["text"] for row in HELD_OUT if not row["claims"] and unbacked_claim(row["text"], [])]
    claims = sum(row["claims"] for row in HELD_OUT)
    told = f"{len(missed)} of {claims} missed, {len(alarms)} of {len(HELD_OUT) - claims} false alarms"
    with capsys.disabled():
        sys.stdout.write(f"\nclaims, held out: {told}\n")
    assert len(HELD_OUT) >= 60
    assert len(missed) <= 2, missed
    assert len(alarms) <= 2, alarms


def test_the_corpus_is_large_and_half_of_it_innocent() -> None:
    assert len(SEEN) >= 120
    assert sum(not row["claims"] for row in SEEN) * 2 >= len(SEEN)


@pytest.mark.parametrize(
    "row", [row for row in SEEN + HELD_OUT if row["claims"]], ids=lambda row: row["text"][:60]
)
def test_what_people_read_instead_claims_nothing_more(row: dict[str, Any]) -> None:
    read = corrected(row["text"], receipts(row))
    assert read != row["text"]
    assert unbacked_claim(read, receipts(row)) is None
    assert corrected(read, receipts(row)) == read


def test_a_correction_keeps_what_claims_nothing_and_says_first_what_is_so() -> None:
    read = corrected("I read the thread. I created a task for it. Ben asked for Friday.", [])
    assert read == f"{CORRECTED}\n\nI read the thread. Ben asked for Friday."


def test_a_correction_says_what_the_receipts_show() -> None:
    read = corrected("I marked it as done and sent Ben a message. Anything else?", [DONE_TASK])
    assert read.startswith(f"{DONE}\n- Marked “Fix login bug” as done\n\n")
    assert "sent Ben" not in read
    assert read.endswith("Anything else?")


def test_a_message_that_its_receipts_back_is_left_as_it_is() -> None:
    text = "Done: marked “Fix login bug” as done."
    assert unbacked_claim(text, [DONE_TASK]) is None
    assert corrected(text, [DONE_TASK]) == text


def test_the_reason_names_the_sentence_and_the_receipts_there_are() -> None:
    reason = unbacked_claim("Hello. I deleted the task.", [DONE_TASK])
    assert reason is not None
    assert "“I deleted the task.”" in reason
    assert "Marked “Fix login bug” as done" in reason


def test_a_receipt_of_one_task_does_not_back_another() -> None:
    assert unbacked_claim("I marked “Write the changelog” as done.", [DONE_TASK]) is not None


@given(st.text(max_size=300), st.lists(st.sampled_from([DONE_TASK, Receipt("send_dm", "Sent")]), max_size=2))
def test_no_text_makes_it_raise_and_a_correction_is_final(text: str, real: list[Receipt]) -> None:
    read = corrected(text, real)
    assert unbacked_claim(read, real) is None


@pytest.mark.parametrize(
    "scrap", ["!", "a-", "the ", "I just ", "I and created that ", "“", "Q ", "it ", "```", "> \n"]
)
def test_a_long_message_is_judged_in_bounded_time(scrap: str) -> None:
    text = (scrap * 16_000)[:16_000]
    started = time.process_time()
    unbacked_claim(text, [])
    assert time.process_time() - started < 2
