"""A question survives every trip, and what could not survive one can't be constructed."""

import math
from typing import Any

import msgspec
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from handraise.common.questions import Question, QuestionError, parse, render, same_question

PIECES = [
    *("\n", "\n\n", "\n\n\n", " ", "\\", "1\\. ", "1\\\\. ", "1. ", "2. ", "3. ", "1.", "2) ", "#2", "10. "),
    *(
        "staging",
        "a",
        "b",
        "2",
        "１. ",
        "1․ ",
        "١. ",
        "-",
        "> ",
        "* ",
        "option 2",
        "?",
        "…",
        "ß",
        "é",
        "e\u0301",
    ),
    *(
        "\u200b",
        "\u200e",
        "\u200f",
        "\u2067",
        "\u2069",
        "\u202e",
        "\u00ad",
        "\ufe0f",
        "שלום",
        "مرحبا",
        "👩\u200d💻",
    ),
    *("\r", "\r\n", "\x00", "\t", "\x85", "\u2028", "\u2029", "\ud800", "\ufeff", "\u3000", "\u00a0"),
]
anything = st.one_of(
    st.text(st.characters(), max_size=30),
    st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=30),
    st.lists(st.sampled_from(PIECES), max_size=12).map("".join),
)


def construct(text: str, options: tuple[str, ...]) -> Question:
    """Construct a question from wild parts; a refused text is mended, so that most examples count."""
    try:
        Question(text)
    except QuestionError:
        text = "".join(char for char in text if char.isprintable() or char == "\n").strip() or "?"
    try:
        return Question(text, options)
    except QuestionError:
        assume(False)
        raise


questions = st.builds(construct, anything, st.lists(anything, max_size=5, unique=True).map(tuple))
list_texts = st.builds(
    lambda head, first, lines: (
        head + first + "\n".join(f"{place}. {line}" for place, line in enumerate(lines, 2))
    ),
    st.sampled_from(["Pick\n\n", "Pick\n", "", "1. a\n2. b\n\n", "\n\n"]),
    st.sampled_from(["1. a\n", "1\\. a\n", "1\\\\. a\n", "1.a\n", "2. a\n", "1. \n", "1\\.\n"]),
    st.lists(st.sampled_from(["b", "c", "", " d", "a", "\\"]), max_size=22),
)


@given(questions)
@settings(max_examples=800)
@example(Question("Pick\n\n1. a\n2. b"))
@example(Question("Pick\n\n1\\. a\n2. b"))
@example(Question("Pick\n\n1. a\n2. b", ("x", "y")))
@example(Question("1. a\n2. b"))
def test_every_question_is_read_back_as_it_was_written(question: Question) -> None:
    assert parse(render(question)) == question


@given(st.one_of(list_texts, anything))
@settings(max_examples=800)
@example("Pick\n\n1. a\n2. b")
@example("Pick\n\n1\\. a\n2. b")
@example("Pick\n\n1. a\n2. a")
@example("Pick\n\n01. a\n2. b")
def test_every_text_that_is_read_is_the_only_spelling_of_its_question(text: str) -> None:
    try:
        question = parse(text)
    except QuestionError:
        return
    assert render(question) == text


@given(questions, questions)
def test_two_questions_never_share_a_stored_text(one: Question, other: Question) -> None:
    assert (render(one) == render(other)) == (one == other)


@given(st.text(max_size=40), st.lists(st.text(max_size=20), max_size=4).map(tuple))
@settings(max_examples=500)
def test_construction_ends_in_a_question_or_a_reason(text: str, options: tuple[str, ...]) -> None:
    try:
        question = Question(text, options)
    except QuestionError as error:
        reason = str(error)
        assert reason
        return
    assert (question.text, question.options) == (text, options)


def test_a_person_reads_the_text_an_empty_line_and_a_numbered_list() -> None:
    question = Question("Which environment?", ("staging", "production"))
    assert render(question) == "Which environment?\n\n1. staging\n2. production"


def test_a_free_question_is_its_own_text() -> None:
    assert render(Question("What should the page say?\nTwo lines are fine.")) == (
        "What should the page say?\nTwo lines are fine."
    )


def test_a_free_question_that_ends_in_a_list_is_escaped_once_and_stays_free() -> None:
    question = Question("Is this order right?\n\n1. build\n2. ship")
    assert render(question) == "Is this order right?\n\n1\\. build\n2. ship"
    assert parse(render(question)).options == ()


def test_twenty_options_and_the_longest_texts_are_taken() -> None:
    question = Question("t" * 2000, tuple(f"{'o' * 118}{place:02}" for place in range(20)))
    assert parse(render(question)) == question


@pytest.mark.parametrize(
    ("text", "options", "told"),
    [
        ("", (), "empty"),
        ("\u200b\u2060", (), "empty"),
        ("\u2800", (), "empty"),
        (" Where?", (), "white space"),
        ("Where?\n", (), "white space"),
        ("Where?\u00a0", (), "white space"),
        ("t" * 2001, (), "at most 2000"),
        ("Where\x00?", (), "U+0000"),
        ("Where\t?", (), "U+0009"),
        ("Where\r\n?", (), "line break"),
        ("Where\u2028?", (), "line separator"),
        ("Where\u2029?", (), "paragraph separator"),
        ("Where\x85?", (), "U+0085"),
        ("Where\ud83d?", (), "surrogate"),
        ("\ufeffWhere?", (), "byte-order mark"),
        ("Where\u202e?", (), "direction override"),
        ("Where?", ("here",), "2 to 20"),
        ("Where?", tuple(f"o{place}" for place in range(21)), "2 to 20"),
        ("Where?", ("here", ""), "option 2 is empty"),
        ("Where?", ("here", "\u200d"), "option 2 is empty"),
        ("Where?", ("here", "there "), "option 2 begins or ends"),
        ("Where?", ("here", "th\nere"), "one line"),
        ("Where?", ("here", "t" * 121), "at most 120"),
        ("Where?", ("here", "the\x07re"), "U+0007"),
    ],
)
def test_what_could_not_survive_the_trip_is_refused_with_its_reason(
    text: str, options: tuple[str, ...], told: str
) -> None:
    with pytest.raises(QuestionError, match=told.replace("+", r"\+")):
        Question(text, options)


@pytest.mark.parametrize(
    "options",
    [
        ("staging", "staging"),
        ("Staging", "staging"),
        ("staging", "staging."),
        ("Ship it", "Ship it?"),
        ("ship  it", "ship it"),
        ("staging", "**staging**"),
        ("staging", '"staging"'),
        ("don't", "don’t"),
        ("file", "ﬁle"),
        ("STRASSE", "straße"),
        ("é", "e\u0301"),
        ("staging", "stag\u200bing"),
        ("A - B", "A – B"),
        ("x2", "x２"),
        ("?", "?!"),
        ("2", "staging"),
        ("staging", "#1"),
        ("staging", "Option 1"),
        ("staging", "(1)"),
        ("2. production", "production"),
        ("week", "1 week"),
    ],
)
def test_options_that_a_reply_could_not_tell_apart_are_refused(options: tuple[str, ...]) -> None:
    with pytest.raises(QuestionError, match="read"):
        Question("Which?", options)


@pytest.mark.parametrize(
    "options",
    [
        ("1", "2", "3"),
        ("3", "2", "1"),
        ("8080", "another port"),
        ("Option 1", "Option 2"),
        ("1", "more than one"),
        ("+", "-"),
        ("*", "/"),
        ("!", "?"),
        ("👍", "👎"),
        ("No", "Skip", "Cancel", "Stop"),
        ("> 100 ms", "< 100 ms"),
    ],
)
def test_options_that_differ_are_taken_as_they_are(options: tuple[str, ...]) -> None:
    assert parse(render(Question("Which?", options))).options == options


def test_numbers_and_booleans_become_the_text_that_is_shown() -> None:
    assert Question.of("Which?", [1, 2.5, True, False, "x"]).options == ("1", "2.5", "true", "false", "x")
    assert Question.of("Which?").options == ()
    assert Question.of("Which?", []).options == ()


@pytest.mark.parametrize("option", [None, {"a": 1}, ["a"], math.nan, math.inf, 10**400, b"x"])
def test_what_is_no_short_text_is_no_option(option: object) -> None:
    with pytest.raises(QuestionError, match="option 2"):
        Question.of("Which?", ["a", option])


@pytest.mark.parametrize("options", ["ab", {"a": 1}, {"a", "b"}, 3])
def test_options_come_as_a_list(options: Any) -> None:
    with pytest.raises(QuestionError, match="list"):
        Question.of("Which?", options)


def test_a_question_from_the_wire_is_checked_like_any_other() -> None:
    question = Question("Where?", ("a", "b"))
    assert msgspec.json.decode(msgspec.json.encode(question), type=Question) == question
    with pytest.raises(msgspec.ValidationError, match="read the same"):
        msgspec.json.decode(b'{"text":"Where?","options":["a","A"]}', type=Question)


@pytest.mark.parametrize(
    ("again", "same"),
    [
        ("which   ENVIRONMENT", True),
        ("**Which environment?**", True),
        ("Which\u200b environment?!", True),
        ("Which environments?", False),
        ("Which environment, and when?", False),
    ],
)
def test_a_re_ask_is_seen_through_another_spelling(again: str, same: bool) -> None:
    assert same_question(Question("Which environment?", ("a", "b")), Question(again)) is same
    assert same_question("Which environment?", again) is same
