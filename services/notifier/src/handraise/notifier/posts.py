"""What each event says, as posts. Pure: the same event always says the same, under the same ids."""

from uuid import UUID

from handraise.common.bus.messages import (
    ActionExecuted,
    Happened,
    JobFinished,
    JobParked,
    JobResumed,
    Live,
    MembershipChanged,
)
from handraise.common.ids import derive
from handraise.common.questions import Outcome
from handraise.notifier.surfaces import Post, poster_for
from handraise.workspace.words import JobStatus, MessageKind


def posts(event: Happened) -> list[Post]:
    """Return what is to be posted, in order; nothing for events that only change a card's state."""
    match event:
        case JobParked():
            return _parked(event)
        case JobResumed():
            return _resumed(event)
        case JobFinished():
            return _finished(event)
        case _:
            return []


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


def _resumed(event: JobResumed) -> list[Post]:
    # Words typed into the conversation stand there already; the card's record tells the rest.
    typed = event.via in ("thread", "")
    if event.request_kind != "question" or event.outcome is not Outcome.ACCEPT or typed or not event.by:
        return []
    return [
        Post(
            id=derive(event.request_id, "answer"),
            place=event.place,
            kind=MessageKind.ANSWER,
            body=event.text,
            job_id=event.job_id,
            at=event.at,
            author_id=event.by,
            request_id=event.request_id,
        )
    ]


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


def live(event: Happened, seq: int) -> Live | None:
    """Return what open pages should know once the posts are stored. `seq` is the event's, in its stream."""
    if isinstance(event, MembershipChanged):
        return None
    topics = ["home", f"job-{event.job_id}", *poster_for(event.place.surface).topics(event.place)]
    request_ids: tuple[UUID, ...] = ()
    status, text = "", ""
    match event:
        case JobParked():
            request_ids = tuple(card.request_id for card in event.cards)
            kind = "parked"
        case JobResumed():
            request_ids, kind, status, text = (event.request_id,), "resumed", event.outcome.value, event.text
        case ActionExecuted():
            request_ids, kind, status, text = (event.request_id,), "executed", event.status, event.sentence
            topics.extend(t for t in event.touched if t not in topics)
        case JobFinished():
            request_ids, kind, status, text = event.closed, "finished", event.status, event.text
    return Live(
        workspace_id=event.workspace_id,
        kind=kind,
        topics=tuple(topics),
        place=event.place,
        member_id=event.member_id,
        job_id=event.job_id,
        request_ids=request_ids,
        status=status,
        text=text,
        seq=seq,
    )
