"""The practice model asks whom it is told to ask."""

import pytest

from handraise.runner.chat.practice.smalltalk import ASKING


@pytest.mark.parametrize(
    ("wish", "whom", "question"),
    [
        ("ask me: Which colour? red, green or blue", "me", "Which colour?"),
        ("ask Ben: Which colour? red or blue", "Ben", "Which colour?"),
        ("ask @chen: When? Monday, Tuesday", "@chen", "When?"),
    ],
)
def test_a_wish_to_ask_names_whom_and_what(wish: str, whom: str, question: str) -> None:
    pattern, _ = ASKING[0]
    found = pattern.search(wish)
    assert found is not None
    assert (found["whom"], found["question"]) == (whom, question)


def test_asking_for_something_is_no_question_to_somebody() -> None:
    pattern, _ = ASKING[0]
    assert pattern.search("ask for help?") is None
