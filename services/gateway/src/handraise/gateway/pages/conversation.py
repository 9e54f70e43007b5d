"""From rows to a conversation: days, what people said, and an agent's turn with its reads and cards."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from handraise.gateway.pages.cards import CardView, State, view
from handraise.gateway.pages.times import Times, took
from handraise.gateway.pages.wording import counted
from handraise.workspace.views.shapes import Read
from handraise.workspace.views.talk import Card, Message, RoundRead, Work
from handraise.workspace.words import JobStatus, MessageKind


class Fold(msgspec.Struct, frozen=True):
    """What an agent read before it spoke, folded: “Read 2 things in 1.8 s”."""

    title: str
    lines: tuple[str, ...]


class Piece(msgspec.Struct, frozen=True, kw_only=True):
    """One part of a turn: a card, words, or a record such as “stopped”."""

    id: str
    card: CardView | None = None
    words: str | None = None
    notice: str | None = None
    details: str = ""
    icon: str = "info"
    bad: bool = False


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """What one author said in a row."""

    id: UUID
    at: datetime
    day: str | None  # heads a new day
    author: str
    agent: str | None
    for_whom: str | None
    fold: Fold | None
    pieces: tuple[Piece, ...]


class Dialogue(msgspec.Struct, frozen=True):
    """A thread, conversation or task's comments, ready to be shown."""

    turns: tuple[Turn, ...]
    working: tuple[Work, ...]
    open_cards: tuple[CardView, ...]  # that the viewer may decide
    earlier: datetime | None  # there are messages before this one

    @property
    def questions(self) -> tuple[CardView, ...]:
        return tuple(card for card in self.open_cards if card.is_question)


class _Draft(msgspec.Struct):
    head: Message
    pieces: list[Piece]
    last_at: datetime


def dialogue(
    *,
    messages: Sequence[Message],
    cards: Sequence[Card],
    work: Sequence[Work],
    reads: Sequence[RoundRead],
    viewer_id: UUID,
    times: Times,
    limit: int,
) -> Dialogue:
    """Put a conversation's rows in order. A card that no message carries yet stands at the end."""
    views = {card.id: view(card, viewer_id, times) for card in cards}
    stopped = {card.row.job_id for card in views.values() if card.state is State.STOPPED}
    shown = messages[-limit:]
    carried = {message.request_id for message in messages}
    drafts: list[_Draft] = []
    for message in (*shown, *(_carrier(card) for card in cards if card.id not in carried)):
        if _says_again(message, stopped):
            continue
        piece = _piece(message, views)
        if piece is None:
            continue
        if drafts and _same_turn(drafts[-1].head, message, times):
            drafts[-1].pieces.append(piece)
            drafts[-1].last_at = message.created_at
        else:
            drafts.append(_Draft(message, [piece], message.created_at))
    return Dialogue(
        turns=_turns(drafts, list(reads), times),
        working=tuple(work),
        open_cards=tuple(card for card in views.values() if card.may_decide),
        earlier=shown[0].created_at if shown and len(messages) > limit else None,
    )


def fold(reads: Sequence[RoundRead]) -> Fold | None:
    """Say what rounds read on their own, and how long they took together; None when they read nothing."""
    everything = [read for round_ in reads for read in round_.reads]
    if not everything:
        return None
    spent = sum(round_.latency_us for round_ in reads)
    return Fold(
        f"Read {counted(len(everything), 'thing')} in {took(spent)}", tuple(read_line(r) for r in everything)
    )


_TOOLS = {
    "list_my_tasks": "Your tasks",
    "list_projects": "Projects you are in",
    "list_project_tasks": "The tasks of a project",
    "search_workspace": "Searched",
    "summarize_channel": "Read the channel",
    "read_doc": "Read a doc",
    "find_people": "Looked for people",
}


def read_line(read: Read) -> str:
    """Say one read in people's words: its own title, else what the tool does and with which words."""
    if read.title:
        return read.title
    name = _TOOLS.get(read.tool) or read.tool.replace("_", " ").capitalize()
    words = [str(value) for key, value in read.args.items() if key in ("query", "channel", "title")]
    return f"{name} “{words[0]}”" if words else name


def _turns(drafts: Sequence[_Draft], reads: list[RoundRead], times: Times) -> tuple[Turn, ...]:
    turns: list[Turn] = []
    day = ""
    for draft in drafts:
        head = draft.head
        of_turn = [
            r for r in reads if head.agent and r.job_id == head.job_id and r.created_at <= draft.last_at
        ]
        reads = [r for r in reads if r not in of_turn]
        today = times.day(head.created_at)
        turns.append(
            Turn(
                id=head.id,
                at=head.created_at,
                day=today if today != day else None,
                author=head.author or head.agent or "Somebody who has left",
                agent=head.agent,
                for_whom=head.for_whom if head.agent else None,
                fold=fold(of_turn),
                pieces=tuple(draft.pieces),
            )
        )
        day = today
    return tuple(turns)


def _same_turn(head: Message, message: Message, times: Times) -> bool:
    return (
        head.agent is not None
        and head.author is None
        and (head.agent, head.job_id) == (message.agent, message.job_id)
        and times.day(head.created_at) == times.day(message.created_at)
    )


def _says_again(message: Message, stopped: set[UUID]) -> bool:
    """Tell whether a notice says only that work was stopped, where the stopped card says by whom and when."""
    return (
        message.kind is MessageKind.NOTICE
        and message.job_status is JobStatus.STOPPED
        and message.job_id in stopped
        and message.body.startswith("Stopped")
    )


def _carrier(card: Card) -> Message:
    return Message(
        id=card.id,
        kind=MessageKind.QUESTION,
        body="",
        created_at=card.created_at,
        author_id=None,
        author=None,
        agent=card.agent or "agent",
        for_whom=card.runs_as,
        job_id=card.job_id,
        job_status=None,
        request_id=card.id,
    )


def _piece(message: Message, views: dict[UUID, CardView]) -> Piece | None:
    card = views.get(message.request_id) if message.request_id else None
    match message.kind:
        case MessageKind.QUESTION | MessageKind.PROPOSAL if card:
            return Piece(id=str(message.id), card=card)
        case MessageKind.ANSWER if card:
            return None  # the card's record says who answered, when, what and from where
        case MessageKind.NOTICE:
            title, _, details = message.body.partition("\n")
            failed = message.job_status is JobStatus.FAILED
            stopped = message.job_status is JobStatus.STOPPED
            return Piece(
                id=str(message.id),
                notice=title,
                details=details.strip(),
                icon="warn" if failed else "stop" if stopped else "info",
                bad=failed,
            )
        case _:
            return Piece(id=str(message.id), words=message.body)
