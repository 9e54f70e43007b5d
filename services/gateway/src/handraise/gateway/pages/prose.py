"""A doc's Markdown as a page of its own: with headings and tables, without raw HTML, images and unsafe links."""

from collections.abc import Sequence

import nh3
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markupsafe import Markup

from handraise.gateway.pages.wording import ATTRIBUTES, TAGS, URL_SCHEMES, mark_names

_BOXES = {"[ ] ": "☐", "[x] ": "☑"}
_HEADINGS = ("h2", "h3", "h4", "h5", "h6")


def _mark_up(state: StateCore) -> None:
    for token, heading in _below_the_title(state.tokens):
        token.tag = heading
    _tick(state.tokens)
    mark_names(state.tokens)


def _below(text: str, title: str) -> str:
    first, _, rest = text.lstrip().partition("\n")
    return rest if title and first.strip() == f"# {title}" else text


def _tick(tokens: Sequence[Token]) -> None:
    """Show the boxes of a checklist."""
    for item, paragraph, inline in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if item.type == "list_item_open" and paragraph.type == "paragraph_open" and inline.children:
            first = inline.children[0]
            box = _BOXES.get(first.content[:4].lower()) if first.type == "text" else None
            if box:
                first.content = f"{box} {first.content[4:]}"


def _below_the_title(tokens: Sequence[Token]) -> list[tuple[Token, str]]:
    """Give each heading its level below the page's own, with no level left out on the way down."""
    found: list[tuple[Token, str]] = []
    open_levels: list[int] = []
    for token in tokens:
        if token.type == "heading_open":
            level = int(token.tag[1])
            while open_levels and open_levels[-1] >= level:
                open_levels.pop()
            open_levels.append(level)
        if token.type in ("heading_open", "heading_close"):
            found.append((token, _HEADINGS[min(len(open_levels), len(_HEADINGS)) - 1]))
    return found


_markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
_markdown.core.ruler.push("handraise", _mark_up)


def prose(text: str, title: str = "") -> Markup:
    """Render a doc. A heading that only says its title again is left out. Not kept: docs are long, and change."""
    html = nh3.clean(
        _markdown.render(_below(text, title)),
        tags=TAGS | set(_HEADINGS),
        attributes={**ATTRIBUTES, **{tag: {"dir"} for tag in _HEADINGS}},
        allowed_classes={"span": {"at"}},
        link_rel="noopener noreferrer nofollow",
        url_schemes=URL_SCHEMES,
    )
    return Markup(html)  # noqa: S704 - sanitised one line above
