"""What each event says in its surface: the same event always says the same, under the same ids."""

from datetime import UTC, datetime
from uuid import UUID

import msgspec
import pytest

from handraise.common.bus.messages import (
    ActionExecuted,
    Card,
    Happened,
    JobFinished,
    JobParked,
    JobResumed,
    MembershipChanged,
    Place,
)
from handraise.common.ids import new_id
from handraise.common.questions import Outcome
from handraise.notifier.posts import posts
from handraise.workspace.words import MessageKind

AT = datetime(2026, 3, 5, 9, 30, tzinfo=UTC)
JOB, ADA, RAY = new_id(), new_id(), new_id()
PLACE = Place("channel_thread", new_id(), new_id())
ABOUT = {
    "workspace_id": new_id(),
    "job_id": JOB,
    "agent_id": RAY,
    "member_id": ADA,
    "place": PLACE,
    "at": AT,
}


def parked(*cards: Card, said: str = "", notices: tuple[str, ...] = (), round: int = 1) -> JobParked:
    return JobParked(**ABOUT, round=round, cards=cards, said=said, notices=notices)


def finished(status: str = "done", text: str = "So.", notices: tuple[str, ...] = ()) -> JobFinished:
    return JobFinished(**ABOUT, status=status, text=text, notices=notices)


def test_words_come_before_notices_and_notices_before_cards() -> None:
    cards = (Card(new_id(), "question", "Which?"), Card(new_id(), "approval", "Mark it done"))
    said = posts(parked(*cards, said="I looked.", notices=("Not done: this.",)))
    assert [(p.kind, p.body) for p in said] == [
        (MessageKind.TEXT, "I looked."),
        (MessageKind.NOTICE, "Not done: this."),
        (MessageKind.QUESTION, "Which?"),
        (MessageKind.PROPOSAL, "Mark it done"),
    ]
    assert [p.request_id for p in said] == [None, None, cards[0].request_id, cards[1].request_id]
    assert [p.at for p in said] == sorted({p.at for p in said})
    assert {p.agent_id for p in said} == {RAY}


@pytest.mark.parametrize(
    "event",
    [
        parked(Card(new_id(), "question", "Which?"), said="Hm.", notices=("a", "b")),
        finished(notices=("a", "b")),
    ],
)
def test_the_same_event_says_the_same_under_the_same_ids(event: Happened) -> None:
    assert posts(event) == posts(event)
    assert len({p.id for p in posts(event)}) == len(posts(event))


def test_two_rounds_of_a_job_say_things_under_ids_of_their_own() -> None:
    first, second = (
        posts(parked(Card(new_id(), "question", "Which?"), said="Hm.", notices=("a",), round=n))
        for n in (1, 2)
    )
    assert not {p.id for p in first} & {p.id for p in second}


@pytest.mark.parametrize(
    ("status", "kind"),
    [("done", MessageKind.FINAL), ("stopped", MessageKind.NOTICE), ("failed", MessageKind.NOTICE)],
)
def test_the_end_is_a_message_when_the_agent_wrote_it_and_else_a_record(
    status: str, kind: MessageKind
) -> None:
    said = posts(finished(status, notices=("Not done: this.",)))
    assert [(p.kind, p.body) for p in said] == [(MessageKind.NOTICE, "Not done: this."), (kind, "So.")]


def test_a_new_state_of_a_card_is_no_post() -> None:
    executed = ActionExecuted(**ABOUT, action_id=new_id(), request_id=new_id(), status="done", sentence="x")
    resumed = JobResumed(
        **ABOUT,
        request_id=new_id(),
        request_kind="approval",
        asked=ADA,
        outcome=Outcome.DECLINE,
        by=ADA,
        text="",
        via="home",
    )
    assert posts(executed) == []
    assert posts(resumed) == []
    assert posts(MembershipChanged(workspace_id=new_id())) == []


def test_a_post_keeps_its_place_and_job() -> None:
    [said] = posts(finished())
    assert (said.place, said.job_id, said.author_id) == (PLACE, JOB, None)
    assert isinstance(said.id, UUID)
    assert msgspec.json.decode(msgspec.json.encode(said.at), type=datetime) == AT
