"""What travels on the bus: frozen, unknown fields refused, versioned by `v`.

A change of meaning is a new version and a new struct beside the old one, as long as old ones may be parked.
"""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec

from handraise.common.questions import Outcome

Version = Annotated[int, msgspec.Meta(ge=1, le=1)]


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What all of them carry."""

    workspace_id: UUID
    v: Version = 1


class Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where on which surface a conversation happens."""

    surface: str
    place_id: UUID
    thread_id: UUID | None = None


class Run(Message, frozen=True, kw_only=True):
    """Run a job. Carries the message that started it, so that it is stored even if the gateway dies now."""

    job_id: UUID
    message_id: UUID
    agent_id: UUID
    member_id: UUID
    place: Place
    body: str
    at: datetime


class Execute(Message, frozen=True, kw_only=True):
    """Execute a confirmed action."""

    action_id: UUID
    job_id: UUID
    request_id: UUID
    digest: str  # of what was approved


class Wake(Message, frozen=True, kw_only=True):
    """The outcome of a request. Parked as `expired`, so that the broker itself can deliver that."""

    request_id: UUID
    job_id: UUID
    outcome: Outcome
    by: UUID | None = None
    by_name: str = ""
    option: str | None = None
    text: str = ""
    digest: str = ""  # of an approval: what was approved
    via: str = ""  # home, thread, task, job, api
    at: datetime | None = None


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A request as it is posted into its surface."""

    request_id: UUID
    kind: str  # question, approval
    text: str
    asked: UUID | None = None  # who is asked, where it is not whom the job runs as
    seq: int = 0  # where its parked message lies, for whoever answers it


class Event(Message, frozen=True, kw_only=True, tag_field="kind"):
    """What happened to a job. Everything a poster needs is in it."""

    job_id: UUID
    agent_id: UUID
    member_id: UUID
    place: Place
    at: datetime


class JobParked(Event, frozen=True, kw_only=True, tag="parked"):
    """A job waits for people now."""

    round: int
    cards: tuple[Card, ...]
    said: str = ""  # what the agent wrote beside its calls
    notices: tuple[str, ...] = ()


class JobResumed(Event, frozen=True, kw_only=True, tag="resumed"):
    """A request of the job has its outcome."""

    request_id: UUID
    request_kind: str
    asked: UUID  # who was asked
    outcome: Outcome
    by: UUID | None
    text: str  # the answer as words
    via: str


class ActionExecuted(Event, frozen=True, kw_only=True, tag="executed"):
    """A confirmed action ran, or was refused, or failed."""

    action_id: UUID
    request_id: UUID
    status: str
    sentence: str
    touched: tuple[str, ...] = ()  # pages that changed: "task:<id>", "place:<id>"


class JobFinished(Event, frozen=True, kw_only=True, tag="finished"):
    """A job ended: done, stopped or failed."""

    status: str
    text: str  # the final message, or what ended it
    by: UUID | None = None
    notices: tuple[str, ...] = ()
    closed: tuple[UUID, ...] = ()  # requests that were still open, closed with it


class MembershipChanged(Message, frozen=True, kw_only=True, tag_field="kind", tag="membership"):
    """Somebody's rights changed: caches of them are stale."""

    member_id: UUID | None = None
    subject_id: UUID | None = None


Happened = JobParked | JobResumed | ActionExecuted | JobFinished | MembershipChanged


class Live(Message, frozen=True, kw_only=True):
    """Something open pages show has changed."""

    kind: str  # parked, resumed, executed, finished, posted, started, working
    topics: tuple[str, ...]  # home, place-<id>, thread-<id>, task-<id>, job-<id>
    place: Place | None = None
    members: tuple[UUID, ...] = ()  # whom it concerns: their Home changes
    job_id: UUID | None = None
    request_ids: tuple[UUID, ...] = ()
    seqs: tuple[int, ...] = ()  # where they are parked, in the same order
    message_id: UUID | None = None
    status: str = ""
    text: str = ""
    seq: int = 0  # of the event it follows from, 0 for none


class DeadLetter(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of a message that could not be handled."""

    subject: str
    reason: str
    deliveries: int
    consumer: str
    headers: dict[str, str]
    body: str  # as text where it is, else base64
    encoding: str = "text"


_encoder = msgspec.json.Encoder()


def encode(message: Any) -> bytes:
    """Write a message as it travels."""
    return _encoder.encode(message)
