"""Which of the stack's processes is to be started again, and when: back-off without a clock of its own."""

import msgspec

_FIRST = 0.5
_LONGEST = 30.0
_FORGIVEN_AFTER = 60.0


class Restart(msgspec.Struct, frozen=True):
    """A process that ended and is to be started again."""

    at: float
    """Seconds on the clock that `BackOff` was told of."""
    after: float
    """How long it is left alone, in seconds."""


class BackOff:
    """One process's fortune. Times are seconds of any clock that only goes forward."""

    def __init__(self) -> None:
        self._failures = 0
        self._up_since: float | None = None
        self._next: Restart | None = None

    def started(self, now: float) -> None:
        """It was started."""
        self._up_since = now
        self._next = None

    def ended(self, now: float) -> Restart | None:
        """It was seen not to run. Returns the plan the first time this is seen of a run, else None."""
        if self._next is not None:
            return None
        if self._up_since is not None and now - self._up_since >= _FORGIVEN_AFTER:
            self._failures = 0
        after = min(_FIRST * 2.0**self._failures, _LONGEST)
        self._failures += 1
        self._next = Restart(at=now + after, after=after)
        return self._next

    def due(self, now: float) -> bool:
        """Say whether it is to be started now."""
        return self._next is not None and now >= self._next.at
