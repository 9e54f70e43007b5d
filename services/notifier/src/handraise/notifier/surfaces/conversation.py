"""A direct message or a group: one line of talk, no threads."""

from typing import Any

from handraise.common.bus.messages import Place
from handraise.notifier.surfaces.base import Post, row
from handraise.workspace.words import Surface


class Conversation:
    """Posts at the end of the conversation."""

    def __init__(self, surface: Surface) -> None:
        self._surface = surface

    def message(self, post: Post) -> dict[str, Any]:
        """Return the row of the conversation's next message."""
        return row(post, surface=self._surface.value, thread_id=None)

    def topics(self, place: Place) -> tuple[str, ...]:
        """Return the conversation's page."""
        return (f"place-{place.place_id}",)
