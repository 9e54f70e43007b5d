"""People as pages show them: all of the workspace, one, and those to choose from."""

from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import ColumnElement, Select, and_, exists, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.gates import may_read_conversation
from handraise.workspace.schema import conversation_members, conversations, members, project_members
from handraise.workspace.views.people_search import matching_people
from handraise.workspace.views.shapes import answered, gathered
from handraise.workspace.words import ConversationKind, MemberRole, MemberStatus, Role

OFFERED = 500  # people in one list to choose from
LISTED = 100


class PersonLink(msgspec.Struct, frozen=True):
    """Somebody, as they are named."""

    id: UUID
    name: str
    handle: str


class Person(PersonLink, frozen=True, kw_only=True):
    """Somebody, as others in the workspace know them."""

    role: MemberRole
    status: MemberStatus
    timezone: str


class PersonPage(Person, frozen=True, kw_only=True):
    """Somebody, and the conversation that the viewer has with them, if they have one."""

    conversation_id: UUID | None


class People(msgspec.Struct, frozen=True):
    """Those who are shown, of how many."""

    people: tuple[Person, ...]
    number: int


class GroupPage(msgspec.Struct, frozen=True, kw_only=True):
    """Who takes part in a conversation of several."""

    id: UUID
    name: str
    people: tuple[Person, ...]


class _Links(msgspec.Struct, frozen=True):
    people: tuple[PersonLink, ...]


async def people_list(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, text: str = ""
) -> People:
    """Return the people of the workspace by name, or those whose name fits; all active but to its admins."""
    who = members.alias()
    wanted = and_(_is_active(member_id), _visible(who, member_id))
    rows = select(*_columns(who)).where(wanted).order_by(who.c.status, who.c.name, who.c.id).limit(LISTED)
    if text.strip():
        found = matching_people(workspace_id, member_id, text, LISTED).subquery("found")
        rows = (
            select(*_columns(who))
            .join(found, found.c.id == who.c.id)
            .where(wanted)
            .order_by(found.c.rank.desc(), who.c.name)
        )
    number = select(func.count()).select_from(who).where(wanted).scalar_subquery()
    statement = select(gathered(rows).label("people"), number.label("number"))
    return await answered(connection, statement, People) or People((), 0)


async def person_page(connection: AsyncConnection, member_id: UUID, person_id: UUID) -> PersonPage | None:
    """Return somebody of the workspace; who is deactivated is shown to its admins alone."""
    who = members.alias()
    talk = (
        select(conversations.c.id)
        .select_from(
            conversations.join(
                conversation_members, conversation_members.c.conversation_id == conversations.c.id
            )
        )
        .where(
            conversations.c.kind == ConversationKind.DM,
            conversations.c.agent_id.is_(None),
            conversation_members.c.member_id == person_id,
            conversation_members.c.member_id != member_id,
            may_read_conversation(member_id),
        )
        .limit(1)
        .scalar_subquery()
    )
    statement = select(*_columns(who), talk.label("conversation_id")).where(
        who.c.id == person_id, _is_active(member_id), _visible(who, member_id)
    )
    return await answered(connection, statement, PersonPage)


async def chosen_people(
    connection: AsyncConnection, member_id: UUID, ids: list[UUID]
) -> tuple[PersonLink, ...]:
    """Return the active people of these ids, by name."""
    who = members.alias()
    rows = (
        select(who.c.id, who.c.name, who.c.handle)
        .where(who.c.id.in_(ids), who.c.status == MemberStatus.ACTIVE, _is_active(member_id))
        .order_by(who.c.name)
    )
    found = await answered(connection, select(gathered(rows).label("people")), _Links)
    return found.people if found else ()


async def group_page(connection: AsyncConnection, member_id: UUID, group_id: UUID) -> GroupPage | None:
    """Return who takes part in a group that the member takes part in."""
    who = members.alias()
    of = conversation_members.alias()
    people = (
        select(*_columns(who))
        .select_from(of.join(who, who.c.id == of.c.member_id))
        .where(of.c.conversation_id == group_id)
        .order_by(who.c.name)
        .limit(OFFERED)
    )
    statement = select(conversations.c.id, conversations.c.name, gathered(people).label("people")).where(
        conversations.c.id == group_id,
        conversations.c.kind == ConversationKind.GROUP,
        may_read_conversation(member_id),
    )
    return await answered(connection, statement, GroupPage)


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


def _columns(who: Any) -> tuple[Any, ...]:
    return tuple(who.c[name] for name in Person.__struct_fields__)


def _is_active(member_id: UUID, *roles: MemberRole) -> ColumnElement[bool]:
    asks = members.alias()
    wanted = [asks.c.id == member_id, asks.c.status == MemberStatus.ACTIVE]
    if roles:
        wanted.append(asks.c.role.in_(roles))
    return exists(select(1).select_from(asks).where(*wanted).correlate(None))


def _visible(who: Any, member_id: UUID) -> ColumnElement[bool]:
    condition: ColumnElement[bool] = who.c.status == MemberStatus.ACTIVE
    return condition | _is_active(member_id, MemberRole.ADMIN)
