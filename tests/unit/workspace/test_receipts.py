"""A receipt is kept as text that a person can read, and comes back as it was."""

from hypothesis import given
from hypothesis import strategies as st

from handraise.workspace.actions import Receipt
from handraise.workspace.actions.wording import one_line

line = st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=60)
label = st.from_regex(r"[A-Z][a-z]{1,8}( [a-z]{1,8})?", fullmatch=True)
name = st.from_regex(r"[a-z]{1,12}", fullmatch=True)
path = st.from_regex(r"/[a-z]{1,8}/[0-9a-f-]{36}(#m-[0-9a-f-]{36})?", fullmatch=True)


@given(
    st.builds(Receipt, line, path, st.dictionaries(label, line), st.dictionaries(name, st.uuids().map(str)))
)
def test_a_receipt_that_is_written_is_read_back_whole(receipt: Receipt) -> None:
    assert Receipt.read(receipt.written()) == receipt


def test_a_receipt_reads_like_a_note() -> None:
    receipt = Receipt("Marked “Fix” done", "/tasks/1", {"In": "Atlas: the app"}, {"task": "1"})
    assert receipt.written() == "Marked “Fix” done\nlink: /tasks/1\nid task: 1\nIn: Atlas: the app"


@given(st.text(), st.integers(2, 50))
def test_one_line_is_one_line_and_no_longer_than_asked(text: str, longest: int) -> None:
    line = one_line(text, longest)
    assert "\n" not in line
    assert len(line) <= longest
