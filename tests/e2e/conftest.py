"""A real browser for the tests that drive one."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright, expect

from tests.e2e.desk import launch
from tests.support.stack import House

HERE = Path(__file__).parent

expect.set_options(timeout=20_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything in this folder. A whole house and a browser take their time on a busy machine."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.e2e)
            item.add_marker(pytest.mark.timeout(300))


@pytest.fixture
def own_house(fresh_stack: Callable[..., House]) -> House:
    """A house of the test's own, to be killed and started again."""
    return fresh_stack()


@pytest_asyncio.fixture
async def browser() -> AsyncIterator[Browser]:
    """A browser of the test's own."""
    async with async_playwright() as playwright:
        found = await launch(playwright)
        yield found
        await found.close()
