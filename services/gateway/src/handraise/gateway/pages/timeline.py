"""From a job's rounds and requests to its timeline: what happened, in the order in which it happened."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from handraise.gateway.pages.cards import CardView, State, link, so_far, view, where
from handraise.gateway.pages.times import Times, span, took
from handraise.gateway.pages.wording import counted, cut, listed, plain_title
from handraise.workspace.views.jobs import Call, JobPage, RoundLine
from handraise.workspace.views.shapes import Receipt
from handraise.workspace.words import JobStatus


class Figure(msgspec.Struct, frozen=True):
    label: str
    value: str
    note: str = ""


class CallView(msgspec.Struct, frozen=True, kw_only=True):
    """One call of a round, folded."""

    tool: str
    is_read: bool
    result: str
    arguments: str
    body: str


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One entry of the timeline."""

    key: str
    at: datetime
    node: str = ""
    icon: str = ""
    mark: str = ""
    title: str
    meta: str = ""
    said: str = ""
    note: str = ""
    calls: tuple[CallView, ...] = ()
    receipt: Receipt | None = None
    waits: bool = False


class JobView(msgspec.Struct, frozen=True, kw_only=True):
    """A job's page."""

    row: JobPage
    title: str
    where: str
    link: str
    figures: tuple[Figure, ...]
    steps: tuple[Step, ...]
    models: str
    so_far: str
    stoppable: bool
    retriable: bool


_RESULTS = {
    "proposed": "proposed, waits for a click",
    "confirmed": "confirmed and done",
    "cached": "the same as before, not read again",
    "invalid": "not understood; told back",
    "answered": "answered",
    "declined": "not answered",
    "cancelled": "stopped",
}


def job_view(job: JobPage, viewer_id: UUID, times: Times) -> JobView:
    """Lay a job out in time."""
    cards = [view(card, viewer_id, times) for card in job.cards]
    steps = [_began(job), *(_round(round_, job.final) for round_ in job.rounds)]
    steps += [step for card in cards for step in _request(card, times)]
    # A round is stored when it is over and before what it asks: in one moment, the round comes first.
    steps.sort(key=lambda step: (step.at, step.node != "round"))
    return JobView(
        row=job,
        title=plain_title(job.prompt),
        where=where(job.surface, job.place, job.thread),
        link=link(job.surface, job.place_id, job.thread_id),
        figures=_figures(job, cards, times),
        steps=(*steps, *_ended(job)),
        models=listed(sorted({round_.model for round_ in job.rounds})),
        so_far=_so_far(job, cards),
        stoppable=job.runs_as_id == viewer_id and job.finished_at is None,
        retriable=job.runs_as_id == viewer_id and job.status in (JobStatus.FAILED, JobStatus.STOPPED),
    )


def _began(job: JobPage) -> Step:
    who = job.runs_as or "Somebody who has left"
    return Step(
        key="began",
        at=job.created_at,
        node="person",
        mark=who[:1],
        title=f"{who} wrote in {job.place or 'a place that is gone'}",
        said=f"“{cut(job.prompt, 600)}”",
    )


def _round(round_: RoundLine, final: str | None) -> Step:
    said = prose(round_.reply)
    pieces = [took(round_.latency_us)]
    if round_.input_tokens is not None and round_.output_tokens is not None:
        pieces += [f"{round_.input_tokens:,} in", f"{round_.output_tokens:,} out"]
    return Step(
        key=f"round-{round_.number}",
        at=round_.created_at,
        node="round",
        mark=str(round_.number),
        title=f"Round {round_.number}",
        meta=", ".join(pieces),
        # What it said at its end stands there.
        said="" if said == " ".join((final or "").split()) else cut(said, 600),
        calls=tuple(_call(call) for call in round_.calls),
    )


def prose(reply: str) -> str:
    """Return a model's own words without the calls and thoughts among them."""
    text = reply
    for tag in ("tool_call", "think", "thinking"):
        while (start := text.find(f"<{tag}>")) >= 0:
            end = text.find(f"</{tag}>", start)
            text = text[:start] + (text[end + len(tag) + 3 :] if end >= 0 else "")
    return " ".join(text.split())


def _call(call: Call) -> CallView:
    note = call.note or call.title or ""
    result = _RESULTS.get(call.status, call.status)
    return CallView(
        tool=call.tool or "a call that could not be read",
        is_read=call.status in ("ran", "cached"),
        result=(note or "read") if call.status == "ran" else f"{result}{f': {note}' if note else ''}",
        arguments=_json(call.args),
        body=_json(call.body) if call.body is not None else (call.note or result),
    )


def _json(value: Any) -> str:
    if isinstance(value, str):
        return value
    return msgspec.json.format(msgspec.json.encode({} if value is None else value), indent=2).decode()


def _request(card: CardView, times: Times) -> list[Step]:
    row = card.row
    asked = row.asked or "somebody who has left"
    options = f" {', '.join(card.options)}" if card.options else ""
    steps = [
        Step(
            key=f"asked-{row.id}",
            at=row.created_at,
            node="ask" if card.is_question else "propose",
            icon="hand" if card.is_question else "sheet",
            title=f"{'Asked' if card.is_question else 'Proposed a change to'} {asked}, and parked",
            said=f"“{card.title}”{options}" if card.is_question else card.title,
            note=(
                f"Round {row.round} is stored. From here on the job holds no process and no connection; "
                f"it expires {times.when(row.expires_at)}."
            ),
            waits=True,
        )
    ]
    if not card.is_open:
        steps.append(_decided(card))
    return steps


def _decided(card: CardView) -> Step:
    row = card.row
    who = row.answerer or "Somebody"
    at = row.answered_at or row.expires_at
    meta = f"{f'from {card.came_from}, ' if card.came_from else ''}after {span(at - row.created_at)}"
    good = card.state in (State.ANSWERED, State.DONE, State.CONFIRMED)
    titles = {
        State.ANSWERED: f"{who} answered: {row.option or row.answer or ''}",
        State.NOT_ANSWERED: f"{who} did not answer",
        State.STOPPED: f"{who} stopped the work",
        State.EXPIRED: "Expired, nobody answered in time",
        State.CONFIRMED: f"{who} confirmed: {card.title}",
        State.DONE: f"{who} confirmed: {card.title}",
        State.REJECTED: f"{who} rejected: {card.title}",
        State.REFUSED: f"Refused: {card.title}",
        State.FAILED: f"Failed: {card.title}",
    }
    said = {State.REJECTED: row.answer or row.reason, State.REFUSED: row.reason, State.FAILED: row.reason}
    words = said.get(card.state) or ""
    return Step(
        key=f"decided-{row.id}",
        at=at,
        node="good" if good and not card.is_question else "person" if card.state is State.ANSWERED else "",
        icon="" if card.state is State.ANSWERED else _icon(card.state),
        mark=who[:1],
        title=titles[card.state],
        meta=meta,
        said=f"“{words}”" if words and card.state is State.REJECTED else words,
        receipt=row.receipt,
    )


def _icon(state: State) -> str:
    return {
        State.NOT_ANSWERED: "skip",
        State.STOPPED: "stop",
        State.EXPIRED: "clock",
        State.REJECTED: "x",
        State.REFUSED: "lock",
        State.FAILED: "warn",
    }.get(state, "check")


def _ended(job: JobPage) -> list[Step]:
    at = job.finished_at
    if at is None:
        return []
    match job.status:
        case JobStatus.DONE:
            said = f"“{job.final}”" if job.final else ""
            return [Step(key="end", at=at, node="good", icon="check", title="Finished", said=said)]
        case JobStatus.STOPPED:
            by = f" by {job.stopped_by}" if job.stopped_by else ""
            return [Step(key="end", at=at, icon="stop", title=f"Stopped{by}", said=job.reason or "")]
        case JobStatus.FAILED:
            return [Step(key="end", at=at, icon="warn", title="Failed", said=job.reason or "")]
        case _:
            return []


def _figures(job: JobPage, cards: Sequence[CardView], times: Times) -> tuple[Figure, ...]:
    done = sum(card.state is State.DONE for card in cards)
    rejected = sum(card.state is State.REJECTED for card in cards)
    waited = sum(
        (
            (card.row.answered_at or min(times.now, card.row.expires_at)) - card.row.created_at
            for card in cards
        ),
        start=times.now - times.now,
    )
    tokens = [(r.input_tokens or 0, r.output_tokens or 0) for r in job.rounds]
    read, written = sum(t[0] for t in tokens), sum(t[1] for t in tokens)
    figures = [
        Figure("Rounds", str(len(job.rounds)), f"of at most {job.max_rounds}" if job.max_rounds else ""),
        Figure("Worked", took(sum(r.latency_us for r in job.rounds)), _so_far(job, cards)),
        Figure("Waited", span(waited) if cards else "never", _on(cards)),
        Figure("Changes", str(done), counted(rejected, "rejected", "rejected") if rejected else ""),
    ]
    if read or written:
        figures.append(Figure("Tokens", f"{read + written:,}", f"{read:,} in, {written:,} out"))
    return tuple(figures)


def _so_far(job: JobPage, cards: Sequence[CardView]) -> str:
    reads = sum(call.status == "ran" for round_ in job.rounds for call in round_.calls)
    return so_far(reads, sum(card.state is State.DONE for card in cards))


def _on(cards: Sequence[CardView]) -> str:
    names = list(dict.fromkeys(card.row.asked or "somebody who has left" for card in cards))
    return f"on {listed(names)}" if names else "it asked nobody"
