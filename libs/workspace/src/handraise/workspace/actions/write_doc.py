"""Write a doc's title or its whole text anew."""

from typing import Any
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.doc_rows import change, receipt, take
from handraise.workspace.actions.order import Cannot, Order, Receipt, Write
from handraise.workspace.actions.wording import BODY_LENGTH, check_text, check_title
from handraise.workspace.policy import Act, SubjectKind


class WriteDoc(Struct, frozen=True, forbid_unknown_fields=True):
    """What is not given stays as it is."""

    doc_id: UUID
    title: str | UnsetType = UNSET
    body: str | UnsetType = UNSET


async def run(connection: AsyncConnection, order: Order, arguments: WriteDoc) -> Receipt:
    doc = await take(connection, order, arguments.doc_id)
    values: dict[str, Any] = {}
    facts: dict[str, str] = {}
    if arguments.title is not UNSET and (title := arguments.title.strip()) != doc.title:
        values["title"] = title
        facts["Title"] = f"{doc.title} → {title}"
    if arguments.body is not UNSET and arguments.body != doc.body:
        values["body"] = arguments.body
        facts["Text"] = f"{len(doc.body):,} → {len(arguments.body):,} characters"
    if not values:
        raise Cannot(f"“{doc.title}” reads like that already; nothing was changed.")
    await change(connection, order, doc, **values)
    return receipt(f"Changed doc “{values.get('title', doc.title)}”", doc, facts)


def check(arguments: WriteDoc) -> None:
    if arguments.title is not UNSET:
        check_title(arguments.title)
    if arguments.body is not UNSET:
        check_text(arguments.body, "body", longest=BODY_LENGTH, empty=True)


WRITE = Write(
    name="write_doc",
    arguments=WriteDoc,
    act=Act.DOC_EDIT,
    subjects=(("doc_id", SubjectKind.DOC),),
    run=run,
    check=check,
    by_hand=True,
)
