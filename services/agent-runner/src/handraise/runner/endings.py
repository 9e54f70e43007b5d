"""The words with which a job ends when it does not end by itself, for whoever must act on them. Pure."""

import re
from collections.abc import Sequence

from handraise.common.secrets import text_asks_for_secret
from handraise.runner.claims import corrected, unbacked_claim
from handraise.runner.transcript import Kept, Past

LONGEST = 40_000  # characters that an agent says at once: every event has to fit into one message of the bus
CUT = "\n\n(The rest is not shown: the message was too long.)"
NOBODY = "The agent is switched off, or the person it works for is no longer active. Nothing was done."
BROKEN = (
    "Something is wrong in Handraise itself, so I stopped. An admin finds what it was among the dead letters. "
    "Try again once it is mended."
)
EMPTY = "The model returned nothing three times, so I stopped. Try again, or ask in other words."


def shown(text: str) -> str:
    """Return what people read of an agent's words: all of them, unless there are far too many."""
    return text if len(text) <= LONGEST else text[:LONGEST].rstrip() + CUT


_QUOTED = re.compile(r"“[^”]*”|\"[^\"\n]*\"|«[^»]*»|„[^“]*“|`[^`]*`|^>.*$", re.MULTILINE)


def asks_for_secret(text: str) -> str | None:
    """Return why a model's own words must not reach a person; what they quote of others is not theirs."""
    return text_asks_for_secret(_QUOTED.sub(" … ", text))


def said(text: str, past: Past) -> str:
    """Return what people read of a model's own words, at the end or beside a card.

    Nothing is said to be done without a receipt, and words that ask for a secret are left out.
    """
    if asks_for_secret(text):
        return ""
    receipts = [(a.tool or "", str((a.receipt or {}).get("title", ""))) for a in past.receipts()]
    return shown(corrected(text, receipts) if unbacked_claim(text, receipts) else text)


def no_model(reason: str) -> str:
    """The model can't be had."""
    return f"I could not reach my model, so I stopped. {reason}"


def too_many_rounds(limit: int) -> str:
    """The loop was bounded."""
    return (
        f"I stopped after {limit} rounds without coming to an end. "
        "Try again, or split the work into smaller parts."
    )


def refused_questions(reason: str) -> str:
    """The model kept on asking what may not be asked."""
    return f"I stopped: three questions of mine were not fit to be asked. The last reason: {reason}"


def stopped(past: Past) -> str:
    """Say what had been done before somebody stopped the work."""
    reads = sum(c.status == "ran" for k in past.rounds for c in k.calls)
    read = f"{reads} thing{'s' if reads != 1 else ''} read" if reads else "nothing read"
    done = [str((a.receipt or {}).get("title", a.text)) for a in past.receipts()]
    changed = f"done: {'; '.join(done)}" if done else "nothing changed"
    where = f" in round {len(past.rounds)}" if past.rounds else ""
    return f"Stopped{where}. Before that: {read}, {changed}."


def notices(rounds: Sequence[Kept]) -> list[str]:
    """Return the refusals since the job last parked: each must stand in the thread, whatever the model says."""
    recent = list(rounds[-1:])  # the round that parks now, or the last before the end
    for kept in reversed(rounds[:-1]):
        if _parks(kept):
            break
        recent.append(kept)
    return [
        f"Not done: {call.title}. {call.note or ''}".strip()
        for kept in reversed(recent)
        for call in kept.calls
        if call.status == "refused" and call.tool != "needs_human" and call.title
    ]


def _parks(kept: Kept) -> bool:
    return any(call.status in ("asked", "proposed") for call in kept.calls)
