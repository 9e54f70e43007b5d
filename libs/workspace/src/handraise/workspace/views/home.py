"""What needs the member: requests that wait for them, and what they wait for themselves."""

from uuid import UUID

import msgspec
from sqlalchemy import and_, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.schema import jobs, requests
from handraise.workspace.views.places import may_see_job
from handraise.workspace.views.shapes import answered, gathered
from handraise.workspace.views.talk import Card, Work, card_rows, is_live, work_rows
from handraise.workspace.words import RequestStatus, Surface

LATELY = 6


class Aside(msgspec.Struct, frozen=True):
    """The right column of Home."""

    others: tuple[Card, ...]  # open requests of the member's jobs that somebody else is asked
    running: tuple[Work, ...]
    lately: tuple[Card, ...]  # decided requests that were theirs to decide or asked for their jobs


class _Needs(msgspec.Struct, frozen=True):
    cards: tuple[Card, ...]


async def needs(connection: AsyncConnection, member_id: UUID) -> tuple[Card, ...]:
    """Return the open requests that wait for the member, oldest first."""
    of_member = card_rows(requests.c.member_id == member_id, requests.c.status == RequestStatus.OPEN)
    found = await answered(connection, select(gathered(of_member).label("cards")), _Needs)
    return found.cards if found else ()


async def aside(connection: AsyncConnection, member_id: UUID) -> Aside:
    """Return what else the member wants to know of on Home."""
    decided_at = func.coalesce(requests.c.answered_at, requests.c.expires_at)
    lately = (
        card_rows(
            or_(requests.c.member_id == member_id, jobs.c.member_id == member_id),
            requests.c.status != RequestStatus.OPEN,
        )
        .order_by(None)
        .order_by(decided_at.desc())
        .limit(LATELY)
    )
    others = card_rows(
        and_(jobs.c.member_id == member_id, requests.c.member_id != member_id),
        requests.c.status == RequestStatus.OPEN,
    )
    statement = select(
        gathered(others).label("others"),
        gathered(work_rows(is_live(), may_see_job(member_id)).limit(20)).label("running"),
        gathered(lately).label("lately"),
    )
    return await answered(connection, statement, Aside) or Aside((), (), ())


class AskedIn(msgspec.Struct, frozen=True):
    """Where a request was asked."""

    surface: Surface
    place_id: UUID
    thread_id: UUID | None


async def asked_in(connection: AsyncConnection, member_id: UUID, request_id: UUID) -> AskedIn | None:
    """Return where a request that the member is asked stands; None when it is not theirs."""
    statement = select(requests.c.surface, requests.c.place_id, requests.c.thread_id).where(
        requests.c.id == request_id, requests.c.member_id == member_id
    )
    return await answered(connection, statement, AskedIn)
