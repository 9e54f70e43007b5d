"""Whom a message speaks to."""

import pytest

from handraise.gateway.agents import _MENTION, speaks_to_somebody_else


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("@ray hello", ["ray"]),
        ("hello @ray, and @ben-2", ["ray", "ben-2"]),
        ("(@ray)", ["ray"]),
        ("ray@example.org", []),
        ("a.@ray", []),
        ("@@ray", []),
        ("nobody", []),
        ("@", []),
    ],
)
def test_mentions_are_found_and_addresses_are_none(body: str, names: list[str]) -> None:
    assert _MENTION.findall(body) == names


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("@chen what do you think?", True),
        ("  @chen?", True),
        ("ask @chen", False),
        ("production", False),
        ("@ 5", False),
    ],
)
def test_a_text_that_begins_with_a_name_is_no_answer(body: str, expected: bool) -> None:
    assert speaks_to_somebody_else(body) is expected
