"""What Home says: the cards that wait for its reader, counted in words."""

from collections.abc import Sequence
from uuid import UUID

import msgspec

from handraise.gateway.pages.cards import CardView, view
from handraise.gateway.pages.times import Times
from handraise.gateway.pages.wording import counted, listed
from handraise.workspace.views.home import Aside
from handraise.workspace.views.talk import Card, Work

SHOWN = 5  # cards; what is more stands in rows


class Needs(msgspec.Struct, frozen=True):
    """The left column of Home."""

    questions: tuple[CardView, ...]
    proposals: tuple[CardView, ...]
    rest: tuple[CardView, ...]
    sentence: str


class AsideView(msgspec.Struct, frozen=True):
    """The right column of Home."""

    others: tuple[CardView, ...]
    running: tuple[Work, ...]
    lately: tuple[CardView, ...]


def needs_of(rows: Sequence[Card], viewer_id: UUID, times: Times) -> Needs:
    """Sort the open requests: questions, then proposals, oldest first in each."""
    cards = [view(row, viewer_id, times) for row in rows]
    ordered = sorted(cards, key=lambda card: not card.is_question)
    shown, rest = ordered[:SHOWN], ordered[SHOWN:]
    return Needs(
        questions=tuple(card for card in shown if card.is_question),
        proposals=tuple(card for card in shown if not card.is_question),
        rest=tuple(rest),
        sentence=_sentence(cards, times),
    )


def aside_of(aside: Aside, viewer_id: UUID, times: Times) -> AsideView:
    """Make the cards of the right column."""
    return AsideView(
        others=tuple(view(row, viewer_id, times) for row in aside.others),
        running=aside.running,
        lately=tuple(view(row, viewer_id, times) for row in aside.lately),
    )


def _sentence(cards: Sequence[CardView], times: Times) -> str:
    if not cards:
        return "Nothing waits for you."
    questions = sum(card.is_question for card in cards)
    kinds = [
        counted(number, word)
        for number, word in ((questions, "question"), (len(cards) - questions, "proposal"))
        if number
    ]
    verb = "waits" if len(cards) == 1 else "wait"
    oldest = min(card.row.created_at for card in cards)
    since = f"Since {times.past(oldest)}." if len(cards) == 1 else f"The oldest since {times.past(oldest)}."
    return f"{listed(kinds)} {verb} for you. {since}"
