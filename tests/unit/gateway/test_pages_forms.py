"""What a form sent, and what it may mean."""

import pytest

from handraise.gateway.pages.forms import Form


@pytest.mark.parametrize(
    ("sent", "version"),
    [
        ({}, None),
        ({"version": "7"}, 7),
        ({"version": ""}, 0),
        ({"version": "-1"}, 0),
        ({"version": "9" * 20}, 0),
    ],
)
def test_a_version_that_can_not_be_read_fits_nothing(sent: dict[str, str], version: int | None) -> None:
    assert Form(sent).version == version


def test_a_form_without_a_key_gets_one_of_its_own() -> None:
    key = "0190d1f2-0000-7000-8000-000000000001"
    assert str(Form({"key": key}).key) == key
    assert Form({}).key != Form({"key": "x"}).key


def test_lines_end_as_they_were_typed() -> None:
    assert Form({"body": "a\r\nb\rc"}).words("body") == "a\nb\nc"
