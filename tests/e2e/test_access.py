"""Pages for everybody: no fault that axe can find, everything by keyboard, nothing wider than the screen."""

import re
from typing import Any

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, expect

from tests.e2e.desk import PHONE, WIDE, Desk, at_desk, nothing_waits_for
from tests.support.stack import House

LOOKS = [
    pytest.param({"viewport": WIDE}, id="wide light"),
    pytest.param({"viewport": WIDE, "color_scheme": "dark"}, id="wide dark"),
    pytest.param({"viewport": PHONE, "has_touch": True}, id="phone light"),
    pytest.param({"viewport": PHONE, "has_touch": True, "color_scheme": "dark"}, id="phone dark"),
]


async def faults(page: Page) -> list[str]:
    """Return what axe finds, one line a fault."""
    found = await Axe().run(page)
    return [
        f"{violation['id']}: {node['target']} {node['failureSummary']}"
        for violation in found.response["violations"]
        for node in violation["nodes"]
    ]


async def width_beyond(page: Page) -> int:
    """Return by how many pixels the page is wider than its window."""
    wide: int = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    return wide


async def a_task_of_mine(desk: Desk) -> str:
    """Return the path of a task."""
    await desk.go("/tasks")
    return await desk.page.locator("tbody a").first.get_attribute("href") or ""


@pytest.mark.parametrize("look", LOOKS)
async def test_axe_finds_nothing_on_any_page(browser: Browser, stack: House, look: dict[str, Any]) -> None:
    async with at_desk(browser, stack, "ada", **look) as ada:
        asked = await ada.say("release", "@ray ask me: Which colour? red, green or blue")
        await expect(ada.question).to_be_visible()
        proposed = await ada.say("release", "@ray post to #general: The review moves to **Wednesday**.")
        await expect(ada.proposal).to_be_visible()
        task = await a_task_of_mine(ada)
        await ada.go("/jobs")
        job = await ada.page.locator("tbody a").first.get_attribute("href") or ""
        found: dict[str, list[str]] = {}
        for path in ("/", asked, proposed, task, job, "/jobs", "/tasks", "/channels", "/more", "/nowhere"):
            await ada.go(path)
            found[path] = await faults(ada.page)
            assert await width_beyond(ada.page) == 0, path
        await ada.go(proposed)
        await ada.proposal.locator("summary", has_text="Reject").click()
        found["rejecting"] = await faults(ada.page)
        await ada.go(asked)
        await ada.question.locator("summary", has_text="Stop the work").click()
        found["stopping"] = await faults(ada.page)
        await ada.question.get_by_role("button", name="Keep waiting").click()
        await ada.question.get_by_role("button", name="green").click()
        await expect(ada.record("answered")).to_be_visible()
        found["answered"] = await faults(ada.page)
        assert {path: lines for path, lines in found.items() if lines} == {}


async def test_axe_finds_nothing_on_the_way_in(browser: Browser, stack: House) -> None:
    async with at_desk(browser, stack, None) as nobody:
        await nobody.go("/signin")
        assert await faults(nobody.page) == []
        await nobody.page.get_by_label("E-mail").fill("ada@acme.example")
        await nobody.page.get_by_label("Password").fill("a guess")
        await nobody.page.get_by_role("button", name="Sign in").click()
        await expect(nobody.page.get_by_role("alert")).to_be_visible()
        assert await faults(nobody.page) == []


async def test_nothing_is_wider_than_a_small_phone_even_with_words_that_never_end(
    browser: Browser, stack: House
) -> None:
    async with at_desk(browser, stack, "ada", viewport={"width": 320, "height": 640}) as ada:
        endless = "a" * 118
        path = await ada.say("release", f"@ray ask me: Which {endless}? {endless}1 or {endless}2")
        await expect(ada.question.locator(".option")).to_have_count(2)
        for page in (path, "/", "/jobs"):
            await ada.go(page)
            assert await width_beyond(ada.page) == 0, page


async def test_a_question_is_answered_and_a_proposal_confirmed_with_nothing_but_the_keyboard(
    browser: Browser, stack: House
) -> None:
    async with at_desk(browser, stack, "ben") as ben:
        keys = ben.page.keyboard
        await ben.open_channel("release")
        await ben.page.get_by_label("Message to #release").focus()
        await keys.type("@ray ask me: Which colour? red, green or blue")
        await keys.press("Enter")
        await expect(ben.question).to_be_visible()

        await ben.go("/")
        await press_until(ben, "Tab", "article.ask:focus")
        await keys.press("2")
        await expect(ben.toast).to_contain_text("Answered: green.")

        await ben.open_channel("release")
        await ben.page.get_by_label("Message to #release").focus()
        await keys.type("@ray post to #general: Lunch is at noon.")
        await keys.press("Enter")
        await expect(ben.proposal).to_be_visible()
        await press_until(ben, "Tab", "article.propose:focus")
        await keys.press("r")
        await expect(ben.proposal.get_by_label(re.compile("^Why not"))).to_be_focused()
        await keys.press("Escape")
        await expect(ben.proposal.locator("details")).not_to_have_attribute("open", "")
        await keys.press("c")
        await expect(ben.record("done")).to_contain_text("Ben Okafor confirmed")


async def test_a_key_does_nothing_while_no_card_has_the_focus_or_somebody_types(
    browser: Browser, stack: House
) -> None:
    async with at_desk(browser, stack, "chen") as chen:
        await chen.say("release", "@ray ask me: Which colour? red, green or blue")
        await expect(chen.question).to_be_visible()
        posts: list[str] = []
        chen.page.on(
            "request", lambda request: posts.append(request.url) if request.method == "POST" else None
        )
        await chen.page.locator("#main").focus()
        for key in ("1", "d", "c"):
            await chen.page.keyboard.press(key)
        await chen.go("/")
        words = chen.page.get_by_label("Or in your own words").first
        await words.focus()
        await chen.page.keyboard.type("d1c2")
        await expect(words).to_have_value("d1c2")
        assert posts == []


async def test_j_and_k_walk_over_the_cards(browser: Browser, stack: House) -> None:
    await nothing_waits_for(stack, "dita")
    async with at_desk(browser, stack, "dita") as dita:
        for colour in ("red", "green"):
            await dita.say("release", f"@ray ask me: Is {colour} fine? yes, maybe or no")
            await expect(dita.question).to_be_visible()
        await dita.go("/")
        cards = dita.page.locator("article.ask")
        await expect(cards).to_have_count(2)
        await cards.first.focus()
        await dita.page.keyboard.press("j")
        await expect(cards.nth(1)).to_be_focused()
        await dita.page.keyboard.press("k")
        await expect(cards.first).to_be_focused()
        await dita.page.keyboard.press("Escape")
        await expect(cards.first).not_to_be_focused()


async def press_until(desk: Desk, key: str, selector: str) -> None:
    """Press a key until the selector matches; a page has fewer stops than this gives up at."""
    for _ in range(120):
        await desk.page.keyboard.press(key)
        if await desk.page.locator(selector).count():
            return
    raise AssertionError(f"{key} never led to {selector}")
