"""A doc's Markdown: everything a doc needs, and nothing that runs or loads."""

import re
from html.parser import HTMLParser

import pytest

from handraise.gateway.pages.prose import prose


class Seen(HTMLParser):
    """The tags and attributes of a piece of HTML, as a browser reads them."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]


def test_headings_stand_below_the_pages_own_and_leave_no_level_out() -> None:
    html = str(prose("# Plan\n\n### Why\n\ntext\n\n## How\n\n# End"))
    assert re.findall(r"<(h\d)", html) == ["h2", "h3", "h3", "h2"]


def test_a_doc_that_begins_deep_still_begins_right_below_the_title() -> None:
    assert re.findall(r"<(h\d)", str(prose("#### Deep\n\n###### Deeper\n\n# Up"))) == ["h2", "h3", "h2"]


def test_tables_lists_code_and_names_are_kept() -> None:
    html = str(prose("| a | b |\n|---|---|\n| 1 | 2 |\n\n1. one\n\n```\nx < 1\n```\n\n~~old~~ @ray"))
    for piece in ("<table>", "<ol>", "x &lt; 1", "<s>old</s>", '<span class="at">@ray</span>'):
        assert piece in html


@pytest.mark.parametrize(
    "attack",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![x](https://elsewhere.example/pixel.png)",
        "[x](javascript:alert(1))",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        '<a href="https://a.example" style="position:fixed" onclick="x()">x</a>',
        '[x](https://a.example "t\\" onclick=alert(1)")',
        "<style>*{display:none}</style>",
        "<svg onload=alert(1)>",
        "<iframe src=//a.example></iframe>",
    ],
)
def test_nothing_in_a_doc_runs_or_loads(attack: str) -> None:
    seen = Seen()
    seen.feed(str(prose(f"# Title\n\n{attack}\n\n- {attack}")))
    assert not seen.tags & {"script", "img", "style", "svg", "iframe", "form", "input"}
    assert {name for name, _ in seen.attributes} <= {"dir", "href", "title", "rel"}
    assert not any(value.startswith(("javascript:", "data:")) for _, value in seen.attributes)


def test_a_link_lends_no_authority_and_opens_no_door_back() -> None:
    assert 'rel="noopener noreferrer nofollow"' in prose("[x](https://a.example)")
