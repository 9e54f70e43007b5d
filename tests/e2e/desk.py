"""One person at a browser: signed in, at a page of a running house."""

import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from playwright.async_api import Browser, Page, Playwright, expect

from handraise.dev.sample import person
from tests.support.stack import House

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]
WIDE = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}
THREAD = re.compile(r"/channels/[0-9a-f-]+/threads/[0-9a-f-]+$")


async def launch(playwright: Playwright) -> Browser:
    """Start the system's Chromium, else the one that Playwright brought."""
    found = next((path for name in CHROMIUM if (path := shutil.which(name))), None)
    return await playwright.chromium.launch(executable_path=found, args=FLAGS)


class Desk:
    """A page, and what a person does on it."""

    def __init__(self, page: Page, house: House) -> None:
        self.page = page
        self.house = house
        self.faults: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))

    async def go(self, path: str) -> None:
        """Open a page of the house."""
        await self.page.goto(f"{self.house.url}{path}")

    async def sign_in(self, handle: str) -> None:
        """Come in by the form."""
        who = person(handle)
        await self.go("/signin")
        await self.page.get_by_label("E-mail").fill(who.email)
        await self.page.get_by_label("Password").fill(who.password)
        await self.page.get_by_role("button", name="Sign in").click()
        await expect(self.page.get_by_role("heading", level=1)).to_have_text("Needs you")

    async def open_channel(self, name: str) -> None:
        """Go to a channel by the list of all."""
        await self.go("/channels")
        await self.page.locator("main .places").get_by_role("link", name=name, exact=True).click()
        await expect(self.page.get_by_role("heading", level=1)).to_contain_text(name)

    async def say(self, channel: str, words: str) -> str:
        """Write to a channel and follow the work into its thread; return the thread's path."""
        await self.open_channel(channel)
        await self.page.get_by_label(f"Message to #{channel}").fill(words)
        await self.page.locator(".pane").first.get_by_role("button", name="Send").click()
        await self.page.wait_for_url(THREAD)
        return self.page.url.removeprefix(self.house.url)

    @property
    def question(self) -> Any:
        """The open question on the page."""
        return self.page.locator("article.ask")

    @property
    def proposal(self) -> Any:
        """The open proposal on the page."""
        return self.page.locator("article.propose")

    def record(self, state: str) -> Any:
        """The decided cards of one state in the thread, or wherever they stand."""
        return self.page.locator(f"article.past[data-state={state}]")

    @property
    def toast(self) -> Any:
        """What is told at the edge of the page."""
        return self.page.locator(".toast")


async def nothing_waits_for(house: House, handle: str) -> None:
    """Stop whatever other tests left waiting for a person, so that their Home is empty."""
    async with house.as_(handle) as program:
        for request in await program.get("/api/requests", status="open"):
            await program.send(f"/api/requests/{request['id']}/cancel")


@asynccontextmanager
async def at_desk(browser: Browser, house: House, handle: str | None, **options: Any) -> AsyncIterator[Desk]:
    """Lend a desk in a browser context of its own, signed in as `handle`; nothing may have gone wrong on it."""
    context = await browser.new_context(**{"viewport": WIDE, "locale": "en-GB", **options})
    context.set_default_timeout(20_000)
    try:
        desk = Desk(await context.new_page(), house)
        if handle:
            await desk.sign_in(handle)
        yield desk
        assert desk.faults == []
    finally:
        await context.close()
