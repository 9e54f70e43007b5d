"""From rows to a conversation."""

from typing import Any

from handraise.gateway.pages.conversation import Dialogue, dialogue, read_line
from handraise.workspace.views.shapes import Read
from handraise.workspace.views.talk import RoundRead
from handraise.workspace.words import JobStatus, MessageKind, RequestStatus
from tests.unit.gateway.pages import ADA, BEN, JOB, TIMES, ago, by_ray, message, proposal, question


def talk(*messages: Any, cards: Any = (), reads: Any = (), limit: int = 50) -> Dialogue:
    """Make the dialogue that Ada reads."""
    return dialogue(
        messages=messages, cards=cards, work=(), reads=reads, viewer_id=ADA, times=TIMES, limit=limit
    )


def carrying(card: Any, **fields: Any) -> Any:
    """The message that carries a card."""
    return by_ray(f"card {card.id}", kind=MessageKind.QUESTION, request_id=card.id, **fields)


def test_what_an_agent_says_in_one_job_is_one_turn() -> None:
    asked, proposed = question(), proposal()
    shown = talk(
        message("@ray do it"),
        carrying(asked, created_at=ago(minutes=200)),
        by_ray("I propose.", created_at=ago(minutes=199)),
        carrying(proposed, created_at=ago(minutes=198)),
        cards=(asked, proposed),
    )
    assert [turn.author for turn in shown.turns] == ["Ada", "ray"]
    assert [bool(piece.card) for piece in shown.turns[1].pieces] == [True, False, True]
    assert shown.turns[1].for_whom == "Ada"


def test_a_person_who_speaks_in_between_begins_a_new_turn() -> None:
    shown = talk(by_ray("one"), message("wait", author="Ben", author_id=BEN), by_ray("two"))
    assert [turn.author for turn in shown.turns] == ["ray", "Ben", "ray"]


def test_a_card_that_no_message_carries_yet_is_shown_at_the_end() -> None:
    late = question()
    shown = talk(message("@ray do it"), cards=(late,))
    assert [piece.card.id for piece in shown.turns[-1].pieces if piece.card] == [late.id]
    assert [card.id for card in shown.open_cards] == [late.id]


def test_a_carried_card_is_shown_once() -> None:
    asked = question()
    shown = talk(carrying(asked), cards=(asked,))
    assert len([piece for turn in shown.turns for piece in turn.pieces if piece.card]) == 1


def test_an_answer_from_elsewhere_is_told_by_the_record_alone() -> None:
    asked = question(status=RequestStatus.ACCEPTED, option="staging")
    answer = message("staging", kind=MessageKind.ANSWER, request_id=asked.id)
    assert len(talk(carrying(asked), answer, cards=(asked,)).turns) == 1


def test_that_work_was_stopped_is_told_once() -> None:
    notice = by_ray("Stopped in round 1.", kind=MessageKind.NOTICE, job_status=JobStatus.STOPPED)
    stopped = question(status=RequestStatus.CANCELLED)
    assert [p.notice for turn in talk(notice).turns for p in turn.pieces] == ["Stopped in round 1."]
    assert [p.notice for turn in talk(notice, cards=(stopped,)).turns for p in turn.pieces] == [None]


def test_a_failure_is_marked_as_one() -> None:
    notice = by_ray(
        "The model did not answer.\nTry again.", kind=MessageKind.NOTICE, job_status=JobStatus.FAILED
    )
    (piece,) = talk(notice).turns[0].pieces
    assert (piece.notice, piece.details, piece.bad) == ("The model did not answer.", "Try again.", True)


def test_reads_stand_folded_in_the_turn_they_came_before() -> None:
    def read(number: int, minutes: float) -> RoundRead:
        reads = (Read(tool="list_projects", title="Looked at the projects"),)
        return RoundRead(
            job_id=JOB, number=number, created_at=ago(minutes=minutes), latency_us=900_000, reads=reads
        )

    shown = talk(
        by_ray("one", created_at=ago(minutes=10)),
        message("go on", created_at=ago(minutes=8)),
        by_ray("two", created_at=ago(minutes=5)),
        reads=(read(1, 11), read(2, 6), read(3, 5.5)),
    )
    assert shown.turns[0].fold is not None
    assert shown.turns[0].fold.title == "Read 1 thing in 900 ms"
    assert shown.turns[1].fold is None
    assert shown.turns[2].fold is not None
    assert shown.turns[2].fold.title == "Read 2 things in 1.8 s"


def test_a_read_without_a_title_is_told_by_what_it_does() -> None:
    assert read_line(Read(tool="search_workspace", args={"query": "api"})) == "Searched “api”"
    assert read_line(Read(tool="some_new_tool")) == "Some new tool"


def test_each_day_is_headed_once() -> None:
    shown = talk(
        message("a", created_at=ago(days=1)),
        message("b", created_at=ago(days=1)),
        message("c", created_at=ago(hours=1)),
    )
    assert [turn.day for turn in shown.turns] == ["Yesterday", None, "Today"]


def test_of_a_long_conversation_the_latest_is_shown_and_where_the_earlier_begins() -> None:
    said = [message(f"m{n}", created_at=ago(minutes=60 - n)) for n in range(6)]
    shown = talk(*said, limit=5)
    assert len(shown.turns) == 5
    assert shown.earlier == said[1].created_at
    assert talk(*said[1:], limit=5).earlier is None
