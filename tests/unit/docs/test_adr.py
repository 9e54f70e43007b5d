"""Every decision has its head and its sections, and the index is the one they give."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from tests.unit.docs.pages import ROOT

FOLDER = ROOT / "docs/adr"
_GOOD = """\
# 0001. A title

- date: 2026-01-31
- status: accepted

## Context
## Decision
## Consequences
## Figures
"""


@pytest.fixture(scope="module")
def index() -> ModuleType:
    spec = importlib.util.spec_from_file_location("adr_index", FOLDER / "index.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_index_is_the_one_that_the_decisions_give(index: ModuleType) -> None:
    assert (FOLDER / "README.md").read_text() == index.index(index.decisions(FOLDER))


def test_there_are_decisions(index: ModuleType) -> None:
    assert index.decisions(FOLDER)


def test_a_decision_as_it_should_be_is_read(index: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "0001-a-title.md").write_text(_GOOD)
    (adr,) = index.decisions(tmp_path)
    assert (adr.number, adr.title, str(adr.date), adr.status) == ("0001", "A title", "2026-01-31", "accepted")


@pytest.mark.parametrize(
    ("name", "old", "new", "fault"),
    [
        ("0001-a-title.md", "2026-01-31", "2026-02-31", "no date"),
        ("0001-a-title.md", "accepted", "maybe", "status has to be"),
        ("0001-a-title.md", "- date: 2026-01-31\n", "", "has to begin with"),
        ("0001-a-title.md", "# 0001.", "# 0002.", "title says 0002"),
        ("0001-a-title.md", "## Figures\n", "", "sections have to be"),
        ("0002-a-title.md", "# 0001.", "# 0002.", "next number is 0001"),
        ("1-a-title.md", "accepted", "accepted", "name has to be"),
    ],
)
def test_a_decision_that_is_not_as_it_should_be_is_refused_with_the_reason(
    index: ModuleType, tmp_path: Path, name: str, old: str, new: str, fault: str
) -> None:
    (tmp_path / name).write_text(_GOOD.replace(old, new))
    with pytest.raises(index.Malformed, match=fault):
        index.decisions(tmp_path)
