"""Pictures for the README, of a house in which work is going on. Made when HANDRAISE_SHOTS is set."""

import os
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.e2e.desk import PHONE, Desk, at_desk
from tests.support.stack import House

IMAGES = Path(__file__).parents[2] / "docs" / "images"

pytestmark = pytest.mark.skipif(not os.environ.get("HANDRAISE_SHOTS"), reason="HANDRAISE_SHOTS is not set")


async def shoot(desk: Desk, name: str) -> None:
    """Write one picture, without the caret."""
    path = IMAGES / f"{name}.png"
    await desk.page.screenshot(path=path, caret="hide", animations="disabled")
    assert path.stat().st_size > 10_000


async def test_the_pictures_show_what_the_words_say(browser: Browser, own_house: House) -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    async with at_desk(browser, own_house, "ada") as ada:
        asked = await ada.say("release", "@ray open a task for the API deploy")
        await expect(ada.question).to_be_visible()
        await shoot(ada, "question")
        proposed = await ada.say("release", "@ray find my task about the login bug and mark it as done")
        await expect(ada.proposal).to_be_visible()
        await ada.say(
            "release", "@ray post to #general: The Orbit design review moves to Wednesday, 14:00, same room."
        )
        await expect(ada.proposal).to_be_visible()
        await ada.go("/")
        await expect(ada.proposal).to_have_count(2)
        await shoot(ada, "home")
        await ada.go(asked)
        await ada.question.get_by_role("button", name="production").click()
        await ada.proposal.get_by_role("button", name="Confirm").click()
        await expect(ada.record("done")).to_be_visible()
        await expect(ada.toast).to_have_count(0)
        await shoot(ada, "receipt")
        await ada.go(proposed)
        await ada.page.get_by_role("link", name="1 job").click()
        job = ada.page.url.removeprefix(own_house.url)
        state = await ada.page.context.storage_state()
    async with at_desk(browser, own_house, None, storage_state=state, color_scheme="dark") as dark:
        await dark.go(job)
        await shoot(dark, "job-dark")
    async with at_desk(
        browser, own_house, None, storage_state=state, viewport=PHONE, device_scale_factor=2
    ) as phone:
        await phone.go("/")
        await expect(phone.proposal.first).to_be_visible()
        await shoot(phone, "home-phone")
