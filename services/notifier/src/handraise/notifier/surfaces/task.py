"""A task: what is said stands among its comments."""

from typing import Any

from handraise.notifier.surfaces.base import Post, row
from handraise.workspace.words import Surface


class Task:
    """Posts as a comment."""

    def message(self, post: Post) -> dict[str, Any]:
        """Return the row of the task's next comment."""
        return row(post, surface=Surface.TASK.value, thread_id=None)
