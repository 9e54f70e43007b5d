"""Full-text search over what a member can read, and docs, as the read tools see them."""

from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, Text, cast, func, literal, select, union_all
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.gates import may_read_doc, may_read_message, may_read_task
from handraise.workspace.schema import (
    agents,
    channels,
    conversations,
    docs,
    members,
    messages,
    projects,
    tasks,
)
from handraise.workspace.views.tools_talk import SHOWN
from handraise.workspace.views.tools_tasks import KEY

LIMIT = 20
BODY = 20_000

_HEADLINE = 'MaxWords=30, MinWords=15, StartSel="", StopSel=""'
_WORDS = 12


def words(query: str) -> str | None:
    """Return `query` as a tsquery that wants every word or its beginning; None when it has no word.

    Each word is quoted whole, so that Postgres takes it apart as it did the text: ATL-118 and 2.4 are found.
    """
    found = [word for word in query.split() if any(map(str.isalnum, word))][:_WORDS]
    quoted = (word.replace("\\", "\\\\").replace("'", "''") for word in found)
    return " & ".join(f"'{word}':*" for word in quoted) or None


async def search(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, query: str
) -> list[dict[str, str]]:
    """Return the tasks, messages and docs that match `query`, a tsquery, the best first."""
    wanted = func.to_tsquery("simple", query)
    hits = union_all(
        _hits(
            wanted,
            kind="task",
            id=tasks.c.id,
            title=KEY + " " + tasks.c.title,
            body=tasks.c.description,
            at=tasks.c.updated_at,
        )
        .select_from(tasks.join(projects, projects.c.id == tasks.c.project_id))
        .where(tasks.c.workspace_id == workspace_id, may_read_task(member_id)),
        _hits(wanted, kind="doc", id=docs.c.id, title=docs.c.title, body=docs.c.body, at=docs.c.updated_at)
        .select_from(docs)
        .where(docs.c.workspace_id == workspace_id, may_read_doc(member_id)),
        _hits(
            wanted,
            kind="message",
            id=messages.c.id,
            title=_author() + " in " + _place(),
            body=messages.c.body,
            at=messages.c.created_at,
            searched=messages.c.body,
        )
        .select_from(
            messages.outerjoin(members, members.c.id == messages.c.author_id)
            .outerjoin(agents, agents.c.id == messages.c.agent_id)
            .outerjoin(channels, channels.c.id == messages.c.place_id)
            .outerjoin(conversations, conversations.c.id == messages.c.place_id)
            .outerjoin(tasks, tasks.c.id == messages.c.place_id)
            .outerjoin(projects, projects.c.id == tasks.c.project_id)
        )
        .where(
            messages.c.workspace_id == workspace_id,
            messages.c.kind.in_(SHOWN),
            may_read_message(member_id),
        ),
    ).subquery("hits")
    best = select(hits).order_by(hits.c.rank.desc(), hits.c.at.desc()).limit(LIMIT).subquery("best")
    # The excerpt is cut from the best alone: it costs more than the match.
    statement = select(
        best.c.kind,
        best.c.id,
        best.c.title,
        func.ts_headline("simple", best.c.body, wanted, _HEADLINE).label("excerpt"),
    ).order_by(best.c.rank.desc(), best.c.at.desc())
    return [
        {"kind": row.kind, "id": str(row.id), "title": row.title, "excerpt": row.excerpt}
        for row in await connection.execute(statement)
    ]


async def doc(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, doc_id: UUID
) -> dict[str, Any] | None:
    """Return a doc that the member can read."""
    statement = (
        select(docs.c.id, docs.c.title, docs.c.body, docs.c.updated_at, members.c.name.label("owner"))
        .select_from(docs.outerjoin(members, members.c.id == docs.c.owner_id))
        .where(docs.c.id == doc_id, docs.c.workspace_id == workspace_id, may_read_doc(member_id))
    )
    row = (await connection.execute(statement)).first()
    if row is None:
        return None
    cut = len(row.body) > BODY
    return {
        "id": str(row.id),
        "title": row.title,
        "body": row.body[:BODY] + "…" if cut else row.body,
        "owner": row.owner,
        "updated": row.updated_at.isoformat(),
    }


def _hits(
    wanted: ColumnElement[Any],
    *,
    kind: str,
    id: ColumnElement[Any],
    title: ColumnElement[Any],
    body: ColumnElement[Any],
    at: ColumnElement[Any],
    searched: ColumnElement[Any] | None = None,
) -> Select[Any]:
    text = func.to_tsvector("simple", title + " " + body if searched is None else searched)
    return select(
        literal(kind).label("kind"),
        id.label("id"),
        cast(title, Text).label("title"),
        body.label("body"),
        at.label("at"),
        func.ts_rank(text, wanted).label("rank"),
    ).where(text.bool_op("@@")(wanted))


def _author() -> ColumnElement[str]:
    return func.coalesce(agents.c.name, members.c.name, "somebody who left")


def _place() -> ColumnElement[str]:
    return func.coalesce(
        "#" + channels.c.name, KEY, func.nullif(conversations.c.name, ""), "a direct message"
    )
