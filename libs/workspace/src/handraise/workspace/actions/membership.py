"""What the writes on memberships share: the places people belong to, and that no place loses its last admin."""

from enum import StrEnum
from typing import Any
from uuid import UUID

from msgspec import Struct
from sqlalchemy import ColumnElement, Table, and_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.order import Cannot, Order, Receipt
from handraise.workspace.policy import SubjectKind
from handraise.workspace.schema import (
    channel_members,
    channels,
    members,
    project_members,
    projects,
    team_members,
    teams,
)
from handraise.workspace.words import MemberStatus, Role


class PlaceKind(StrEnum):
    """What people are members of, beside the workspace."""

    TEAM = "team"
    PROJECT = "project"
    CHANNEL = "channel"


_TABLES: dict[PlaceKind, tuple[Table, Table]] = {
    PlaceKind.TEAM: (teams, team_members),
    PlaceKind.PROJECT: (projects, project_members),
    PlaceKind.CHANNEL: (channels, channel_members),
}


class Place(Struct, frozen=True):
    """A place, with its row locked: changes of who is in it come one after the other."""

    kind: PlaceKind
    id: UUID
    name: str
    """As people say it: the project Atlas, #general."""

    @property
    def memberships(self) -> Table:
        """The table of who is in it."""
        return _TABLES[self.kind][1]

    def of(self, member_id: UUID) -> ColumnElement[bool]:
        """Return the condition for one person's membership."""
        table = self.memberships
        return and_(table.c[f"{self.kind}_id"] == self.id, table.c.member_id == member_id)

    def receipt(self, title: str, member_id: UUID, facts: dict[str, str]) -> Receipt:
        """Return what a change of one person's membership did."""
        return Receipt(
            title,
            f"/{self.kind}s/{self.id}",
            {"In": self.name, **facts},
            {self.kind.value: str(self.id), "person": str(member_id)},
        )


class OfPlace(Struct, frozen=True, forbid_unknown_fields=True):
    """Which membership of whom."""

    place: PlaceKind
    place_id: UUID
    person_id: UUID


def subject_of(arguments: OfPlace) -> tuple[SubjectKind, UUID]:
    """Return what a change of membership is done to."""
    return SubjectKind(arguments.place.value), arguments.place_id


async def take(connection: AsyncConnection, order: Order, arguments: OfPlace) -> Place:
    """Lock the place and return it. Raises Cannot when it is gone."""
    table = _TABLES[arguments.place][0]
    statement = (
        select(table.c.name)
        .where(table.c.id == arguments.place_id, table.c.workspace_id == order.workspace_id)
        .with_for_update()
    )
    name = (await connection.execute(statement)).scalar_one_or_none()
    if name is None:
        raise Cannot(f"The {arguments.place} is gone; nothing was changed.")
    spoken = f"#{name}" if arguments.place is PlaceKind.CHANNEL else f"the {arguments.place} {name}"
    return Place(arguments.place, arguments.place_id, spoken)


async def role_of(connection: AsyncConnection, place: Place, member_id: UUID) -> Role | None:
    """Return what somebody is there."""
    found = (
        await connection.execute(select(place.memberships.c.role).where(place.of(member_id)))
    ).scalar_one_or_none()
    return None if found is None else Role(found)


async def keep_an_admin(connection: AsyncConnection, place: Place, leaving: UUID) -> None:
    """Raise Cannot when nobody active would be left who can change the place."""
    table: Any = place.memberships
    others = (
        select(members.c.id)
        .select_from(table.join(members, members.c.id == table.c.member_id))
        .where(
            table.c[f"{place.kind}_id"] == place.id,
            table.c.role == Role.ADMIN,
            table.c.member_id != leaving,
            members.c.status == MemberStatus.ACTIVE,
        )
        .limit(1)
    )
    if (await connection.execute(others)).first() is None:
        raise Cannot(f"That is the only admin of {place.name}; make somebody else an admin first.")


def check(_: OfPlace) -> None:
    """Who is in what is for the database to say."""
