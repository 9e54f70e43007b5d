"""What the writes on docs share: the doc as it is now, locked, and the change of it, which keeps what was."""

from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct
from sqlalchemy import func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.order import Cannot, Order, Receipt
from handraise.workspace.schema import doc_revisions, docs


class DocNow(Struct, frozen=True):
    """A doc before it is changed."""

    id: UUID
    title: str
    body: str
    version: int
    owner_id: UUID
    updated_by: UUID | None
    updated_at: datetime


async def take(connection: AsyncConnection, order: Order, doc_id: UUID) -> DocNow:
    """Lock the doc and return it. Raises Cannot when it is gone, or changed since the order's version."""
    columns = [docs.c[name] for name in DocNow.__struct_fields__]
    statement = (
        select(*columns)
        .where(docs.c.id == doc_id, docs.c.workspace_id == order.workspace_id)
        .with_for_update()
    )
    row = (await connection.execute(statement)).mappings().first()
    if row is None:
        raise Cannot("The doc is gone; nothing was changed.")
    if order.expected_version not in (None, row["version"]):
        raise Cannot(
            f"“{row['title']}” was changed by somebody else meanwhile; look at it again. Nothing was changed."
        )
    return DocNow(**row)


async def change(connection: AsyncConnection, order: Order, doc: DocNow, **values: Any) -> None:
    """Change columns of a doc that `take` has locked, and keep the version that this replaces."""
    await connection.execute(
        insert(doc_revisions).values(
            workspace_id=order.workspace_id,
            doc_id=doc.id,
            version=doc.version,
            title=doc.title,
            body=doc.body,
            author_id=doc.updated_by or doc.owner_id,
            created_at=doc.updated_at,
        )
    )
    await connection.execute(
        update(docs)
        .where(docs.c.id == doc.id, docs.c.workspace_id == order.workspace_id)
        .values(version=docs.c.version + 1, updated_at=func.now(), updated_by=order.member_id, **values)
    )


def receipt(title: str, doc: DocNow, facts: dict[str, str]) -> Receipt:
    """Return what a change of `doc` did."""
    version = {"Version": f"{doc.version} → {doc.version + 1}"}
    return Receipt(title, f"/docs/{doc.id}", {"Doc": doc.title, **facts, **version}, {"doc": str(doc.id)})
