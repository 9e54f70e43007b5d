"""From a stored request to the card that shows it: its state, its words, and who may decide."""

from enum import StrEnum
from uuid import UUID

import msgspec

from handraise.common.questions import QuestionError, parse
from handraise.gateway.pages.times import Times
from handraise.gateway.pages.wording import counted, plain_title, said
from handraise.workspace.views.shapes import Preview
from handraise.workspace.views.talk import Card
from handraise.workspace.words import ActionStatus, RequestKind, RequestStatus, Surface

LONG = 200
ROW = 24  # an option longer than this makes the options a list, so do more than four of them
MANY = 9


class State(StrEnum):
    """What a card says, one word a state; everything but `OPEN` is a record."""

    OPEN = "open"
    ANSWERED = "answered"
    NOT_ANSWERED = "not_answered"
    STOPPED = "stopped"
    EXPIRED = "expired"
    CONFIRMED = "confirmed"
    DONE = "done"
    REJECTED = "rejected"
    REFUSED = "refused"
    FAILED = "failed"


_QUESTION = {
    RequestStatus.OPEN: State.OPEN,
    RequestStatus.ACCEPTED: State.ANSWERED,
    RequestStatus.DECLINED: State.NOT_ANSWERED,
    RequestStatus.CANCELLED: State.STOPPED,
    RequestStatus.EXPIRED: State.EXPIRED,
}
_ACTION = {
    ActionStatus.CONFIRMED: State.CONFIRMED,
    ActionStatus.DONE: State.DONE,
    ActionStatus.REJECTED: State.REJECTED,
    ActionStatus.REFUSED: State.REFUSED,
    ActionStatus.FAILED: State.FAILED,
    ActionStatus.EXPIRED: State.EXPIRED,
    ActionStatus.CANCELLED: State.STOPPED,
}
_PROPOSAL = {**_QUESTION, RequestStatus.ACCEPTED: State.CONFIRMED, RequestStatus.DECLINED: State.REJECTED}
_FROM = {
    "home": "Home",
    "thread": "the thread",
    "task": "the task",
    "dm": "the conversation",
    "api": "a program",
}


class CardView(msgspec.Struct, frozen=True, kw_only=True):
    """All that a card's template says, in words; `row` keeps the rest."""

    row: Card
    state: State
    is_question: bool
    title: str
    long: bool
    options: tuple[str, ...]
    layout: str  # row, list or find
    preview: Preview
    may_decide: bool
    asked: str  # you, or a name
    working_for: str  # you, or a name
    where: str
    link: str
    why: str
    so_far: str
    soon: bool

    @property
    def id(self) -> UUID:
        return self.row.id

    @property
    def is_open(self) -> bool:
        return self.state is State.OPEN

    @property
    def came_from(self) -> str:
        """Where it was answered, in words; empty when that is not known."""
        return _FROM.get(self.row.answered_from or "", "")

    @property
    def heavy_icon(self) -> str:
        """The mark of an action that can't be lightly done."""
        words = " ".join(self.preview.heavy).lower()
        return "coin" if "money" in words else "mail" if "leaves" in words else "warn"


def view(row: Card, viewer_id: UUID, times: Times) -> CardView:
    """Make the card that this viewer sees."""
    is_question = row.kind is RequestKind.QUESTION
    text, options = _read(row.text) if is_question else (row.text, ())
    preview = row.preview or Preview()
    title = text if is_question else preview.sentence or text
    state = _state(row)
    expired = state is State.OPEN and row.expires_at <= times.now
    return CardView(
        row=row,
        state=state,
        is_question=is_question,
        title=title,
        long=len(title) > LONG,
        options=options,
        layout=_layout(options),
        preview=preview,
        may_decide=state is State.OPEN and not expired and viewer_id in (row.asked_id, row.runs_as_id),
        asked=_name(row.asked_id, row.asked, viewer_id),
        working_for=_name(row.runs_as_id, row.runs_as, viewer_id),
        where=where(row.surface, row.place, row.thread),
        link=link(row.surface, row.place_id, row.thread_id, row.id),
        why=_why(row, viewer_id),
        so_far=so_far(row.reads, row.changes),
        soon=times.is_soon(row.created_at, row.expires_at),
    )


def where(surface: Surface, place: str | None, thread: str | None) -> str:
    """Name the place a card stands in: “#release › API deploy”."""
    if surface is Surface.CHANNEL_THREAD and thread:
        return f"{place or 'a channel'} › {plain_title(thread, 40)}"
    return place or "a place that is gone"


def link(surface: Surface, place_id: UUID, thread_id: UUID | None, card_id: UUID | None = None) -> str:
    """Return the address of the place, and of the card in it."""
    at = f"#card-{card_id}" if card_id else ""
    match surface:
        case Surface.CHANNEL_THREAD if thread_id:
            return f"/channels/{place_id}/threads/{thread_id}{at}"
        case Surface.CHANNEL_THREAD:
            return f"/channels/{place_id}"
        case Surface.TASK:
            return f"/tasks/{place_id}{at}"
        case Surface.DM | Surface.GROUP:
            return f"/dm/{place_id}{at}"
        case Surface.FUNCTION_CALL:
            return "/"


def so_far(reads: int, changes: int) -> str:
    """Say what a job has done until now, for whoever is about to stop it."""
    read = f"{counted(reads, 'thing')} read" if reads else "nothing read"
    changed = f"{counted(changes, 'change')} made" if changes else "nothing changed"
    return f"{read}, {changed}"


def _read(text: str) -> tuple[str, tuple[str, ...]]:
    try:
        question = parse(text)
    except QuestionError:
        # Stored by something that does not keep our form: shown as it stands, answered in words.
        return text, ()
    return question.text, question.options


def _state(row: Card) -> State:
    if row.kind is RequestKind.QUESTION:
        return _QUESTION[row.status]
    if row.action_status is not None and row.action_status in _ACTION:
        return _ACTION[row.action_status]
    return _PROPOSAL[row.status]


def _layout(options: tuple[str, ...]) -> str:
    if len(options) > MANY:
        return "find"
    return "list" if len(options) > 4 or any(len(option) > ROW for option in options) else "row"


def _name(member_id: UUID | None, name: str | None, viewer_id: UUID) -> str:
    return "you" if member_id == viewer_id else name or "somebody who has left"


def _why(row: Card, viewer_id: UUID) -> str:
    words = said(row.prompt)
    who = "You" if row.runs_as_id == viewer_id else row.runs_as or "Somebody"
    return f"{who} asked: “{words}”" if words else ""
