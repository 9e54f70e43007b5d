"""Fitting arguments to a schema: only turns that lose nothing."""

from typing import Any

import pytest

from handraise.runner.protocol import fit_args

SCHEMA = {
    "type": "object",
    "properties": {
        "count": {"type": "integer"},
        "ratio": {"type": "number"},
        "flag": {"type": "boolean"},
        "name": {"type": "string"},
        "options": {"type": "array", "items": {"type": "string"}},
    },
}


@pytest.mark.parametrize(
    ("given", "fitted"),
    [
        ({"count": "50"}, {"count": 50}),
        ({"count": 50.0}, {"count": 50}),
        ({"ratio": "0.5"}, {"ratio": 0.5}),
        ({"flag": "True"}, {"flag": True}),
        ({"name": 118}, {"name": "118"}),
        ({"name": True}, {"name": "true"}),
        ({"options": [1, "b", True]}, {"options": ["1", "b", "true"]}),
        ({"options": "only"}, {"options": ["only"]}),
    ],
)
def test_a_value_with_one_meaning_gets_the_schemas_type(
    given: dict[str, Any], fitted: dict[str, Any]
) -> None:
    assert fit_args(given, SCHEMA) == fitted


@pytest.mark.parametrize(
    "given",
    [
        {"count": "fifty"},
        {"count": "50.5"},
        {"count": 50.5},
        {"count": True},
        {"flag": "yes"},
        {"flag": 1},
        {"name": None},
        {"name": ["a"]},
        {"options": {"a": 1}},
        {"unknown": "50"},
    ],
)
def test_a_value_that_does_not_fit_stays_for_the_schemas_check(given: dict[str, Any]) -> None:
    fitted = fit_args(given, SCHEMA)
    assert fitted == given
    assert [type(value) for value in fitted.values()] == [type(value) for value in given.values()]
