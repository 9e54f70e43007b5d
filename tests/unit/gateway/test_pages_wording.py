"""What people and models write is shown, and can do nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handraise.gateway.pages.wording import counted, cut, listed, plain_title, rich, said


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[press](javascript:alert(1))",
        "![tracker](https://example.org/pixel.png)",
        "<a href='x' onclick='alert(1)'>x</a>",
        "[press](data:text/html;base64,PHNjcmlwdD4=)",
        '<https://example.org/" onmouseover=alert(1) x=">',
    ],
)
def test_nothing_that_somebody_writes_runs_or_loads_anything(text: str) -> None:
    html = rich(text)
    for danger in (
        "<script",
        "<img",
        'javascript:alert(1)"',
        ' onerror="',
        'data:text/html;base64,PHN"',
        "<a onclick",
    ):
        assert danger not in html
    assert 'href="javascript' not in html
    assert 'href="data' not in html


@given(st.text(max_size=300))
def test_only_a_handful_of_tags_ever_come_out(text: str) -> None:
    html = rich(text)
    for tag in ("<script", "<style", "<iframe", "<img", "<form", "<input", "<svg", "<h1", "<object", "<link"):
        assert tag not in html.lower()


def test_markdown_is_shown_as_what_it_means() -> None:
    html = rich("**2.4** is cut, see `release/2.4`\n\n- one\n- two")
    assert "<strong>2.4</strong>" in html
    assert "<code>release/2.4</code>" in html
    assert html.count("<li") == 2


def test_names_are_marked_and_addresses_of_mail_are_not() -> None:
    html = rich("@ray tell @ada-b. Not me@example.org, not `@code`.")
    assert '<span class="at">@ray</span>' in html
    assert '<span class="at">@ada-b</span>.' in html
    assert html.count('class="at"') == 2


def test_a_heading_adds_nothing_to_the_outline_of_the_page() -> None:
    html = rich("# Plan")
    assert html.startswith("<p ")
    assert 'class="lead"' in html


def test_every_paragraph_takes_its_own_direction() -> None:
    assert rich("שלום\n\nhello").count('dir="auto"') == 2


def test_a_link_leaves_nothing_of_us_behind() -> None:
    assert 'rel="noopener noreferrer nofollow"' in rich("[docs](https://example.org/)")


def test_a_message_is_titled_by_its_first_line_without_whom_it_addresses() -> None:
    assert plain_title("@ray open a task\nfor the deploy") == "Open a task"
    assert plain_title("  @ray,  \n\n second line") == "Second line"
    assert plain_title("@ray") == "@ray"


def test_a_quote_is_one_line() -> None:
    assert said("@ray write\n\nthe   note") == "write the note"


@given(st.text(max_size=400), st.integers(min_value=10, max_value=200))
def test_what_is_cut_is_never_longer_than_asked(text: str, limit: int) -> None:
    shortened = cut(text, limit)
    assert len(shortened) <= limit
    assert shortened == text or shortened.endswith("…")


def test_counting_and_listing_read_like_sentences() -> None:
    assert counted(1, "reply", "replies") == "1 reply"
    assert counted(2, "reply", "replies") == "2 replies"
    assert listed([]) == ""
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
