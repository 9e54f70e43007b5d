"""Does together what is asked for at the same time, without waiting for more: group commit for anything."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")


class Gatherer(Generic[T, R]):
    """While `work` is under way for some, what comes meanwhile waits and goes with the next.

    A lone item goes at once, by itself. `work` gets one or more items and returns their results in order, or
    raises having done nothing for any of them; then each is tried by itself, so that one bad item keeps no
    other out. `most` items go together, `at_once` such groups may be under way.
    """

    def __init__(
        self, work: Callable[[list[T]], Awaitable[list[R]]], *, most: int = 64, at_once: int = 1
    ) -> None:
        self._work = work
        self._most = most
        self._at_once = at_once
        self._waiting: deque[tuple[T, asyncio.Future[R]]] = deque()
        self._under_way: set[asyncio.Task[None]] = set()

    async def __call__(self, item: T) -> R:
        """Return the item's result, or raise what came of it."""
        result: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        self._waiting.append((item, result))
        if len(self._under_way) < self._at_once:
            task = asyncio.create_task(self._run())
            self._under_way.add(task)
        return await result

    async def _run(self) -> None:
        try:
            while self._waiting:
                group = [self._waiting.popleft() for _ in range(min(self._most, len(self._waiting)))]
                await self._do(group)
        finally:
            # In the same step in which nothing was found waiting. As a done callback it would come after those
            # who just got their results: what they ask for next would be left to a task that has ended.
            self._under_way.discard(asyncio.current_task())

    async def _do(self, group: list[tuple[T, "asyncio.Future[R]"]]) -> None:
        try:
            results = await self._work([item for item, _ in group])
            ends = list(zip(group, results, strict=True))
        except Exception as error:
            if len(group) == 1:
                _end(group[0][1], error=error)
                return
            for one in group:
                await self._do([one])
        else:
            for (_, waiting), result in ends:
                _end(waiting, result)


def _end(waiting: "asyncio.Future[R]", result: R | None = None, error: Exception | None = None) -> None:
    if waiting.done():  # whoever asked was cancelled meanwhile
        return
    if error is not None:
        waiting.set_exception(error)
    else:
        waiting.set_result(result)  # type: ignore[arg-type]
