"""What travels on the bus: every message reads back as it was written, and nothing else is taken for one."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
import pytest

from handraise.common.bus.live import live_of, topics
from handraise.common.bus.messages import (
    ActionExecuted,
    Card,
    DeadLetter,
    Execute,
    Happened,
    JobFinished,
    JobParked,
    JobResumed,
    Live,
    MembershipChanged,
    Message,
    Place,
    Run,
    Wake,
    encode,
)
from handraise.common.questions import Outcome

ID = UUID("00000000-0000-7000-8000-000000000001")
AT = datetime(2026, 3, 5, 9, 30, tzinfo=UTC)
THREAD = Place("channel_thread", ID, ID)
_EVENT = {"workspace_id": ID, "job_id": ID, "agent_id": ID, "member_id": ID, "place": THREAD, "at": AT}

MESSAGES: list[Message] = [
    Run(
        workspace_id=ID,
        job_id=ID,
        message_id=ID,
        agent_id=ID,
        member_id=ID,
        place=THREAD,
        body="do it",
        at=AT,
    ),
    Execute(workspace_id=ID, action_id=ID, job_id=ID, request_id=ID, digest="d"),
    Wake(workspace_id=ID, request_id=ID, job_id=ID, outcome=Outcome.EXPIRED),
    Wake(
        workspace_id=ID,
        request_id=ID,
        job_id=ID,
        outcome=Outcome.ACCEPT,
        by=ID,
        option="red",
        text="red",
        at=AT,
    ),
    JobParked(**_EVENT, round=1, cards=(Card(ID, "question", "Which?", ID),), said="Hm.", notices=("No.",)),
    JobResumed(
        **_EVENT,
        request_id=ID,
        request_kind="question",
        asked=ID,
        outcome=Outcome.DECLINE,
        by=ID,
        text="",
        via="home",
    ),
    ActionExecuted(
        **_EVENT, action_id=ID, request_id=ID, status="done", sentence="Marked", touched=(f"task-{ID}",)
    ),
    JobFinished(**_EVENT, status="done", text="So.", by=None, notices=(), closed=(ID,)),
    MembershipChanged(workspace_id=ID, member_id=ID),
    Live(workspace_id=ID, kind="posted", topics=("home",), place=THREAD, members=(ID,), seq=3),
]


def _kind(message: Message) -> Any:
    return Happened if message.__struct_config__.tag else type(message)


@pytest.mark.parametrize("message", MESSAGES, ids=lambda m: type(m).__name__)
def test_a_message_reads_back_as_it_was_written(message: Message) -> None:
    assert msgspec.json.decode(encode(message), type=_kind(message)) == message


@pytest.mark.parametrize("message", MESSAGES, ids=lambda m: type(m).__name__)
@pytest.mark.parametrize(
    "change",
    [{"surprise": 1}, {"v": 2}, {"v": 0}, {"v": "1"}, {"workspace_id": "acme"}, {"workspace_id": None}],
    ids=str,
)
def test_another_version_or_an_unknown_field_is_not_taken_for_it(
    message: Message, change: dict[str, Any]
) -> None:
    body = msgspec.json.decode(encode(message))
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(body | change, type=_kind(message), strict=True)


@pytest.mark.parametrize("message", MESSAGES, ids=lambda m: type(m).__name__)
def test_without_one_of_its_required_fields_it_is_not_read(message: Message) -> None:
    body = msgspec.json.decode(encode(message))
    required = [field.encode_name for field in msgspec.structs.fields(message) if field.required]
    assert required
    for name in required:
        rest = {key: value for key, value in body.items() if key != name}
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(rest, type=_kind(message))


def test_a_wake_that_was_parked_by_an_earlier_release_is_still_read() -> None:
    """What is parked now may come due in months: its shape is spelled out here and must not change."""
    parked = (
        b'{"workspace_id":"00000000-0000-7000-8000-000000000001","v":1,'
        b'"request_id":"00000000-0000-7000-8000-000000000001",'
        b'"job_id":"00000000-0000-7000-8000-000000000001","outcome":"expired","by":null,"by_name":"",'
        b'"option":null,"text":"","digest":"","via":"","at":null}'
    )
    wake = Wake(workspace_id=ID, request_id=ID, job_id=ID, outcome=Outcome.EXPIRED)
    assert msgspec.json.decode(parked, type=Wake) == wake
    assert encode(wake) == parked


def test_a_dead_letter_keeps_what_it_was() -> None:
    letter = DeadLetter(
        subject="cmd.run.a.b", reason="no", deliveries=8, consumer="run", headers={"a": "b"}, body="{}"
    )
    assert msgspec.json.decode(encode(letter), type=DeadLetter) == letter


def test_an_event_tells_the_pages_that_show_it_and_the_people_it_concerns() -> None:
    other = UUID("00000000-0000-7000-8000-000000000002")
    parked = JobParked(**_EVENT, round=1, cards=(Card(ID, "question", "Which?", other),))
    live = live_of(parked, 7)
    assert live is not None
    assert (live.kind, live.seq, live.request_ids) == ("parked", 7, (ID,))
    assert set(live.topics) == {"home", f"job-{ID}", f"thread-{ID}", f"place-{ID}"}
    assert set(live.members) == {ID, other}
    assert live_of(MembershipChanged(workspace_id=ID), 8) is None


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (THREAD, {f"thread-{ID}", f"place-{ID}"}),
        (Place("task", ID), {f"task-{ID}"}),
        (Place("dm", ID), {f"place-{ID}"}),
        (Place("group", ID), {f"place-{ID}"}),
    ],
)
def test_a_place_is_shown_on_its_pages(place: Place, expected: set[str]) -> None:
    assert set(topics(place)) == expected
