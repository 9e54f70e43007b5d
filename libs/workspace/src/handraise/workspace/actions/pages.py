"""Which open pages a write changed, and who may know. Pure."""

from uuid import UUID

from handraise.common.bus.messages import Live, Place
from handraise.workspace.actions.order import Order, Receipt
from handraise.workspace.words import Surface

_TOPICS = {
    "task": "task",
    "channel": "place",
    "conversation": "place",
    "project": "project",
    "team": "team",
    "doc": "doc",
}
_PLACES = {
    "task": Surface.TASK,
    "channel": Surface.CHANNEL_THREAD,
    "conversation": Surface.DM,  # direct or group: the same people may read it
}


def live_of(order: Order, receipt: Receipt) -> Live:
    """Return what open pages should know: those of the place it stands in, and of whom it concerns."""
    ids = receipt.ids
    place = next(
        (Place(surface.value, UUID(ids[name])) for name, surface in _PLACES.items() if name in ids), None
    )
    people = {order.member_id, order.actor_id} | ({UUID(ids["person"])} if "person" in ids else set())
    return Live(
        workspace_id=order.workspace_id,
        kind="posted" if "message" in ids else "changed",
        topics=("home", *(f"{topic}-{ids[name]}" for name, topic in _TOPICS.items() if name in ids)),
        place=place,
        members=tuple(sorted(people)),
        message_id=UUID(ids["message"]) if "message" in ids else None,
    )
