"""The sample workspace as the stories find it, and as they leave it for others."""

from collections.abc import AsyncIterator, Callable

import pytest

from handraise.dev.sample import sample_id
from tests.support.records import Records, records
from tests.support.stack import House

TOLD = str(sample_id("task", "ATL-121"))
"""Ada's task about the login bug; she is admin of its project."""
FIXED = str(sample_id("task", "ATL-118"))
"""Ben's task about the login bug; he is only a member of its project."""


@pytest.fixture
async def owner(stack: House) -> AsyncIterator[Records]:
    async with records(stack.database_url) as view:
        yield view


@pytest.fixture
async def as_loaded(owner: Records) -> AsyncIterator[None]:
    """Put the tasks of the story back to where they stood."""

    async def reset() -> None:
        await owner.run("UPDATE tasks SET status = 'in_progress' WHERE id = $1::uuid", TOLD)
        await owner.run("UPDATE tasks SET status = 'in_review' WHERE id = $1::uuid", FIXED)

    await reset()
    yield
    await reset()


@pytest.fixture
def own_house(fresh_stack: Callable[..., House]) -> House:
    """A house of the test's own, to be killed and started again."""
    return fresh_stack()
