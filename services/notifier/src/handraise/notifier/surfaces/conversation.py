"""A direct message or a group: one line of talk, no threads."""

from typing import Any

from handraise.notifier.surfaces.base import Post, row
from handraise.workspace.words import Surface


class Conversation:
    """Posts at the end of the conversation."""

    def __init__(self, surface: Surface) -> None:
        self._surface = surface

    def message(self, post: Post) -> dict[str, Any]:
        """Return the row of the conversation's next message."""
        return row(post, surface=self._surface.value, thread_id=None)
