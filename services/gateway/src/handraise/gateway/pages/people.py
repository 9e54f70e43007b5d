"""People: everybody of the workspace, one of them, a conversation with them, and groups."""

from typing import Any
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.response import Template

from handraise.common.ids import parse_id
from handraise.gateway.pages.forms import Form, settled, sought
from handraise.gateway.pages.visit import PageRequest, Visit, go_to, present
from handraise.gateway.pages.writing import Fault, attempt, made, saved, told
from handraise.workspace.policy import Act, SubjectKind
from handraise.workspace.views import people as views
from handraise.workspace.views.people import PersonLink
from handraise.workspace.words import MemberRole, MemberStatus


class NewGroup(msgspec.Struct, frozen=True):
    """The form of a new group: who is chosen, and who could be."""

    name: str = ""
    text: str = ""
    chosen: tuple[PersonLink, ...] = ()
    offered: tuple[PersonLink, ...] = ()
    fault: Fault | None = None


@get("/people")
async def people(request: PageRequest, q: str = "", part: str | None = None) -> Template:
    """List the people of the workspace, or those whose name fits."""
    visit = Visit(request)
    async with visit.read() as connection:
        found = await views.people_list(connection, visit.who.workspace_id, visit.who.member_id, sought(q))
        context: dict[str, Any] = {"found": found, "text": sought(q), "agents": await _agents(visit)}
        if part == "people":
            return visit.part("people", **context)
        return await visit.page(connection, "people", here="people", **context)


@get("/people/{person_id:uuid}")
async def person(request: PageRequest, person_id: UUID) -> Template:
    """Show somebody."""
    visit = Visit(request)
    async with visit.read() as connection:
        found = present(await views.person_page(connection, visit.who.member_id, person_id))
        return await visit.page(
            connection,
            "person",
            here="people",
            person=found,
            theirs=msgspec.structs.replace(visit.times, zone=found.timezone),
            roles=[role.value for role in MemberRole],
        )


@post("/people/{person_id:uuid}/message")
async def message(request: PageRequest, person_id: UUID) -> Response[Any]:
    """Open the conversation with somebody, and go to it."""
    form = await Form.of(request)
    visit = Visit(request)
    target = f"/people/{person_id}"

    async def opened() -> None:
        nonlocal target
        target = (await made(visit, form, "open_dm", {"person_id": str(person_id)})).link

    return await settled(request, form, opened(), target=lambda: target)


@post("/people/{person_id:uuid}/role")
async def set_role(request: PageRequest, person_id: UUID) -> Response[Any]:
    """Change what somebody is in the workspace."""
    form = await Form.of(request)
    wanted = {"person_id": str(person_id), "role": form.words("role")}
    return await settled(request, form, told(Visit(request), form, "change_person", wanted))


@post("/people/{person_id:uuid}/status")
async def set_status(request: PageRequest, person_id: UUID) -> Response[Any]:
    """Deactivate somebody, or make them active again."""
    form = await Form.of(request)
    active = form.words("status") == MemberStatus.ACTIVE
    status = MemberStatus.ACTIVE if active else MemberStatus.DEACTIVATED
    wanted = {"person_id": str(person_id), "status": status.value}
    return await settled(request, form, told(Visit(request), form, "change_person", wanted))


@get("/groups/new")
async def new_group(request: PageRequest) -> Template:
    """Show the form of a new group."""
    visit = Visit(request)
    await visit.gateway.permit(visit.who, Act.GROUP_CREATE, SubjectKind.WORKSPACE, None)
    return await _group(visit, "", "", [], None)


@post("/groups")
async def create_group(request: PageRequest, part: str | None = None) -> Response[Any]:
    """Create a group and go to it, or look for more people to choose: whoever is ticked stays so."""
    form = await Form.of(request)
    visit = Visit(request)
    name, text = form.words("name"), sought(form.words("find"))
    chosen = [id for given in form.every("people") if (id := parse_id(given))]
    if part == "choice" or form.get("look") is not None:
        return await _group(visit, name, text, chosen, None, part=part == "choice")
    done = await attempt(visit, form, "create_group", {"name": name, "people": [str(id) for id in chosen]})
    if isinstance(done, Fault):
        return await _group(visit, name, text, chosen, done)
    return go_to(request, done.link, saved(done))


@get("/dm/{group_id:uuid}/members")
async def group_members(request: PageRequest, group_id: UUID) -> Template:
    """Show who takes part in a group."""
    visit = Visit(request)
    async with visit.read() as connection:
        found = present(await views.group_page(connection, visit.who.member_id, group_id))
        return await visit.page(connection, "group_members", here=f"dm:{group_id}", group=found)


async def _group(
    visit: Visit, name: str, text: str, chosen: list[UUID], fault: Fault | None, *, part: bool = False
) -> Template:
    who = visit.who
    async with visit.read() as connection:
        links = await views.chosen_people(connection, who.member_id, chosen)
        found = await views.people_list(connection, who.workspace_id, who.member_id, text)
        taken = {who.member_id, *chosen}
        offered = tuple(
            PersonLink(one.id, one.name, one.handle)
            for one in found.people
            if one.id not in taken and one.status is MemberStatus.ACTIVE
        )
        form = NewGroup(name, text, links, offered, fault)
        if part:
            return visit.part("group_choice", form=form)
        status = fault.status if fault else 200
        return await visit.page(connection, "group_new", here="channels", status=status, form=form)


async def _agents(visit: Visit) -> list[str]:
    return sorted(one.handle for one in (await visit.gateway.agents.of(visit.who.workspace_id)).values())


routes = [people, person, message, set_role, set_status, new_group, create_group, group_members]
