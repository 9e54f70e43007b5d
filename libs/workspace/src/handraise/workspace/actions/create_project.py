"""Create a project of a team; whoever does is its admin."""

import re
from collections.abc import Iterator
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct
from sqlalchemy import insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.order import Cannot, Order, Receipt, Write
from handraise.workspace.actions.rows import create
from handraise.workspace.actions.wording import Title, check_text, check_title
from handraise.workspace.policy import Act, SubjectKind
from handraise.workspace.schema import project_members, projects, teams
from handraise.workspace.words import Role

_KEY = re.compile(r"[A-Z][A-Z0-9]{1,9}")


class CreateProject(Struct, frozen=True, forbid_unknown_fields=True):
    team_id: Annotated[UUID, Meta(description="The id of the team it is for, as list_teams returned it.")]
    name: Title
    key: Annotated[
        str | None,
        Meta(description="What its tasks are called by, such as ATL for ATL-118; null: made from its name."),
    ] = None
    description: Annotated[str, Meta(description="One or two sentences; may be empty.")] = ""


def keys_for(name: str) -> Iterator[str]:
    """Yield keys for a project of this name, the most natural first: ATL, ATL2, ATL3 …"""
    letters = re.sub(r"[^A-Z0-9]", "", name.upper()).lstrip("0123456789")
    stem = (letters + "PR"[len(letters) :] if len(letters) < 2 else letters)[:3]
    yield stem
    for number in range(2, 100):
        yield f"{stem}{number}"


async def run(connection: AsyncConnection, order: Order, arguments: CreateProject) -> Receipt:
    team = select(teams.c.name).where(
        teams.c.id == arguments.team_id, teams.c.workspace_id == order.workspace_id
    )
    team_name = (await connection.execute(team)).scalar_one_or_none()
    if team_name is None:
        raise Cannot("The team is gone; no project was created.")
    name, project_id = arguments.name.strip(), order.derived("project")
    key = await _key(connection, order, arguments)
    await create(
        connection,
        projects,
        taken=f"The key {key} is another project's; choose another.",
        id=project_id,
        workspace_id=order.workspace_id,
        team_id=arguments.team_id,
        key=key,
        name=name,
        description=arguments.description,
    )
    await connection.execute(
        insert(project_members).values(
            workspace_id=order.workspace_id,
            project_id=project_id,
            member_id=order.member_id,
            role=Role.ADMIN,
        )
    )
    return Receipt(
        f"Created the project {name}",
        f"/projects/{project_id}",
        {"Project": name, "Key": key, "Team": team_name},
        {"project": str(project_id), "team": str(arguments.team_id)},
    )


async def _key(connection: AsyncConnection, order: Order, arguments: CreateProject) -> str:
    if arguments.key is not None:
        return arguments.key
    wanted = list(keys_for(arguments.name))
    statement = select(projects.c.key).where(
        projects.c.workspace_id == order.workspace_id, projects.c.key.in_(wanted)
    )
    taken = set((await connection.execute(statement)).scalars())
    return next((key for key in wanted if key not in taken), wanted[-1])


def check(arguments: CreateProject) -> None:
    check_title(arguments.name, "name")
    check_text(arguments.description, "description", empty=True)
    if arguments.key is not None and not _KEY.fullmatch(arguments.key):
        raise Cannot(
            f"“{arguments.key[:20]}” is no key for a project; use 2 to 10 capital letters or digits, such as ATL."
        )


WRITE = Write(
    name="create_project",
    arguments=CreateProject,
    act=Act.PROJECT_CREATE,
    subjects=(("team_id", SubjectKind.TEAM),),
    run=run,
    check=check,
)
