"""Ids that come out the same for the same thing of the sample, whenever and wherever it is loaded."""

from uuid import UUID

from handraise.common.ids import derive

WORKSPACE_ID = derive(UUID("0b0f2a52-3a0f-4b8e-9a53-7d0c5a1e9f10"), "acme")


def sample_id(kind: str, name: str | int) -> UUID:
    """Return the id of one thing: `("member", "ada")`, `("channel", "release")`, `("task", "ATL-118")`."""
    return derive(WORKSPACE_ID, kind, name)
