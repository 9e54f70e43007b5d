"""What a page has one type really does something: its Python runs, its stories are known, its people exist."""

import os
import re
import subprocess
import sys

import pytest

from handraise.dev.sample import PEOPLE
from handraise.runner.chat.practice.rules import RULES
from tests.unit.docs.pages import ROOT, blocks, named, pages, spans

_CODE = [
    pytest.param(block, id=f"{named(page)}-{number}")
    for page in pages()
    for number, block in enumerate(blocks(page, "python"), 1)
]
_EMAIL = re.compile(r"\b[\w.]+@acme\.example\b")
_PASSWORD = re.compile(r"\b\w+-asks-first\b")


def _run(code: str, nats_url: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=os.environ | {"NATS_URL": nats_url},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("code", _CODE)
def test_a_block_of_python_runs_and_complains_of_nothing(code: str, bus_url: str) -> None:
    done = _run(code, bus_url)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_block_that_shows_how_full_the_streams_are_names_all_of_them(bus_url: str) -> None:
    (code,) = blocks(ROOT / "docs/operating.md", "python")
    first_words = {line.split()[0] for line in _run(code, bus_url).stdout.splitlines()}
    assert first_words == {"CMD", "PARK", "TIMERS", "EVT", "DLQ"}


def test_the_practice_model_knows_every_story_of_the_readme() -> None:
    stories = [span.removeprefix("@ray ") for span in spans(ROOT / "README.md") if span.startswith("@ray ")]
    assert len(stories) >= 5
    assert [story for story in stories if not any(pattern.search(story) for pattern, _ in RULES)] == []


def test_whoever_a_page_has_one_sign_in_as_is_in_the_sample() -> None:
    text = "\n".join(page.read_text() for page in pages())
    assert {*_EMAIL.findall(text)} <= {someone.email for someone in PEOPLE}
    assert {*_PASSWORD.findall(text)} <= {someone.password for someone in PEOPLE}
