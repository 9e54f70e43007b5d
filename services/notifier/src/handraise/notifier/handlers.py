"""What the notifier does with an event: store its posts, then tell the pages that show them."""

from prometheus_client import Counter

from handraise.common.bus.consume import Delivery
from handraise.common.bus.live import live_of
from handraise.common.bus.messages import Happened
from handraise.common.bus.publish import Bus
from handraise.notifier.posts import posts
from handraise.notifier.surfaces import poster_for
from handraise.workspace.jobs import JobStore

posted = Counter("handraise_posts_total", "Messages posted into surfaces", ["surface", "kind"])


class Handlers:
    """Posts for every event of every job."""

    def __init__(self, *, bus: Bus, store: JobStore) -> None:
        self._bus = bus
        self._store = store

    async def happened(self, event: Happened, delivery: Delivery) -> None:
        """Post what an event says. A redelivered one posts nothing twice: ids come from the event."""
        said = posts(event)
        if said:
            rows = [poster_for(post.place.surface).message(post) for post in said]
            await self._store.post(event.workspace_id, rows)
            for post in said:
                posted.labels(post.place.surface, post.kind.value).inc()
        if (told := live_of(event, delivery.seq)) is not None:
            await self._bus.tell(told)
