"""The surface factory: which poster speaks on which surface. Adding one is one file here and one line below."""

from handraise.notifier.surfaces.base import Post, Poster, UnknownSurface
from handraise.notifier.surfaces.channel_thread import ChannelThread
from handraise.notifier.surfaces.conversation import Conversation
from handraise.notifier.surfaces.task import Task
from handraise.workspace.words import Surface

POSTERS: dict[str, Poster] = {
    Surface.CHANNEL_THREAD: ChannelThread(),
    Surface.DM: Conversation(Surface.DM),
    Surface.GROUP: Conversation(Surface.GROUP),
    Surface.TASK: Task(),
}


def poster_for(surface: str) -> Poster:
    """Return the surface's poster. Raises UnknownSurface."""
    try:
        return POSTERS[surface]
    except KeyError:
        raise UnknownSurface(surface) from None


__all__ = ["POSTERS", "Post", "Poster", "UnknownSurface", "poster_for"]
