"""Reads the pages of the documentation as data, so that tests can hold them against the sources."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[3]
_FENCED = re.compile(r"(?ms)^```(\w*)\n(.*?)^```$")
_SPAN = re.compile(r"`([^`\n]+)`")
_HEADING = re.compile(r"(?m)^#{1,6} (.+)$")
_SOURCES = ("libs", "services", "deploy")


def pages() -> list[Path]:
    """Return every page that people read."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def named(page: Path) -> str:
    """Return a page's path as people say it."""
    return str(page.relative_to(ROOT))


def blocks(page: Path, language: str = "") -> list[str]:
    """Return a page's fenced blocks, those of one language or all."""
    return [text for tag, text in _FENCED.findall(page.read_text()) if language in ("", tag)]


def prose(page: Path) -> str:
    """Return a page without its fenced blocks."""
    return _FENCED.sub("", page.read_text())


def spans(page: Path) -> list[str]:
    """Return what stands in backticks in a page's prose."""
    return _SPAN.findall(prose(page))


def anchors(page: Path) -> set[str]:
    """Return what a link into a page can name: its headings, as code hosts spell them."""
    headings = _HEADING.findall(prose(page))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def table(page: Path, *columns: str) -> list[list[str]]:
    """Return the rows of the page's tables that have these columns. Raises LookupError when there is none."""
    rows: list[list[str]] = []
    found = inside = False
    for line in prose(page).splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")] if line.startswith("|") else []
        if tuple(cells) == columns:
            found = inside = True
        elif not cells:
            inside = False
        elif inside and set("".join(cells)) - set("-"):
            rows.append(cells)
    if not found:
        raise LookupError(f"{named(page)} has no table with the columns {columns}")
    return rows


def bare(cell: str) -> str:
    """Return what a cell says, without its backticks."""
    return cell.replace("`", "")


@cache
def sources() -> dict[Path, ast.Module]:
    """Return every module of ours, parsed."""
    files = [file for part in _SOURCES for file in sorted((ROOT / part).rglob("*.py"))]
    return {file: ast.parse(file.read_text()) for file in files if "node_modules" not in file.parts}


def calls(*names: str, origin: str) -> Iterator[tuple[Path, ast.Call]]:
    """Yield every call of these functions or classes, in files that import them from `origin` or are it."""
    for file, module in sources().items():
        if not (
            _imports(module, names, origin) or file.as_posix().endswith(f"{origin.replace('.', '/')}.py")
        ):
            continue
        for node in ast.walk(module):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
                yield file, node


def _imports(module: ast.Module, names: tuple[str, ...], origin: str) -> bool:
    return any(
        isinstance(node, ast.ImportFrom)
        and node.module == origin
        and any(alias.name in names for alias in node.names)
        for node in ast.walk(module)
    )


@cache
def said() -> tuple[str, ...]:
    """Return every text in our sources, in one piece each; a gap stands where a value is put in."""
    texts = []
    for module in sources().values():
        for node in ast.walk(module):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.append(node.value)
            elif isinstance(node, ast.JoinedStr):
                parts = [part.value if isinstance(part, ast.Constant) else "\0" for part in node.values]
                texts.append("".join(map(str, parts)))
    return tuple(texts)
