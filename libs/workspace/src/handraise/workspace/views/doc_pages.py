"""Docs as pages show them: those that a member may read, and one with its text."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.gates import may_read_doc
from handraise.workspace.schema import docs, members, projects, teams
from handraise.workspace.views.shapes import answered, gathered
from handraise.workspace.words import Visibility

LISTED = 200


class DocLine(msgspec.Struct, frozen=True, kw_only=True):
    """A doc in a list."""

    id: UUID
    title: str
    visibility: Visibility
    owner_id: UUID
    owner: str | None
    project_id: UUID | None
    project: str | None
    team: str | None
    updated_at: datetime


class DocPage(DocLine, frozen=True, kw_only=True):
    """A doc with its text, in Markdown."""

    body: str
    version: int
    created_at: datetime


class _Lines(msgspec.Struct, frozen=True):
    docs: tuple[DocLine, ...]


async def docs_of(
    connection: AsyncConnection, member_id: UUID, *, project_id: UUID | None = None
) -> tuple[DocLine, ...]:
    """Return the docs that the member may read, of one project or all, the latest changed first."""
    lines = _lines().where(may_read_doc(member_id)).order_by(docs.c.updated_at.desc(), docs.c.id)
    if project_id is not None:
        lines = lines.where(docs.c.project_id == project_id)
    found = await answered(connection, select(gathered(lines.limit(LISTED)).label("docs")), _Lines)
    return found.docs if found else ()


async def doc_page(connection: AsyncConnection, member_id: UUID, doc_id: UUID) -> DocPage | None:
    """Return a doc that the member may read."""
    statement = (
        _lines()
        .add_columns(docs.c.body, docs.c.version, docs.c.created_at)
        .where(docs.c.id == doc_id, may_read_doc(member_id))
    )
    return await answered(connection, statement, DocPage)


def _lines() -> Select[Any]:
    return select(
        docs.c.id,
        docs.c.title,
        docs.c.visibility,
        docs.c.owner_id,
        members.c.name.label("owner"),
        docs.c.project_id,
        projects.c.name.label("project"),
        teams.c.name.label("team"),
        docs.c.updated_at,
    ).select_from(
        docs.outerjoin(members, members.c.id == docs.c.owner_id)
        .outerjoin(projects, projects.c.id == docs.c.project_id)
        .outerjoin(teams, teams.c.id == docs.c.team_id)
    )
