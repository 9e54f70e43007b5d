"""Gathers the posts of events that are handled at the same time into one statement. Adds no delay of its own."""

import asyncio
from typing import Any
from uuid import UUID

from handraise.workspace.jobs import JobStore

_MOST = 200  # rows of one statement


class Gatherer:
    """While one statement of a workspace is under way, what comes meanwhile waits and goes with the next."""

    def __init__(self, store: JobStore) -> None:
        self._store = store
        self._waiting: dict[UUID, list[tuple[list[dict[str, Any]], asyncio.Future[None]]]] = {}
        self._writing: dict[UUID, asyncio.Task[None]] = {}

    async def post(self, workspace_id: UUID, rows: list[dict[str, Any]]) -> None:
        """Store the rows; return once they are committed. Raises what the database raises."""
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(workspace_id, []).append((rows, stored))
        if workspace_id not in self._writing:
            self._writing[workspace_id] = asyncio.create_task(self._write(workspace_id))
        await stored

    async def _write(self, workspace_id: UUID) -> None:
        try:
            while waiting := self._waiting.pop(workspace_id, None):
                batch, rest = _split(waiting)
                if rest:
                    self._waiting[workspace_id] = rest
                await self._store_batch(workspace_id, batch)
        finally:
            del self._writing[workspace_id]

    async def _store_batch(
        self, workspace_id: UUID, batch: list[tuple[list[dict[str, Any]], asyncio.Future[None]]]
    ) -> None:
        try:
            await self._store.post(workspace_id, [row for rows, _ in batch for row in rows])
        except Exception as error:
            if len(batch) == 1:
                _end(batch[0][1], error)
                return
            # One bad row must not keep the others out: each by itself.
            for one in batch:
                await self._store_batch(workspace_id, [one])
        else:
            for _, stored in batch:
                _end(stored, None)


def _split(waiting: list[Any]) -> tuple[list[Any], list[Any]]:
    count = 0
    for index, (rows, _) in enumerate(waiting):
        count += len(rows)
        if count > _MOST and index:
            return waiting[:index], waiting[index:]
    return waiting, []


def _end(stored: "asyncio.Future[None]", error: Exception | None) -> None:
    if stored.done():  # whoever waited was cancelled
        return
    if error:
        stored.set_exception(error)
    else:
        stored.set_result(None)
