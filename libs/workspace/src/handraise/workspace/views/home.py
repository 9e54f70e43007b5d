"""What needs the member: requests that wait for them, and what they wait for themselves."""

from uuid import UUID

import msgspec
from sqlalchemy import ColumnElement, Text, and_, cast, func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.schema import actions, agents, jobs, requests, tasks
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


async def needs(
    connection: AsyncConnection, member_id: UUID, *, agent: str | None = None, project_id: UUID | None = None
) -> tuple[Card, ...]:
    """Return the open requests that wait for the member, oldest first; of one agent or about one project."""
    wanted = [requests.c.member_id == member_id, requests.c.status == RequestStatus.OPEN]
    if agent is not None:
        wanted.append(agents.c.handle == agent)
    if project_id is not None:
        wanted.append(_about(project_id))
    of_member = card_rows(*wanted)
    found = await answered(connection, select(gathered(of_member).label("cards")), _Needs)
    return found.cards if found else ()


def _about(project_id: UUID) -> ColumnElement[bool]:
    """Hold for what is asked on a task of the project, and for what would be done to it or to one."""
    its = select(tasks.c.id).where(tasks.c.project_id == project_id).correlate(None)
    target = actions.c.arguments
    return or_(
        and_(requests.c.surface == Surface.TASK, requests.c.place_id.in_(its)),
        target["project_id"].astext == str(project_id),
        target["task_id"].astext.in_(its.with_only_columns(cast(tasks.c.id, Text))),
    )


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
