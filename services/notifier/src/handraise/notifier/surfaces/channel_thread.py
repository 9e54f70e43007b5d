"""A thread in a channel: the channel itself stays quiet."""

from typing import Any

from handraise.notifier.surfaces.base import Post, row
from handraise.workspace.words import Surface


class ChannelThread:
    """Posts below the message that began the thread."""

    def message(self, post: Post) -> dict[str, Any]:
        """Return the row of a reply in the thread."""
        return row(post, surface=Surface.CHANNEL_THREAD.value, thread_id=post.place.thread_id)
