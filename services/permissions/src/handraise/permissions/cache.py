"""Keeps facts between checks, and forgets them the moment they may be stale.

What a membership event may change is forgotten with its whole workspace: a refusal names other people too.
While the bus is away events would be missed, so nothing is kept then.
"""

import time
from collections.abc import Callable
from uuid import UUID

from msgspec import Struct

from handraise.workspace.policy import Facts, SubjectKind

KEPT = frozenset(
    (
        SubjectKind.WORKSPACE,
        SubjectKind.TEAM,
        SubjectKind.PROJECT,
        SubjectKind.TASK,
        SubjectKind.CHANNEL,
        SubjectKind.CONVERSATION,
        SubjectKind.MEMBER,
    )
)
"""Subjects whose facts change by membership alone. Requests, actions, jobs and docs are always asked for."""


class Key(Struct, frozen=True):
    """Whose facts about what."""

    workspace_id: UUID
    member_id: UUID
    kind: SubjectKind
    subject_id: UUID | None


class Mark(Struct, frozen=True):
    """The state of the cache when a load began: what was loaded before a change is not kept after it."""

    all: int
    workspace: int


class FactsCache:
    """Facts for `ttl` seconds, at most `kept` of them. Not for use from several threads."""

    def __init__(self, ttl: float, kept: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._ttl = ttl
        self._most = kept
        self._clock = clock
        self._facts: dict[UUID, dict[Key, tuple[float, Facts]]] = {}
        self._size = 0
        self._keeping = True
        self._changes = 0
        self._changed: dict[UUID, int] = {}

    def __len__(self) -> int:
        return self._size

    def get(self, key: Key) -> Facts | None:
        """Return what is kept and not too old."""
        until, facts = self._facts.get(key.workspace_id, {}).get(key, (0.0, None))
        return facts if facts is not None and self._clock() < until else None

    def mark(self, workspace_id: UUID) -> Mark:
        """Take this before loading facts, and give it to `put` with them."""
        return Mark(self._changes, self._changed.get(workspace_id, 0))

    def put(self, key: Key, facts: Facts, mark: Mark) -> None:
        """Keep `facts`, unless something changed since `mark` or they say that something is not there.

        What is not there may come to be without any event.
        """
        whole = facts.person is not None and facts.subject is not None
        if not (self._keeping and whole and key.kind in KEPT and mark == self.mark(key.workspace_id)):
            return
        if self._size >= self._most:
            self._clear()
        kept = self._facts.setdefault(key.workspace_id, {})
        self._size += key not in kept
        kept[key] = (self._clock() + self._ttl, facts)

    def drop(self, workspace_id: UUID) -> None:
        """Forget a workspace: somebody's rights in it changed."""
        self._changed[workspace_id] = self._changed.get(workspace_id, 0) + 1
        self._size -= len(self._facts.pop(workspace_id, {}))

    def suspend(self) -> None:
        """Forget everything and keep nothing: events do not arrive."""
        self._keeping = False
        self._changes += 1
        self._clear()

    def resume(self) -> None:
        """Keep facts again: events arrive from now on."""
        self._changes += 1
        self._keeping = True

    def _clear(self) -> None:
        self._facts.clear()
        self._size = 0
