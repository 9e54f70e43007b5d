"""The one stored form of a question: the text that a person reads, and its exact inverse."""

import re
from collections.abc import Sequence

from handraise.common.questions._question import Question, QuestionError

# Options stand last, after an empty line: "1. staging", "2. production". A question without options may
# itself end in such a list. Its first line is then written "1\. …", as in Markdown, one backslash more
# than the text has, so that either reading has exactly one spelling.
_FIRST = re.compile(r"1(\\*)\. ")


def render(question: Question) -> str:
    """Return the text a person reads: the question, and its options as a numbered list."""
    if question.options:
        lines = "\n".join(f"{place}. {option}" for place, option in enumerate(question.options, 1))
        return f"{question.text}\n\n{lines}"
    head, gap, tail = question.text.rpartition("\n\n")
    return f"{head}{gap}1\\{tail[1:]}" if _list_of(head, tail) is not None else question.text


def parse(text: str) -> Question:
    """Read back what `render` wrote; raises `QuestionError` for anything else."""
    if not isinstance(text, str):
        raise QuestionError("a question is read from text")
    head, gap, tail = text.rpartition("\n\n")
    found = _list_of(head, tail)
    if found is None:
        return Question(text)
    escapes, options = found
    return Question(f"{head}{gap}1{tail[2:]}") if escapes else Question(head, tuple(options))


def _list_of(head: str, tail: str) -> tuple[int, Sequence[str]] | None:
    """Return how often the list in `tail` is escaped, and its options; None when it is no list."""
    lines = tail.split("\n")
    first = _FIRST.match(lines[0])
    if not head or first is None or len(lines) < 2:
        return None
    if not all(line.startswith(f"{place}. ") for place, line in enumerate(lines[1:], 2)):
        return None
    rest = (line[len(f"{place}. ") :] for place, line in enumerate(lines[1:], 2))
    return len(first[1]), (lines[0][first.end() :], *rest)
