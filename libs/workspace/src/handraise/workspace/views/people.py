"""People to choose from: whom a task may be assigned to."""

from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import Select, exists, select

from handraise.workspace.schema import members, project_members
from handraise.workspace.words import MemberStatus, Role

OFFERED = 500  # people in one list to choose from


class PersonLink(msgspec.Struct, frozen=True):
    """Somebody, as they are named."""

    id: UUID
    name: str
    handle: str


def people_of_project(project_id: Any, *, for_admin: UUID) -> Select[Any]:
    """Select `PersonLink` rows of the active members of a project, by name; none unless `for_admin` is its admin."""
    of, admin = project_members.alias(), project_members.alias()
    is_admin = exists(
        select(1)
        .select_from(admin)
        .where(
            admin.c.project_id == of.c.project_id,
            admin.c.member_id == for_admin,
            admin.c.role == Role.ADMIN,
        )
        .correlate(of)
    )
    who = members.alias()
    return (
        select(who.c.id, who.c.name, who.c.handle)
        .select_from(of.join(who, who.c.id == of.c.member_id))
        .where(of.c.project_id == project_id, who.c.status == MemberStatus.ACTIVE, is_admin)
        .order_by(who.c.name)
        .limit(OFFERED)
    )
