"""Docs as pages show them: those that a member may read, and one with its text."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import ColumnElement, Select, Table, and_, exists, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.gates import may_read_doc
from handraise.workspace.schema import (
    doc_revisions,
    docs,
    members,
    project_members,
    projects,
    team_members,
    teams,
)
from handraise.workspace.views.shapes import answered, gathered
from handraise.workspace.words import MemberRole, Visibility

LISTED = 200
KEPT = 50  # versions of one doc in its list


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


class Revision(msgspec.Struct, frozen=True, kw_only=True):
    """A version of a doc that a newer one has replaced."""

    version: int
    author: str | None
    created_at: datetime


class RevisionPage(Revision, frozen=True, kw_only=True):
    """One with its text."""

    doc_id: UUID
    title: str
    body: str
    now: str  # the doc's present title


class DocPage(DocLine, frozen=True, kw_only=True):
    """A doc with its text, in Markdown."""

    body: str
    version: int
    created_at: datetime
    updated_by: str | None
    may_edit: bool
    revisions: tuple[Revision, ...]


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
    last = members.alias()
    statement = (
        _lines()
        .outerjoin(last, last.c.id == docs.c.updated_by)
        .add_columns(
            docs.c.body,
            docs.c.version,
            docs.c.created_at,
            last.c.name.label("updated_by"),
            _is_author(member_id).label("may_edit"),
            gathered(_revisions(doc_id)).label("revisions"),
        )
        .where(docs.c.id == doc_id, may_read_doc(member_id))
    )
    return await answered(connection, statement, DocPage)


async def revision_page(
    connection: AsyncConnection, member_id: UUID, doc_id: UUID, version: int
) -> RevisionPage | None:
    """Return an older version of a doc that the member may read."""
    author = members.alias()
    statement = (
        select(
            doc_revisions.c.doc_id,
            doc_revisions.c.version,
            doc_revisions.c.title,
            doc_revisions.c.body,
            doc_revisions.c.created_at,
            author.c.name.label("author"),
            docs.c.title.label("now"),
        )
        .select_from(
            doc_revisions.join(docs, docs.c.id == doc_revisions.c.doc_id).outerjoin(
                author, author.c.id == doc_revisions.c.author_id
            )
        )
        .where(docs.c.id == doc_id, doc_revisions.c.version == version, may_read_doc(member_id))
    )
    return await answered(connection, statement, RevisionPage)


def _is_author(member_id: UUID) -> ColumnElement[bool]:
    """Hold for docs that whoever may read them may also change, as the policy's `AUTHOR` says."""

    def belongs(membership: Table, column: str, filed: ColumnElement[Any]) -> ColumnElement[bool]:
        of = membership.alias()
        return exists(select(1).where(of.c[column] == filed, of.c.member_id == member_id).correlate(docs))

    who = members.alias()
    colleague = exists(select(1).where(who.c.id == member_id, who.c.role != MemberRole.GUEST).correlate(None))
    return or_(
        docs.c.owner_id == member_id,
        belongs(project_members, "project_id", docs.c.project_id),
        belongs(team_members, "team_id", docs.c.team_id),
        and_(docs.c.project_id.is_(None), docs.c.team_id.is_(None), colleague),
    )


def _revisions(doc_id: UUID) -> Select[Any]:
    author = members.alias()
    return (
        select(doc_revisions.c.version, author.c.name.label("author"), doc_revisions.c.created_at)
        .select_from(doc_revisions.outerjoin(author, author.c.id == doc_revisions.c.author_id))
        .where(doc_revisions.c.doc_id == doc_id)
        .order_by(doc_revisions.c.version.desc())
        .limit(KEPT)
    )


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
