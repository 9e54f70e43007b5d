"""Which mark stands for what: a raised hand asks, a sheet proposes, filled waits, outlined is over."""

from handraise.gateway.pages.cards import CardView, State
from handraise.gateway.pages.times import Times
from handraise.workspace.words import ChannelKind

_ASKED = "mark--past mark--was-ask"
_PROPOSED = "mark--past mark--was-proposal"


def past_mark(card: CardView) -> tuple[str, str]:
    """Return the classes and the icon of a decided card's mark."""
    was = _ASKED if card.is_question else _PROPOSED
    match card.state:
        case State.ANSWERED:
            return was, "check"
        case State.NOT_ANSWERED:
            return was, "skip"
        case State.STOPPED:
            return _PROPOSED, "stop"
        case State.EXPIRED:
            return was, "clock"
        case State.CONFIRMED:
            return was, "sheet-check"
        case State.DONE:
            return "mark--good", "sheet-check"
        case State.REJECTED:
            return was, "sheet-x"
        case State.REFUSED:
            return "mark--bad", "lock"
        case State.FAILED:
            return "mark--bad", "warn"
        case State.OPEN:
            return open_mark(card)


def open_mark(card: CardView) -> tuple[str, str]:
    """Return the classes and the icon of a mark that waits for somebody."""
    if card.is_question:
        return "mark--ask", "hand"
    return ("mark--heavy", card.heavy_icon) if card.preview.heavy else ("mark--propose", "sheet")


def heavy_mark(reason: str) -> str:
    """Return the icon of one reason why an action can't be lightly done."""
    words = reason.lower()
    return "coin" if "money" in words else "out" if "leaves" in words else "no-undo"


def channel_mark(kind: ChannelKind) -> str:
    """Return the icon of a channel."""
    return {ChannelKind.PRIVATE: "lock", ChannelKind.ANNOUNCEMENT: "horn"}.get(kind, "hash")


def lately_line(card: CardView, viewer_id: object, times: Times) -> str:
    """Say in one line how a card was decided: “you confirmed, 09:15”."""
    at = times.past(card.row.answered_at or card.row.expires_at)
    who = "you" if card.row.answerer_id == viewer_id else card.row.answerer or "somebody"
    went_on = f"; @{card.row.agent} went on" if card.row.agent else ""
    match card.state:
        case State.ANSWERED:
            source = f", from {card.came_from}" if card.came_from and who != "you" else ""
            return f"{who}: {card.row.option or card.row.answer or ''}, {at}{source}"
        case State.NOT_ANSWERED:
            return f"{who} did not answer, {at}{went_on}"
        case State.STOPPED:
            return f"{who} stopped the work, {at}"
        case State.EXPIRED:
            return f"expired {at}{went_on}"
        case State.CONFIRMED | State.DONE:
            return f"{who} confirmed, {at}"
        case State.REFUSED | State.FAILED:
            return f"{card.state}, {at}: {card.row.reason or 'it could not be done'}"
        case _:
            return f"{who} {card.state.replace('_', ' ')}, {at}"
