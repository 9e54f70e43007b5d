"""What open pages should know of an event: one mapping for those who tell it and those who replay it. Pure."""

from uuid import UUID

from handraise.common.bus.messages import (
    ActionExecuted,
    Happened,
    JobFinished,
    JobParked,
    JobResumed,
    Live,
    MembershipChanged,
    Place,
)


def topics(place: Place) -> tuple[str, ...]:
    """Return the topics of the pages that show this place."""
    match place.surface:
        case "channel_thread" if place.thread_id:
            return (f"thread-{place.thread_id}", f"place-{place.place_id}")
        case "task":
            return (f"task-{place.place_id}",)
        case _:
            return (f"place-{place.place_id}",)


def live_of(event: Happened, seq: int) -> Live | None:
    """Return what open pages should know once the posts are stored. `seq` is the event's, in its stream."""
    if isinstance(event, MembershipChanged):
        return None
    touched = ["home", f"job-{event.job_id}", *topics(event.place)]
    request_ids: tuple[UUID, ...] = ()
    seqs: tuple[int, ...] = ()
    members = {event.member_id}
    status, text = "", ""
    match event:
        case JobParked():
            request_ids = tuple(card.request_id for card in event.cards)
            seqs = tuple(card.seq for card in event.cards)
            members.update(card.asked for card in event.cards if card.asked)
            kind = "parked"
        case JobResumed():
            members.add(event.asked)
            request_ids, kind, status, text = (event.request_id,), "resumed", event.outcome.value, event.text
        case ActionExecuted():
            request_ids, kind, status, text = (event.request_id,), "executed", event.status, event.sentence
            touched.extend(t for t in event.touched if t not in touched)
        case JobFinished():
            request_ids, kind, status, text = event.closed, "finished", event.status, event.text
    return Live(
        workspace_id=event.workspace_id,
        kind=kind,
        topics=tuple(touched),
        place=event.place,
        members=tuple(members),
        job_id=event.job_id,
        request_ids=request_ids,
        seqs=seqs,
        status=status,
        text=text,
        seq=seq,
    )
