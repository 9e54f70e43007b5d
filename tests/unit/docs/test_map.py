"""The map has a line for every folder that holds something, and for none that is not there."""

from collections.abc import Iterator
from pathlib import Path

from tests.unit.docs.pages import ROOT, bare, table

PAGE = ROOT / "docs/map.md"
_PARTS = (".ci", "bench", "docs", "libs", "services", "deploy", "tests")
_MADE = {"__pycache__", "vendor", "node_modules", "images"}
_NO_CODE = {"pyproject.toml", "package.json", "package-lock.json", "py.typed"}
_BY_MEMBER = {f"tests/{layer}" for layer in ("unit", "contract", "integration")}


def _folders() -> Iterator[str]:
    for part in _PARTS:
        for folder in (ROOT / part, *(ROOT / part).rglob("*")):
            if folder.is_dir() and not _made(folder) and _holds_something(folder):
                yield str(folder.relative_to(ROOT))


def _made(folder: Path) -> bool:
    return any(name in _MADE or name.endswith(".egg-info") for name in folder.relative_to(ROOT).parts)


def _holds_something(folder: Path) -> bool:
    return any(file.is_file() and file.name not in _NO_CODE for file in folder.iterdir())


def _listed() -> set[str]:
    return {bare(folder).rstrip("/") for folder, _ in table(PAGE, "folder", "what is there")}


def test_every_folder_with_something_in_it_has_a_line() -> None:
    listed = _listed()
    by_member = {folder for folder in _folders() if folder.rpartition("/")[0] in _BY_MEMBER}
    assert set(_folders()) - listed - by_member - {"tests"} == set()


def test_every_line_is_about_a_folder_that_is_there() -> None:
    assert [folder for folder in sorted(_listed()) if not (ROOT / folder).is_dir()] == []


def test_every_line_says_something() -> None:
    assert [row[0] for row in table(PAGE, "folder", "what is there") if not row[1]] == []
