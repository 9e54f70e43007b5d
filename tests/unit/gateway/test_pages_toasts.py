"""What is told on the next page, and where the reader may be led."""

import base64
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handraise.gateway.pages.toasts import LIMIT, Toast, lost_race, pack, unpack
from handraise.gateway.pages.visit import local_path
from tests.unit.gateway.pages import NOW, TIMES


@given(st.text(max_size=200), st.text(max_size=400))
def test_a_toast_arrives_as_it_was_sent(title: str, draft: str) -> None:
    toast = Toast(title, draft=draft, draft_for="/dm/1")
    packed = pack(toast)
    arrived = unpack(packed)
    assert len(packed) <= LIMIT
    assert arrived is not None
    assert arrived.title == title
    assert arrived.draft in (draft, "")


def test_a_draft_that_fits_no_cookie_stays_out_of_it() -> None:
    noise = "".join(chr(0x4E00 + n * 7919 % 20000) for n in range(4000))
    arrived = unpack(pack(Toast("Not sent.", draft=noise, draft_for="/dm/1")))
    assert arrived is not None
    assert arrived.draft == ""


@pytest.mark.parametrize(
    "value",
    [
        None,
        "",
        "not base64 !",
        "AAAA",
        base64.urlsafe_b64encode(b"plain").decode(),
        base64.urlsafe_b64encode(zlib.compress(b"\xc1")).decode(),
        base64.urlsafe_b64encode(zlib.compress(b"\x00" * 10_000_000)).decode(),
    ],
)
def test_a_cookie_that_we_did_not_write_tells_nothing(value: str | None) -> None:
    assert unpack(value) is None


def test_the_loser_of_a_race_is_told_by_whom_with_what_and_when() -> None:
    extra = {"by": "Ben", "option": "staging", "at": NOW.isoformat()}
    toast = lost_race(extra, None, "/x", TIMES)
    assert toast.title == "Ben was first: staging."
    assert toast.text == "At 12:20:00. Your choice was not used."
    assert toast.stays
    assert toast.draft == ""


def test_the_losers_own_words_are_kept_for_the_place_they_belong_to() -> None:
    toast = lost_race({"by": "Ben", "outcome": "cancel"}, "neither", "/channels/1/threads/2", TIMES)
    assert toast.title == "Ben was first: the work is stopped."
    assert "“neither”" in toast.text
    assert (toast.draft, toast.draft_for) == ("neither", "/channels/1/threads/2")


@pytest.mark.parametrize("path", ["/", "/tasks", "/channels/1/threads/2"])
def test_a_path_of_ours_is_followed(path: str) -> None:
    assert local_path(path) == path


@pytest.mark.parametrize(
    "path",
    [
        None,
        "",
        "tasks",
        "//evil.example",
        "/\\evil.example",
        "https://evil.example",
        "/a\r\nset-cookie: x",
        "/\tx",
        "/ü",
        "/a\\b",
    ],
)
def test_nobody_is_led_away_from_here(path: str | None) -> None:
    assert local_path(path) == "/"
