"""What the API takes and gives. Input refuses unknown fields; times carry their zone."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec


class Input(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A request body."""


class SignIn(Input, frozen=True, kw_only=True):
    """Who wants in. Without `workspace`, the server's own."""

    email: Annotated[str, msgspec.Meta(max_length=320)]
    password: Annotated[str, msgspec.Meta(max_length=1_024)]
    workspace: Annotated[str, msgspec.Meta(max_length=64)] | None = None


class Me(msgspec.Struct, frozen=True, kw_only=True):
    """Who is signed in. `csrf` goes into X-CSRF-Token of every change made with the cookie."""

    member_id: UUID
    workspace_id: UUID
    workspace: str
    name: str
    handle: str
    role: str
    timezone: str
    csrf: str


class NewToken(Input, frozen=True, kw_only=True):
    """A bearer token to be made."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
    days: Annotated[int, msgspec.Meta(ge=1, le=365)] = 90


class Token(msgspec.Struct, frozen=True, kw_only=True):
    """A bearer token, shown this once."""

    token: str
    name: str


class Write(Input, frozen=True, kw_only=True):
    """A message. `message_id`, when given, makes sending it again harmless."""

    body: Annotated[str, msgspec.Meta(min_length=1, max_length=20_000)]
    thread_id: UUID | None = None
    message_id: UUID | None = None


class Posted(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a message: the job it started, or the request it answered."""

    message_id: UUID
    thread_id: UUID | None
    job_id: UUID | None
    request_id: UUID | None


class Reply(Input, frozen=True, kw_only=True):
    """An answer: one of the options exactly, or own words."""

    option: Annotated[str, msgspec.Meta(max_length=120)] | None = None
    text: Annotated[str, msgspec.Meta(max_length=20_000)] | None = None


class Reason(Input, frozen=True, kw_only=True):
    """Why a proposal is rejected; the agent reads it."""

    reason: Annotated[str, msgspec.Meta(max_length=20_000)] | None = None


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome that was taken, first."""

    request_id: UUID
    job_id: UUID
    outcome: str
    option: str | None
    text: str


class StatusChange(Input, frozen=True, kw_only=True):
    """A task's new status. With `version`, only if nobody changed the task meanwhile."""

    status: Annotated[str, msgspec.Meta(max_length=64)]
    version: Annotated[int, msgspec.Meta(ge=0, lt=2**31)] | None = None


class ChannelLink(msgspec.Struct, frozen=True):
    """A channel one can go to."""

    id: UUID
    name: str
    kind: str


class ProjectLink(msgspec.Struct, frozen=True):
    """A project one can go to."""

    id: UUID
    key: str
    name: str


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """A message. Of a question or proposal, `request_id` names the card."""

    id: UUID
    kind: str
    body: str
    author_id: UUID | None
    author: str | None
    agent: str | None
    job_id: UUID | None
    request_id: UUID | None
    thread_id: UUID | None
    created_at: datetime


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What a job waits for. Of a question, `text` and `options`; of an approval, the action."""

    id: UUID
    kind: str
    status: str
    job_id: UUID
    agent: str
    member_id: UUID
    surface: str
    place_id: UUID
    thread_id: UUID | None
    text: str
    options: tuple[str, ...]
    action_id: UUID | None
    tool: str | None
    arguments: dict[str, Any] | None
    preview: dict[str, Any] | None
    receipt: dict[str, Any] | None
    action_status: str | None
    reason: str | None
    option: str | None
    answer: str | None
    answered_by: UUID | None
    answered_at: datetime | None
    answered_from: str | None
    expires_at: datetime
    created_at: datetime


class Round(msgspec.Struct, frozen=True, kw_only=True):
    """One model call of a job."""

    number: int
    reply: str
    calls: list[Any]
    model: str
    input_tokens: int | None
    output_tokens: int | None
    latency_us: int
    created_at: datetime


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """A piece of work."""

    id: UUID
    status: str
    reason: str | None
    final: str | None
    agent_id: UUID
    member_id: UUID
    surface: str
    place_id: UUID
    thread_id: UUID | None
    message_id: UUID
    prompt: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    rounds: tuple[Round, ...]
    requests: tuple[Request, ...]


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """A task."""

    id: UUID
    key: str
    title: str
    description: str
    status: str
    project_id: UUID
    assignee_id: UUID | None
    due_at: datetime | None
    version: int


class Receipt(msgspec.Struct, frozen=True, kw_only=True):
    """What a write did."""

    title: str
    link: str
    facts: dict[str, str]
    ids: dict[str, str]
