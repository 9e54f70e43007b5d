"""Full-text search over what a member can read: one statement, ranked, with what was found marked.

The candidates come from the database's `search_*` functions, which may use an index where a plain query under
row-level security may not. They are given the places that the gates let the member read.
"""

from collections.abc import Collection
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from msgspec import Struct
from sqlalchemy import (
    ColumnElement,
    Float,
    Select,
    Text,
    and_,
    case,
    cast,
    func,
    literal,
    null,
    select,
    union_all,
)
from sqlalchemy.dialects.postgresql import ARRAY, TEXT, TSQUERY
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.gates import audiences_of, may_read_task, places_read_by, projects_read_by
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
from handraise.workspace.views.people_search import matching_people
from handraise.workspace.views.search_terms import Query
from handraise.workspace.words import Surface

# Marks round what was found. Of the private use area, and taken out of the text before.
_START, _STOP = "\ue000", "\ue001"
_HEADLINE = f"MaxWords=30, MinWords=15, StartSel={_START}, StopSel={_STOP}"
TASK_KEY = projects.c.key + "-" + cast(tasks.c.number, TEXT)


class HitKind(StrEnum):
    TASK = "task"
    MESSAGE = "message"
    DOC = "doc"
    PERSON = "person"


class Piece(Struct, frozen=True):
    """A piece of an excerpt, found or between what was found."""

    text: str
    hit: bool = False


class Hit(Struct, frozen=True, kw_only=True):
    """Something that was found."""

    kind: HitKind
    id: UUID
    title: str
    link: str
    at: datetime | None  # when it was last changed or said; of a person unset
    excerpt: tuple[Piece, ...]


async def search(
    connection: AsyncConnection,
    workspace_id: UUID,
    member_id: UUID,
    query: Query,
    *,
    kinds: Collection[HitKind] = tuple(HitKind),
    limit: int = 20,
) -> list[Hit]:
    """Return what matches, the best first."""
    wanted = func.to_tsquery("simple", query.words, type_=TSQUERY)
    found = {
        HitKind.MESSAGE: [_messages(wanted, member_id, limit)],
        HitKind.TASK: [_tasks(wanted, member_id, limit), *_keyed(workspace_id, member_id, query, limit)],
        HitKind.DOC: [_docs(wanted, member_id, limit)],
        HitKind.PERSON: [_people(workspace_id, member_id, query, limit)],
    }
    hits = union_all(*(part for kind in HitKind if kind in kinds for part in found[kind])).subquery("hits")
    best = (
        select(hits.c.kind, hits.c.id, func.max(hits.c.rank).label("rank"), func.max(hits.c.at).label("at"))
        .group_by(hits.c.kind, hits.c.id)
        .order_by(func.max(hits.c.rank).desc(), func.max(hits.c.at).desc().nulls_last(), hits.c.id)
        .limit(limit)
        .subquery("best")
    )
    rows = await connection.execute(_shown(best, wanted))
    return [_hit(row) for row in rows]


def _hits(kind: HitKind, source: Any) -> Select[Any]:
    at = source.c.at if "at" in source.c else null()
    return select(
        cast(literal(kind.value), Text).label("kind"),
        source.c.id,
        cast(source.c.rank, Float).label("rank"),
        cast(at, messages.c.created_at.type).label("at"),
    ).select_from(source)


def _messages(wanted: ColumnElement[Any], member_id: UUID, limit: int) -> Select[Any]:
    found = func.search_messages(
        wanted, _array(places_read_by(member_id)), _array(projects_read_by(member_id)), limit
    )
    return _hits(HitKind.MESSAGE, found.table_valued("id", "rank", "at", name="found_messages"))


def _tasks(wanted: ColumnElement[Any], member_id: UUID, limit: int) -> Select[Any]:
    found = func.search_tasks(wanted, _array(projects_read_by(member_id)), limit)
    return _hits(HitKind.TASK, found.table_valued("id", "rank", "at", name="found_tasks"))


def _docs(wanted: ColumnElement[Any], member_id: UUID, limit: int) -> Select[Any]:
    found = func.search_docs(wanted, _array(audiences_of(member_id)), limit)
    return _hits(HitKind.DOC, found.table_valued("id", "rank", "at", name="found_docs"))


def _people(workspace_id: UUID, member_id: UUID, query: Query, limit: int) -> Select[Any]:
    return _hits(HitKind.PERSON, matching_people(workspace_id, member_id, query.text, limit).subquery())


def _keyed(workspace_id: UUID, member_id: UUID, query: Query, limit: int) -> list[Select[Any]]:
    """Return the tasks whose key it is, before those of whose key it is the beginning."""
    if query.key is None:
        return []
    key, number = query.key
    written = cast(tasks.c.number, TEXT)
    conditions = [
        projects.c.workspace_id == workspace_id,
        projects.c.key == key,
        written.startswith(number),
        may_read_task(member_id),
    ]
    if query.rest is not None:
        conditions.append(tasks.c.words.bool_op("@@")(func.to_tsquery("simple", query.rest)))
    found = (
        select(
            tasks.c.id,
            case((written == number, 3.0), else_=2.0).label("rank"),
            tasks.c.updated_at.label("at"),
        )
        .join(projects, projects.c.id == tasks.c.project_id)
        .where(*conditions)
        .order_by(written == number, tasks.c.number)
        .limit(limit)
        .subquery("keyed")
    )
    return [_hits(HitKind.TASK, found)]


def _shown(best: Any, wanted: ColumnElement[Any]) -> Select[Any]:
    """Return the best with their titles, places and excerpts: joined late, because each costs a look-up."""
    person, author, place, on = members.alias(), members.alias(), projects.alias(), tasks.alias()
    body = case(
        (best.c.kind == HitKind.MESSAGE, messages.c.body),
        (best.c.kind == HitKind.TASK, tasks.c.description),
        (best.c.kind == HitKind.DOC, docs.c.body),
        else_="",
    )
    spoken = func.coalesce(agents.c.name, author.c.name, "somebody who left")
    where = func.coalesce(
        "#" + channels.c.name,
        place.c.key + "-" + cast(on.c.number, TEXT),
        func.nullif(conversations.c.name, ""),
        "a direct message",
    )
    title = case(
        (best.c.kind == HitKind.MESSAGE, spoken + " in " + where),
        (best.c.kind == HitKind.TASK, TASK_KEY + " " + tasks.c.title),
        (best.c.kind == HitKind.DOC, docs.c.title),
        else_=person.c.name + " @" + person.c.handle,
    )
    is_message = and_(best.c.kind == HitKind.MESSAGE, messages.c.id == best.c.id)
    source = (
        best.outerjoin(messages, is_message)
        .outerjoin(author, author.c.id == messages.c.author_id)
        .outerjoin(agents, agents.c.id == messages.c.agent_id)
        .outerjoin(channels, channels.c.id == messages.c.place_id)
        .outerjoin(conversations, conversations.c.id == messages.c.place_id)
        .outerjoin(on, on.c.id == messages.c.place_id)
        .outerjoin(place, place.c.id == on.c.project_id)
        .outerjoin(tasks, and_(best.c.kind == HitKind.TASK, tasks.c.id == best.c.id))
        .outerjoin(projects, projects.c.id == tasks.c.project_id)
        .outerjoin(docs, and_(best.c.kind == HitKind.DOC, docs.c.id == best.c.id))
        .outerjoin(person, and_(best.c.kind == HitKind.PERSON, person.c.id == best.c.id))
    )
    plain = func.translate(body, _START + _STOP, "")
    return (
        select(
            best.c.kind,
            best.c.id,
            best.c.at,
            cast(title, Text).label("title"),
            func.ts_headline("simple", plain, wanted, _HEADLINE).label("excerpt"),
            messages.c.surface,
            messages.c.place_id,
            messages.c.thread_id,
        )
        .select_from(source)
        # What row-level security hides from whoever asks has no title here.
        .where(title.is_not(None))
        .order_by(best.c.rank.desc(), best.c.at.desc().nulls_last(), best.c.id)
    )


def _array(ids: Any) -> ColumnElement[Any]:
    return func.array(ids.scalar_subquery(), type_=ARRAY(messages.c.id.type))


def _hit(row: Any) -> Hit:
    return Hit(
        kind=HitKind(row.kind),
        id=row.id,
        title=row.title,
        link=_link(row),
        at=row.at,
        excerpt=_pieces(row.excerpt),
    )


def _link(row: Any) -> str:
    match HitKind(row.kind):
        case HitKind.TASK:
            return f"/tasks/{row.id}"
        case HitKind.DOC:
            return f"/docs/{row.id}"
        case HitKind.PERSON:
            return f"/people/{row.id}"
    match Surface(row.surface):
        case Surface.CHANNEL_THREAD if row.thread_id:
            return f"/channels/{row.place_id}/threads/{row.thread_id}#m-{row.id}"
        case Surface.CHANNEL_THREAD:
            return f"/channels/{row.place_id}#m-{row.id}"
        case Surface.TASK:
            return f"/tasks/{row.place_id}#m-{row.id}"
    return f"/dm/{row.place_id}#m-{row.id}"


def _pieces(excerpt: str) -> tuple[Piece, ...]:
    pieces = []
    for number, part in enumerate(excerpt.split(_START)):
        found, _, rest = part.partition(_STOP) if number else ("", "", part)
        pieces += [Piece(found, hit=True), Piece(rest)]
    return tuple(piece for piece in pieces if piece.text)
