"""What a page points to is there."""

import importlib.util
import re
from pathlib import Path

import pytest

from tests.unit.docs.pages import ROOT, anchors, blocks, named, pages, prose, spans

_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_ELSEWHERE = re.compile(r"[a-z]+:")
_PATH = re.compile(r"(?:libs|services|deploy|tests|docs|bench|handraise|actions|tools|\.ci)/[\w./*-]*")
_PLACEHOLDER = "NNNN"
_TARGET = re.compile(r"(?m)^([a-z][a-z -]*):(?!=)")
_MAKE = re.compile(r"\bmake ([a-z][a-z-]*)")
_MODULE = re.compile(r"\bpython -m ([\w.]+)")
_WORKSPACE = ROOT / "libs/workspace/src/handraise/workspace"

every_page = pytest.mark.parametrize("page", pages(), ids=named)


@every_page
def test_a_relative_link_leads_to_a_file_and_to_a_heading_that_is_there(page: Path) -> None:
    broken = []
    for link in _LINK.findall(prose(page)):
        if _ELSEWHERE.match(link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


@every_page
def test_a_path_that_a_page_names_is_there(page: Path) -> None:
    wanted = [span for span in spans(page) if _PATH.fullmatch(span) and _PLACEHOLDER not in span]
    assert [path for path in wanted if not _found(path)] == []


@every_page
def test_a_make_target_that_a_page_names_is_in_the_makefile(page: Path) -> None:
    targets = {name for line in _TARGET.findall((ROOT / "Makefile").read_text()) for name in line.split()}
    code = "\n".join([*blocks(page), *spans(page)])
    assert set(_MAKE.findall(code)) - targets == set()


@every_page
def test_a_module_that_a_page_has_one_run_is_there(page: Path) -> None:
    code = "\n".join([*blocks(page), *spans(page)])
    assert [name for name in _MODULE.findall(code) if importlib.util.find_spec(name) is None] == []


def test_the_readme_names_the_two_commands() -> None:
    assert {"run", "test"} <= set(_MAKE.findall("\n".join(blocks(ROOT / "README.md"))))


def _found(path: str) -> bool:
    roots = [ROOT, _WORKSPACE, *ROOT.glob("*/*/src")]
    return any(any(root.glob(path.rstrip("/"))) for root in roots)
