"""What is asked for at the same time goes together, and nothing that is asked for is ever left lying."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handraise.common.gather import Gatherer


class Work:
    """Doubles numbers; keeps the groups it got. Goes on when let."""

    def __init__(self, *, held: bool = False) -> None:
        self.groups: list[list[int]] = []
        self.go = asyncio.Event()
        if not held:
            self.go.set()

    async def __call__(self, items: list[int]) -> list[int]:
        self.groups.append(items)
        await self.go.wait()
        if any(item < 0 for item in items):
            raise ValueError(str(items))
        return [item * 2 for item in items]


async def test_a_lone_item_goes_at_once_by_itself() -> None:
    work = Work()
    assert await Gatherer(work)(7) == 14
    assert work.groups == [[7]]


async def test_what_comes_while_one_is_under_way_goes_together_in_order() -> None:
    work = Work(held=True)
    gatherer = Gatherer(work)
    asked = [asyncio.ensure_future(gatherer(1))]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    asked += [asyncio.ensure_future(gatherer(number)) for number in (2, 3, 4)]
    await asyncio.sleep(0)
    work.go.set()
    assert await asyncio.gather(*asked) == [2, 4, 6, 8]
    assert work.groups == [[1], [2, 3, 4]]


async def test_whoever_asks_again_as_soon_as_they_are_answered_is_answered_again() -> None:
    gatherer = Gatherer(Work())

    async def chain(number: int) -> int:
        for _ in range(20):
            number = await gatherer(number) // 2
        return number

    async with asyncio.timeout(5):
        assert await asyncio.gather(*(chain(number) for number in range(5))) == list(range(5))


async def test_one_bad_item_keeps_no_other_out() -> None:
    gatherer = Gatherer(Work())
    ends = await asyncio.gather(*(gatherer(number) for number in (1, -1, 3)), return_exceptions=True)
    assert [ends[0], ends[2]] == [2, 6]
    assert isinstance(ends[1], ValueError)


async def test_somebody_who_leaves_takes_nobody_along() -> None:
    work = Work(held=True)
    gatherer = Gatherer(work)
    asked = [asyncio.ensure_future(gatherer(number)) for number in range(3)]
    await asyncio.sleep(0)
    asked[1].cancel()
    work.go.set()
    ends = await asyncio.gather(*asked, return_exceptions=True)
    assert [ends[0], ends[2]] == [0, 4]
    assert isinstance(ends[1], asyncio.CancelledError)


@given(
    items=st.lists(st.integers(-3, 30), max_size=40),
    most=st.integers(1, 9),
    at_once=st.integers(1, 3),
)
def test_every_item_gets_its_own_result_whatever_the_bounds(
    items: list[int], most: int, at_once: int
) -> None:
    async def play() -> None:
        work = Work()
        gatherer = Gatherer(work, most=most, at_once=at_once)
        ends = await asyncio.wait_for(
            asyncio.gather(*(gatherer(item) for item in items), return_exceptions=True), 5
        )
        for item, end in zip(items, ends, strict=True):
            assert isinstance(end, ValueError) if item < 0 else end == item * 2
        assert all(len(group) <= most for group in work.groups)

    asyncio.run(play())


async def test_as_many_groups_as_allowed_are_under_way_at_once() -> None:
    work = Work(held=True)
    gatherer = Gatherer(work, most=1, at_once=2)
    asked = [asyncio.ensure_future(gatherer(number)) for number in range(5)]
    for _ in range(5):
        await asyncio.sleep(0)
    assert work.groups == [[0], [1]]
    work.go.set()
    assert await asyncio.gather(*asked) == [0, 2, 4, 6, 8]


async def test_a_result_too_few_is_an_error_and_not_a_wait_for_ever() -> None:
    async def short(items: list[int]) -> list[int]:
        return items[:-1]

    with pytest.raises(ValueError, match="shorter"):
        await asyncio.wait_for(Gatherer(short)(1), 2)
