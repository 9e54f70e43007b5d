"""Answers, refusals to answer, stops, confirmations and rejections: the forms of the cards."""

import asyncio
from collections.abc import Awaitable
from typing import Any
from uuid import UUID

from litestar import Response, post

from handraise.common.problems import Problem
from handraise.gateway import answering
from handraise.gateway.answering import Answered
from handraise.gateway.pages.cards import link
from handraise.gateway.pages.forms import Form, settled
from handraise.gateway.pages.toasts import Toast, lost_race
from handraise.gateway.pages.visit import PageRequest, Visit
from handraise.gateway.pages.wording import cut
from handraise.workspace.views.home import asked_in
from handraise.workspace.words import RequestStatus

_LOOKS = (0.01, 0.02, 0.04, 0.08, 0.15, 0.3, 0.4)  # seconds; a record is usually there at the first or second


@post("/requests/{request_id:uuid}/answer")
async def answer(request: PageRequest, request_id: UUID) -> Response[Any]:
    """Answer a question with an option or in own words."""
    form = await Form.of(request)
    visit = Visit(request, via=form.via)
    option, text = form.get("option"), form.words("text")
    work = answering.answer(
        visit.gateway, visit.who, request_id, option=option, text=None if option else text, via=form.via
    )
    return await _decided(request, form, visit, request_id, work, words="" if option else text)


@post("/requests/{request_id:uuid}/decline")
async def decline(request: PageRequest, request_id: UUID) -> Response[Any]:
    """Say that nobody answers this: the work goes on without it."""
    form = await Form.of(request)
    visit = Visit(request, via=form.via)
    work = answering.decline(visit.gateway, visit.who, request_id, via=form.via)
    return await _decided(request, form, visit, request_id, work)


@post("/requests/{request_id:uuid}/cancel")
async def cancel(request: PageRequest, request_id: UUID) -> Response[Any]:
    """Stop the work that waits."""
    form = await Form.of(request)
    visit = Visit(request, via=form.via)
    work = answering.cancel(visit.gateway, visit.who, request_id, via=form.via)
    return await _decided(request, form, visit, request_id, work)


@post("/actions/{action_id:uuid}/confirm")
async def confirm(request: PageRequest, action_id: UUID) -> Response[Any]:
    """Confirm a proposal."""
    return await _decide(request, action_id, confirmed=True)


@post("/actions/{action_id:uuid}/reject")
async def reject(request: PageRequest, action_id: UUID) -> Response[Any]:
    """Reject a proposal, with or without a reason."""
    return await _decide(request, action_id, confirmed=False)


async def _decide(request: PageRequest, action_id: UUID, *, confirmed: bool) -> Response[Any]:
    form = await Form.of(request)
    visit = Visit(request, via=form.via)
    reason = form.words("reason")
    work = answering.decide(
        visit.gateway, visit.who, action_id, confirm=confirmed, reason=reason or None, via=form.via
    )
    action = await visit.gateway.store.action(visit.who.workspace_id, action_id)
    request_id = action["request_id"] if action else action_id
    return await _decided(request, form, visit, request_id, work, words=reason)


async def _decided(
    request: PageRequest,
    form: Form,
    visit: Visit,
    request_id: UUID,
    work: Awaitable[Answered],
    *,
    words: str = "",
) -> Response[Any]:
    place = await _place(visit, request_id) if words else ""

    async def done() -> Toast | None:
        try:
            answered = await work
        except Problem as problem:
            if problem.code != "already_answered":
                raise
            return lost_race(problem.extra, words or None, place, visit.times)
        await _recorded(visit, request_id)
        return _told(answered)

    return await settled(request, form, done(), words=words, place=place)


def _told(answered: Answered) -> Toast | None:
    """Tell what was answered. A confirmed or rejected proposal tells it itself, as a record."""
    said = answered.option or answered.text
    return Toast(f"Answered: {cut(said, 120)}.", tone="good") if answered.option else None


async def _recorded(visit: Visit, request_id: UUID) -> None:
    """Wait a moment until a runner has recorded the answer, so that the page we go back to shows it.

    The answer holds already, at the broker. Where no runner is up, the page shows the record later.
    """
    for pause in _LOOKS:
        row = await visit.gateway.store.request(visit.who.workspace_id, request_id)
        if row is None or row["status"] != RequestStatus.OPEN:
            return
        await asyncio.sleep(pause)


async def _place(visit: Visit, request_id: UUID) -> str:
    async with visit.read() as connection:
        asked = await asked_in(connection, visit.who.member_id, request_id)
    return link(asked.surface, asked.place_id, asked.thread_id) if asked else ""


routes = [answer, decline, cancel, confirm, reject]
