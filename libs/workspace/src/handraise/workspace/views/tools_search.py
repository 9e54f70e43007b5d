"""Search and docs, as the read tools see them."""

from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.gates import may_read_doc
from handraise.workspace.schema import docs, members
from handraise.workspace.views.search import HitKind, search
from handraise.workspace.views.search_terms import Query

BODY = 20_000


async def find(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, query: Query
) -> list[dict[str, str]]:
    """Return the tasks, messages and docs that match, the best first."""
    kinds = (HitKind.TASK, HitKind.MESSAGE, HitKind.DOC)
    return [
        {
            "kind": hit.kind.value,
            "id": str(hit.id),
            "title": hit.title,
            "excerpt": "".join(piece.text for piece in hit.excerpt),
        }
        for hit in await search(connection, workspace_id, member_id, query, kinds=kinds)
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
