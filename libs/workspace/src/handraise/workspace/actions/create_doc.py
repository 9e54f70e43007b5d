"""Create a doc: in a project for its members, or for oneself."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.order import Cannot, Order, Receipt, Write
from handraise.workspace.actions.rows import create
from handraise.workspace.actions.wording import BODY_LENGTH, Title, check_text, check_title
from handraise.workspace.policy import Act, SubjectKind
from handraise.workspace.schema import docs, projects
from handraise.workspace.words import Visibility


class CreateDoc(Struct, frozen=True, forbid_unknown_fields=True):
    title: Title
    body: Annotated[str, Meta(description="The text, in Markdown.")]
    project_id: Annotated[
        UUID | None,
        Meta(description="The project to file it in, whose members can read it; null: private."),
    ] = None


async def run(connection: AsyncConnection, order: Order, arguments: CreateDoc) -> Receipt:
    where = "private, for its owner alone"
    if arguments.project_id is not None:
        statement = select(projects.c.name).where(
            projects.c.id == arguments.project_id, projects.c.workspace_id == order.workspace_id
        )
        name = (await connection.execute(statement)).scalar_one_or_none()
        if name is None:
            raise Cannot("The project is gone; no doc was created.")
        where = f"{name}, for its members"
    title, doc_id = arguments.title.strip(), order.derived("doc")
    await create(
        connection,
        docs,
        id=doc_id,
        workspace_id=order.workspace_id,
        project_id=arguments.project_id,
        owner_id=order.member_id,
        title=title,
        body=arguments.body,
        visibility=Visibility.PROJECT if arguments.project_id else Visibility.PRIVATE,
    )
    ids = {"doc": str(doc_id)}
    if arguments.project_id is not None:
        ids["project"] = str(arguments.project_id)
    return Receipt(f"Created doc “{title}”", f"/docs/{doc_id}", {"Doc": title, "In": where}, ids)


def check(arguments: CreateDoc) -> None:
    check_title(arguments.title)
    check_text(arguments.body, "body", longest=BODY_LENGTH, empty=True)


WRITE = Write(
    name="create_doc",
    arguments=CreateDoc,
    act=Act.DOC_CREATE,
    subject_kind=SubjectKind.PROJECT,
    subject_argument="project_id",
    subject_optional=True,
    run=run,
    check=check,
)
