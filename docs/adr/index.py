"""Writes the index of decisions from their heads, so that it can say nothing else: `python docs/adr/index.py`."""

import datetime
import re
import sys
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
INDEX = HERE / "README.md"
STATUSES = ("proposed", "accepted", "superseded", "rejected")
SECTIONS = ("Context", "Decision", "Consequences", "Figures")

_NAME = re.compile(r"(\d{4})-[a-z0-9]+(?:-[a-z0-9]+)*\.md")
_HEAD = re.compile(
    r"# (?P<number>\d{4})\. (?P<title>.+)\n\n- date: (?P<date>\S+)\n- status: (?P<status>.+)\n\n"
)


class Adr(NamedTuple):
    """One decision, as its head says."""

    file: str
    number: str
    title: str
    date: datetime.date
    status: str


class Malformed(ValueError):
    """A decision's file is not as all of them are."""


def read(file: Path) -> Adr:
    """Read a decision. Raises Malformed with what is wrong."""
    named, text = _NAME.fullmatch(file.name), file.read_text()
    head = _HEAD.match(text)
    if named is None:
        raise Malformed(f"{file.name}: the name has to be like 0001-some-title.md")
    if head is None:
        raise Malformed(f"{file.name}: has to begin with its title, date and status")
    if head["number"] != named[1]:
        raise Malformed(f"{file.name}: its title says {head['number']}")
    if head["status"].partition(" ")[0] not in STATUSES:
        raise Malformed(f"{file.name}: the status has to be one of {', '.join(STATUSES)}")
    sections = tuple(re.findall(r"(?m)^## (.+)$", text))
    if sections != SECTIONS:
        raise Malformed(f"{file.name}: its sections have to be {', '.join(SECTIONS)}")
    try:
        date = datetime.date.fromisoformat(head["date"])
    except ValueError:
        raise Malformed(f"{file.name}: {head['date']} is no date") from None
    return Adr(file.name, head["number"], head["title"], date, head["status"])


def decisions(folder: Path) -> list[Adr]:
    """Read all decisions of a folder, by number. Raises Malformed, also for numbers that leave a gap."""
    found = [read(file) for file in sorted(folder.glob("*.md")) if file.name != INDEX.name]
    for place, adr in enumerate(found, 1):
        if int(adr.number) != place:
            raise Malformed(f"{adr.file}: the next number is {place:04}")
    return found


def index(found: list[Adr]) -> str:
    """Return the index page."""
    lines = [
        "# Decisions",
        "",
        "<!-- Written by `python docs/adr/index.py` from the decisions' own heads. -->",
        "",
        "Each says what made it necessary, what was decided, what follows, and the figures it stands on. A decision is",
        "never rewritten: a later one supersedes it, and its status says by which.",
        "",
        "| | decision | date | status |",
        "|---|---|---|---|",
    ]
    lines += [f"| {a.number} | [{a.title}]({a.file}) | {a.date} | {a.status} |" for a in found]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Write the index; say what is wrong with a decision, if something is."""
    try:
        INDEX.write_text(index(decisions(HERE)))
    except Malformed as fault:
        sys.stderr.write(f"{fault}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
