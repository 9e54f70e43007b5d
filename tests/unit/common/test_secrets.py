"""A request for a secret never reaches a person; naming one is not asking for it."""

import json
import random
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handraise.common.questions import Question, QuestionError
from handraise.common.secrets import asks_for_lookup_id, asks_for_secret, text_asks_for_secret

CORPORA = Path(__file__).parents[2] / "corpora" / "secrets"
FILES = ("seen", "held_out", "later")


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CORPORA / f"{name}.jsonl").read_text("utf-8").splitlines()]


def wrong(name: str, *, asks: bool) -> tuple[list[str], int]:
    """Return the questions of one half that are judged wrongly, and how many the half has."""
    half = [row for row in rows(name) if row["asks"] is asks]
    missed = [
        row["text"]
        for row in half
        if (asks_for_secret(Question.of(row["text"], row["options"])) is None) is asks
    ]
    return missed, len(half)


# The ceilings of the blind files are twice what was measured and a little, so that a rule may trade one
# question for another; what is learned from has to hold.
@pytest.mark.parametrize(
    ("name", "missed_at_most", "alarms_at_most"),
    [("seen", 0.01, 0.005), ("held_out", 0.05, 0.03), ("later", 0.20, 0.05)],
)
def test_secrets_are_caught_and_near_misses_let_through(
    name: str, missed_at_most: float, alarms_at_most: float, capsys: pytest.CaptureFixture[str]
) -> None:
    missed, asking = wrong(name, asks=True)
    alarms, allowed = wrong(name, asks=False)
    with capsys.disabled():
        sys.stdout.write(
            f"\nsecrets, {name}: missed {len(missed)} of {asking} ({len(missed) / asking:.1%}), "
            f"false alarms {len(alarms)} of {allowed} ({len(alarms) / allowed:.1%})\n"
        )
    assert len(missed) / asking <= missed_at_most, missed
    assert len(alarms) / allowed <= alarms_at_most, alarms


@pytest.mark.parametrize("lang", ["en", "de", "fr", "es", "pt", "it", "nl", "pl", "hi", "zh", "ja"])
def test_every_language_refuses_and_allows(lang: str) -> None:
    verdicts = {
        row["asks"]
        for name in FILES
        for row in rows(name)
        if row["lang"] == lang
        and (asks_for_secret(Question.of(row["text"], row["options"])) is not None) is row["asks"]
    }
    assert verdicts == {True, False}


def test_no_question_is_in_two_files_and_each_half_is_large_enough() -> None:
    texts = [row["text"] for name in FILES for row in rows(name)]
    assert len(texts) == len(set(texts))
    asking = sum(row["asks"] for name in FILES for row in rows(name))
    assert min(asking, len(texts) - asking) >= 200
    assert len(rows("held_out")) >= 100


DISGUISES = {
    "zero width": "\u200b".join,
    "soft hyphens": "\u00ad".join,
    "spaced": " ".join,
    "dotted": ".".join,
    "dashed": "-".join,
    "full width": lambda word: "".join(chr(ord(char) + 0xFEE0) for char in word),
    "mathematical": lambda word: "".join(chr(ord(char) - ord("a") + 0x1D41A) for char in word),
    "capitals": str.upper,
    "accents": "\u0301".join,
    "bold": lambda word: f"**{word[:3]}**{word[3:]}",
    "code": lambda word: f"`{word}`",
    "tags": lambda word: f"<b>{word[:3]}</b>{word[3:]}",
    "entities": "&shy;".join,
    "digits": lambda word: word.translate(str.maketrans("aeo", "430")),
    "look-alikes": lambda word: word.translate(str.maketrans("aeopc", "аеорс")),
    "quoted": lambda word: f"'{word}'",
}


@pytest.mark.parametrize("disguise", DISGUISES)
@pytest.mark.parametrize("word", ["password", "passphrase", "credentials", "passcode"])
def test_a_disguise_does_not_get_a_secret_past(word: str, disguise: str) -> None:
    told = DISGUISES[disguise](word)
    assert asks_for_secret(Question(f"What is the {told} for the server?")) is not None
    assert text_asks_for_secret(f"Please send me your {told}.") is not None


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("How do I get into the portal?", ("I'll send you the password", "Ask Ann")),
        ("How do I get the API key?", ("Paste it here", "Ask Ann")),
        ("Shall we go on?", ("Here is my token", "No")),
    ],
)
def test_an_option_may_not_offer_to_hand_a_secret_over(text: str, options: tuple[str, ...]) -> None:
    assert asks_for_secret(Question(text)) is None
    assert asks_for_secret(Question(text, options)) is not None


@pytest.mark.parametrize(
    "text",
    [
        "What is the password?",
        "Is the PIN still 4711?",
        "What are the last four digits of the card?",
        "About the database password. Could you send it to me?",
    ],
)
def test_the_reason_names_what_was_asked_for_and_what_to_do_instead(text: str) -> None:
    reason = asks_for_secret(Question(text))
    assert reason is not None
    assert any(word in reason for word in ("(password)", "(pin)", "card)", "password)"))
    assert "Ask where it is kept" in reason


def test_a_message_that_reports_on_a_secret_is_no_request() -> None:
    for text in (
        "I rotated the API key and stored it in the vault. The old token is revoked.",
        "Ich habe den API-Schlüssel rotiert.",
        "Never send anybody your password. I will not ask for it.",
    ):
        assert text_asks_for_secret(text) is None


@given(st.text(max_size=300))
def test_no_text_breaks_the_judge(text: str) -> None:
    verdict = text_asks_for_secret(text)
    assert verdict is None or "secret" in verdict
    assert text_asks_for_secret(f"{text}\nWhat is the password?") is not None


@pytest.mark.parametrize(
    "unit",
    ["a", "_", "-", "1", "x ", "x.", "a-", "é", "密", "send the ", "password ", "<a", "what is ", "@", "& "],
)
def test_a_long_text_takes_linear_time(unit: str) -> None:
    def seconds(size: int) -> float:
        text = unit * (size // len(unit)) + " the password"
        best = 9.0
        for _ in range(3):
            start = time.perf_counter()
            text_asks_for_secret(text)
            best = min(best, time.perf_counter() - start)
        return best

    assert seconds(8_000) < max(0.02, 16 * seconds(2_000))


def test_a_typical_question_is_judged_in_far_less_than_a_model_call() -> None:
    questions = [Question.of(row["text"], row["options"]) for row in rows("held_out")]
    random.Random(7).shuffle(questions)
    best = 9.0
    for _ in range(5):
        start = time.perf_counter()
        for question in questions:
            asks_for_secret(question)
        best = min(best, (time.perf_counter() - start) / len(questions))
    # A quiet machine takes 0.1 ms; a busy one must not fail the build.
    assert best < 0.002


@pytest.mark.parametrize(
    "text",
    [
        "What is the task id?",
        "Give me the channel id.",
        "Please tell me the project's ID so that I can create the task.",
        "I need the id of the team.",
        "Which user_id should I assign it to?",
        "Can you provide the message ID?",
        "thread id?",
        "Wie lautet die Aufgaben-ID?",
        "Quel est l'identifiant du canal ?",
        "¿Cuál es el id del proyecto?",
        "频道 ID 是什么？",
        "タスクのIDを教えてください。",
    ],
)
def test_a_question_for_an_id_is_sent_back_with_the_advice_to_look_it_up(text: str) -> None:
    reason = asks_for_lookup_id(Question(text))
    assert reason is not None
    assert "look it up" in reason


@pytest.mark.parametrize(
    "text",
    [
        "Which task do you mean?",
        "What is the order id on the invoice?",
        "What is the tax ID of the customer?",
        "Should the export contain the task id?",
        "Where should the task id stand in the table?",
        "What should the channel id look like in the docs?",
        "Which project should I file it under?",
        "Who can see the user ids?",
        "I found the task by its id. Shall I close it?",
        "What's the idea of the project?",
    ],
)
def test_a_question_about_ids_or_for_foreign_ids_passes(text: str) -> None:
    assert asks_for_lookup_id(Question(text)) is None


def test_an_invalid_question_never_gets_as_far_as_the_judge() -> None:
    with pytest.raises(QuestionError):
        asks_for_secret(Question("What is the pass\x00word?"))
