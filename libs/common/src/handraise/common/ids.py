"""One id scheme: time-ordered UUIDs for what is new, derived UUIDs for what must come out the same twice."""

from uuid import UUID, uuid5

from uuid_utils.compat import uuid7

_NAMESPACE = UUID("6f1d2f5c-8a53-4d5e-9d3b-6c1f0a7e52aa")

__all__ = ["UUID", "derive", "new_id", "parse_id"]


def new_id() -> UUID:
    """Return a fresh time-ordered UUID (version 7)."""
    return uuid7()


def derive(source: UUID, *parts: str | int) -> UUID:
    """Return the UUID that always belongs to `source` and `parts`: what a redelivery makes is made once."""
    return uuid5(_NAMESPACE, ":".join((str(source), *map(str, parts))))


def parse_id(text: str) -> UUID | None:
    """Read a UUID that somebody sent; None when it is none."""
    try:
        return UUID(text)
    except ValueError:
        return None
