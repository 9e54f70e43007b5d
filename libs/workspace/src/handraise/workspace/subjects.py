"""Who and what a decision of `policy` is about: the values that `facts` loads from the tables."""

from enum import StrEnum, auto
from uuid import UUID

from msgspec import Struct

from handraise.workspace.words import (
    ChannelKind,
    ConversationKind,
    MemberRole,
    MemberStatus,
    Role,
    Visibility,
)


class SubjectKind(StrEnum):
    """What an act is done to. Acts without a subject of their own are done to the workspace."""

    WORKSPACE = auto()
    TEAM = auto()
    PROJECT = auto()
    TASK = auto()
    CHANNEL = auto()
    CONVERSATION = auto()
    MEMBER = auto()
    DOC = auto()
    REMINDER = auto()
    REQUEST = auto()
    QUESTION = auto()  # a request that approves no action: quicker to judge
    ACTION = auto()
    JOB = auto()


class Person(Struct, frozen=True):
    """The member who wants to do something."""

    id: UUID
    name: str
    role: MemberRole
    status: MemberStatus


class Subject(Struct, frozen=True):
    """What is known about a subject, as seen from the person. What a kind does not have stays unset."""

    kind: SubjectKind
    name: str = ""
    """As people say it: “the project Atlas”, “#general”. A task goes by its project."""
    role: Role | None = None
    """What the person is on it. On the workspace: a guest is nothing. Of a doc: where it is filed."""
    holders: tuple[str, ...] = ()
    """Names of the active people who have the right: its admins; of a request, who may answer."""
    channel: ChannelKind | None = None
    conversation: ConversationKind | None = None
    visibility: Visibility | None = None
    mine: bool = False
    """The person is it, owns it, or the job runs as them."""
    named: bool = False
    """The request names the person."""
    peer: MemberStatus | None = None
    """Whether the other end of a direct message is active."""
    approval: bool = False
    """The request asks for approval of an action."""
    act: str | None = None
    """What the proposed action does; None where its tool is not known."""
    target: "Subject | None" = None
    """What the proposed action does it to; None where that is not there."""


class Facts(Struct, frozen=True):
    """All that a decision stands on. None: not in this workspace."""

    person: Person | None
    subject: Subject | None
