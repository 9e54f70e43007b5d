"""Text that people and models wrote, made safe to show: Markdown, titles, excerpts, counts."""

import re
from collections.abc import Sequence
from functools import lru_cache

import nh3
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markupsafe import Markup

from handraise.workspace.views.tasks import TaskLine
from handraise.workspace.words import TaskStatus

_MENTION = re.compile(r"(?<![\w@./-])@[A-Za-z0-9][\w.-]*[\w]|(?<![\w@./-])@[A-Za-z0-9]")
_ADDRESSED = re.compile(r"^\s*@[\w.-]+[\s,:]*")
_BLOCKS = ("paragraph_open", "list_item_open", "blockquote_open", "th_open", "td_open")

TAGS = {
    *("p", "br", "em", "strong", "s", "code", "pre", "blockquote", "ul", "ol", "li", "hr", "a", "span"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
URL_SCHEMES = {"http", "https", "mailto"}
ATTRIBUTES = {
    "a": {"href", "title"},
    "ol": {"start"},
    **{tag: {"dir"} for tag in ("p", "li", "blockquote", "th", "td")},
}


def _mark_up(state: StateCore) -> None:
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            # A page has its own headings: somebody's words never add to its outline.
            token.tag = "p"
            if token.type == "heading_open":
                token.attrSet("class", "lead")
    mark_names(state.tokens)


def mark_names(tokens: Sequence[Token]) -> None:
    """Let every block find its own direction, and mark the `@names` in it."""
    for token in tokens:
        if token.type in (*_BLOCKS, "heading_open"):
            token.attrSet("dir", "auto")
        if token.type == "inline" and token.children:
            token.children = [piece for child in token.children for piece in _mentions(child)]


def _mentions(token: Token) -> list[Token]:
    if token.type != "text" or "@" not in token.content:
        return [token]
    pieces: list[Token] = []
    end = 0
    for found in _MENTION.finditer(token.content):
        pieces += [_text(token.content[end : found.start()])]
        pieces += [Token("at_open", "span", 1, attrs={"class": "at"}), _text(found[0]), _at_close()]
        end = found.end()
    return [piece for piece in (*pieces, _text(token.content[end:])) if piece.type != "text" or piece.content]


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _at_close() -> Token:
    return Token("at_close", "span", -1)


_markdown = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(["table", "strikethrough"])
_markdown.core.ruler.push("handraise", _mark_up)


@lru_cache(maxsize=2048)
def rich(text: str) -> Markup:
    """Render Markdown. Raw HTML stays text, images and unsafe links are left out, `@names` are marked."""
    html = nh3.clean(
        _markdown.render(text),
        tags=TAGS,
        attributes=ATTRIBUTES,
        allowed_classes={"span": {"at"}, "p": {"lead"}},
        link_rel="noopener noreferrer nofollow",
        url_schemes=URL_SCHEMES,
    )
    return Markup(html)  # noqa: S704 - sanitised one line above


def plain_title(text: str, limit: int = 70) -> str:
    """Return what a message is about: its first line without the name it is addressed to."""
    line = next((line for line in _ADDRESSED.sub("", text).splitlines() if line.strip()), text.strip())
    line = cut(line.strip(), limit)
    return line[:1].upper() + line[1:]


def said(text: str, limit: int = 140) -> str:
    """Return a message as it is quoted in one line, without the name it is addressed to."""
    return cut(" ".join(_ADDRESSED.sub("", text).split()), limit)


def cut(text: str, limit: int) -> str:
    """Shorten to at most `limit` characters, at a word where one ends near."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    word = head.rfind(" ")
    return (head[:word] if word > limit * 2 // 3 else head).rstrip(" ,.;:") + "…"


def counted(number: int, one: str, many: str | None = None) -> str:
    """Say how many: “1 question”, “2 questions”."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def listed(words: Sequence[str]) -> str:
    """Join words as a person would: “a, b and c”."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} and {words[-1]}"


def open_and_done(tasks: Sequence[TaskLine]) -> str:
    """Say how many tasks are open and how many done."""
    done = sum(line.status is TaskStatus.DONE for line in tasks)
    pieces = [f"{len(tasks) - done} open"] + ([f"{done} done"] if done else [])
    return listed(pieces) if tasks else "none yet"
