"""Create a team; whoever does is its admin."""

from uuid import UUID

from msgspec import Struct
from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.order import Order, Receipt, Write
from handraise.workspace.actions.rows import create
from handraise.workspace.actions.wording import check_title
from handraise.workspace.policy import Act
from handraise.workspace.schema import team_members, teams
from handraise.workspace.words import Role


class CreateTeam(Struct, frozen=True, forbid_unknown_fields=True):
    name: str


async def run(connection: AsyncConnection, order: Order, arguments: CreateTeam) -> Receipt:
    name = arguments.name.strip()
    team_id: UUID = order.derived("team")
    await create(
        connection,
        teams,
        taken=f"There is a team {name} already; choose another name.",
        id=team_id,
        workspace_id=order.workspace_id,
        name=name,
    )
    await connection.execute(
        insert(team_members).values(
            workspace_id=order.workspace_id, team_id=team_id, member_id=order.member_id, role=Role.ADMIN
        )
    )
    return Receipt(f"Created the team {name}", f"/teams/{team_id}", {"Team": name}, {"team": str(team_id)})


def check(arguments: CreateTeam) -> None:
    check_title(arguments.name, "name")


WRITE = Write(
    name="create_team", arguments=CreateTeam, act=Act.TEAM_CREATE, run=run, check=check, by_hand=True
)
