"""Create a doc: in a project or a team, for the whole workspace, or for oneself."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.order import Cannot, Order, Receipt, Write
from handraise.workspace.actions.rows import create
from handraise.workspace.actions.wording import BODY_LENGTH, Title, check_text, check_title
from handraise.workspace.policy import Act, SubjectKind
from handraise.workspace.schema import docs, projects, teams
from handraise.workspace.words import Visibility


class CreateDoc(Struct, frozen=True, forbid_unknown_fields=True):
    title: Title
    body: Annotated[str, Meta(description="The text, in Markdown.")]
    project_id: Annotated[
        UUID | None,
        Meta(description="The project to file it in, whose members can read it; null: in none."),
    ] = None
    team_id: Annotated[
        UUID | None,
        Meta(description="The team to file it with, whose members can read it; null: with none."),
    ] = None
    visibility: Annotated[
        Visibility | None,
        Meta(description="Who can read it. null: the members of its project or team, else its owner alone."),
    ] = None


def visibility_of(arguments: CreateDoc) -> Visibility:
    """Return who can read it, where nothing is said: those with whom it is filed."""
    if arguments.visibility is not None:
        return arguments.visibility
    if arguments.project_id is not None:
        return Visibility.PROJECT
    return Visibility.PRIVATE if arguments.team_id is None else Visibility.TEAM


def readers(visibility: Visibility, filed: str | None) -> str:
    """Say where a doc is and who can read it: Atlas, for its members."""
    for_whom = {
        Visibility.PRIVATE: "private, for its owner alone",
        Visibility.WORKSPACE: "for everybody in the workspace but guests",
    }.get(visibility, "for its members")
    return f"{filed}, {for_whom}" if filed else for_whom


async def run(connection: AsyncConnection, order: Order, arguments: CreateDoc) -> Receipt:
    filed = await _filed(connection, order, arguments)
    title, doc_id = arguments.title.strip(), order.derived("doc")
    visibility = visibility_of(arguments)
    await create(
        connection,
        docs,
        id=doc_id,
        workspace_id=order.workspace_id,
        project_id=arguments.project_id,
        team_id=arguments.team_id,
        owner_id=order.member_id,
        title=title,
        body=arguments.body,
        visibility=visibility,
    )
    ids = {"doc": str(doc_id)}
    if arguments.project_id is not None:
        ids["project"] = str(arguments.project_id)
    if arguments.team_id is not None:
        ids["team"] = str(arguments.team_id)
    return Receipt(
        f"Created doc “{title}”", f"/docs/{doc_id}", {"Doc": title, "In": readers(visibility, filed)}, ids
    )


async def _filed(connection: AsyncConnection, order: Order, arguments: CreateDoc) -> str | None:
    for table, id, what in ((projects, arguments.project_id, "project"), (teams, arguments.team_id, "team")):
        if id is None:
            continue
        statement = select(table.c.name).where(table.c.id == id, table.c.workspace_id == order.workspace_id)
        name: str | None = (await connection.execute(statement)).scalar_one_or_none()
        if name is None:
            raise Cannot(f"The {what} is gone; no doc was created.")
        return name
    return None


def check(arguments: CreateDoc) -> None:
    check_title(arguments.title)
    check_text(arguments.body, "body", longest=BODY_LENGTH, empty=True)
    if arguments.project_id is not None and arguments.team_id is not None:
        raise Cannot("A doc is filed in a project or with a team, not in both; give one of the two.")
    missing = {
        Visibility.PROJECT: arguments.project_id is None,
        Visibility.TEAM: arguments.team_id is None,
    }
    if missing.get(visibility_of(arguments)):
        where = visibility_of(arguments)
        raise Cannot(f"A doc for the members of a {where} needs {where}_id; say which {where} it is.")


WRITE = Write(
    name="create_doc",
    arguments=CreateDoc,
    act=Act.DOC_CREATE,
    subjects=(("project_id", SubjectKind.PROJECT), ("team_id", SubjectKind.TEAM)),
    or_workspace=True,
    run=run,
    check=check,
)
