"""What each event says, as posts. Pure: the same event always says the same, under the same ids."""

from datetime import timedelta

from msgspec import structs

from handraise.common.bus.messages import (
    Happened,
    JobFinished,
    JobParked,
)
from handraise.common.ids import derive
from handraise.notifier.surfaces import Post
from handraise.workspace.words import JobStatus, MessageKind


def posts(event: Happened) -> list[Post]:
    """Return what is to be posted, in order; nothing for what only changes a card's state."""
    match event:
        case JobParked():
            said = _parked(event)
        case JobFinished():
            said = _finished(event)
        case _:
            said = []
    # A microsecond apart, so that they are read in the order in which they were said.
    return [structs.replace(p, at=p.at + timedelta(microseconds=n)) for n, p in enumerate(said)]


def _parked(event: JobParked) -> list[Post]:
    said: list[Post] = []
    if event.said:
        said.append(
            Post(
                id=derive(event.job_id, "said", event.round),
                place=event.place,
                kind=MessageKind.TEXT,
                body=event.said,
                job_id=event.job_id,
                at=event.at,
                agent_id=event.agent_id,
            )
        )
    said.extend(_notices(event))
    said.extend(
        Post(
            id=derive(card.request_id, "card"),
            place=event.place,
            kind=MessageKind.QUESTION if card.kind == "question" else MessageKind.PROPOSAL,
            body=card.text,
            job_id=event.job_id,
            at=event.at,
            agent_id=event.agent_id,
            request_id=card.request_id,
        )
        for card in event.cards
    )
    return said


def _finished(event: JobFinished) -> list[Post]:
    end = Post(
        id=derive(event.job_id, "final"),
        place=event.place,
        kind=MessageKind.FINAL if event.status == JobStatus.DONE else MessageKind.NOTICE,
        body=event.text,
        job_id=event.job_id,
        at=event.at,
        agent_id=event.agent_id,
    )
    return [*_notices(event), end]


def _notices(event: JobParked | JobFinished) -> list[Post]:
    about = event.round if isinstance(event, JobParked) else "end"
    return [
        Post(
            id=derive(event.job_id, "notice", about, number),
            place=event.place,
            kind=MessageKind.NOTICE,
            body=text,
            job_id=event.job_id,
            at=event.at,
            agent_id=event.agent_id,
        )
        for number, text in enumerate(event.notices)
    ]
