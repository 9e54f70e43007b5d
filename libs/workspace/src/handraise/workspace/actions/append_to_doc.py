"""Add text at the end of a doc."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.doc_rows import change, receipt, take
from handraise.workspace.actions.order import Cannot, Order, Receipt, Write
from handraise.workspace.actions.wording import BODY_LENGTH, check_text, one_line
from handraise.workspace.policy import Act, SubjectKind


class AppendToDoc(Struct, frozen=True, forbid_unknown_fields=True):
    doc_id: Annotated[UUID, Meta(description="The doc's id, as search_workspace returned it.")]
    text: Annotated[str, Meta(description="What to add at its end, in Markdown.")]


async def run(connection: AsyncConnection, order: Order, arguments: AppendToDoc) -> Receipt:
    doc = await take(connection, order, arguments.doc_id)
    # A paragraph of its own, whatever the doc ends with.
    body = f"{doc.body.rstrip()}\n\n{arguments.text.strip()}\n".lstrip("\n")
    if len(body) > BODY_LENGTH:
        raise Cannot(
            f"“{doc.title}” would have {len(body):,} characters, and {BODY_LENGTH:,} fit; begin another doc."
        )
    await change(connection, order, doc, body=body)
    return receipt(f"Added to doc “{doc.title}”", doc, {"Added": one_line(arguments.text)})


def check(arguments: AppendToDoc) -> None:
    check_text(arguments.text, longest=BODY_LENGTH)


WRITE = Write(
    name="append_to_doc",
    arguments=AppendToDoc,
    act=Act.DOC_EDIT,
    subjects=(("doc_id", SubjectKind.DOC),),
    run=run,
    check=check,
)
