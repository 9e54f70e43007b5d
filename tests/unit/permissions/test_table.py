"""The page about rights says what the rules say."""

from pathlib import Path

from handraise.permissions import table
from handraise.workspace.policy import RULES

PAGE = Path(__file__).parents[3] / "docs" / "permissions.md"


def test_the_page_is_what_the_rules_write_now() -> None:
    assert PAGE.read_text(encoding="utf-8") == table.page(), (
        "run: python -m handraise.permissions.table docs/permissions.md"
    )


def test_the_page_has_a_row_for_every_act() -> None:
    rows = [line for line in table.page().splitlines() if line.startswith("| `")]
    assert len(rows) == len(RULES)
    assert all(len(row.split("|")) == 6 for row in rows)
