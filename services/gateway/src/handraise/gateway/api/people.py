"""People, teams, and who is in what as what."""

from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar import Request, delete, get, patch, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import Parameter

from handraise.common.problems import not_found
from handraise.gateway.api.receipts import done
from handraise.gateway.api.shapes import Receipt
from handraise.gateway.api.shapes_work import (
    Member,
    NewMember,
    NewNamed,
    Person,
    PersonChange,
    RoleChange,
    Team,
)
from handraise.gateway.auth import signed
from handraise.gateway.state import gateway_of
from handraise.workspace.actions.membership import PlaceKind
from handraise.workspace.policy import SubjectKind
from handraise.workspace.views import api_work as views
from handraise.workspace.views import tools_projects
from handraise.workspace.views.visible import may_know_of

Limit = Annotated[int, Parameter(ge=1, le=500)]


@get("/people", summary="People of the workspace", tags=["people"])
async def people(
    request: Request[Any, Any, Any],
    q: Annotated[str | None, Parameter(max_length=100)] = None,
    limit: Limit = 100,
) -> list[Person]:
    """Return active people whose name or handle fits `q`, the best first; without it, everybody by handle."""
    gateway, who = gateway_of(request), signed(request)
    async with gateway.db.read(who.workspace_id) as connection:
        text = (q or "").replace("\x00", "").strip().removeprefix("@")
        rows = await views.people(connection, who.workspace_id, who.member_id, text, limit)
    return [Person(**row) for row in rows]


@patch("/people/{person_id:uuid}", summary="Change what somebody is", tags=["people"])
async def change_person(request: Request[Any, Any, Any], person_id: UUID, data: PersonChange) -> Receipt:
    """Change somebody's role in the workspace, deactivate or reactivate them: for its admins."""
    gateway, who = gateway_of(request), signed(request)
    async with gateway.db.read(who.workspace_id) as connection:
        if not await may_know_of(connection, who.workspace_id, who.member_id, SubjectKind.MEMBER, person_id):
            raise not_found("person")
    arguments = {"person_id": str(person_id), "role": data.role, "status": data.status}
    return await done(request, "change_person", arguments)


@get("/teams", summary="Teams", tags=["people"])
async def teams(request: Request[Any, Any, Any]) -> list[Team]:
    """Return the teams one may know of, one's own first."""
    gateway, who = gateway_of(request), signed(request)
    async with gateway.db.read(who.workspace_id) as connection:
        found = await tools_projects.teams_of(connection, who.workspace_id, who.member_id)
    return msgspec.convert(found, list[Team])


@post("/teams", summary="Create a team", tags=["people"])
async def create_team(request: Request[Any, Any, Any], data: NewNamed) -> Receipt:
    """Create a team, as its admin: for admins of the workspace."""
    return await done(request, "create_team", {"name": data.name}, key=data.key)


def _memberships(place: PlaceKind) -> list[HTTPRouteHandler]:
    # The path names the place by its kind, as the place's other routes do; so handlers read it from there.
    path = f"/{place}s/{{{place}_id:uuid}}/members"
    one = f"{path}/{{person_id:uuid}}"

    @get(path, summary=f"Who is in a {place}", tags=["people"], operation_id=f"{place}_members")
    async def listed(
        request: Request[Any, Any, Any], limit: Limit = 100, after: UUID | None = None
    ) -> list[Member]:
        """Return who is in it and as what, by id; `after` the last of a page, the next."""
        gateway, who = gateway_of(request), signed(request)
        async with gateway.db.read(who.workspace_id) as connection:
            rows = await views.members_of(
                connection, who.workspace_id, who.member_id, place, _id(request, place), limit, after
            )
        if rows is None:
            raise not_found(place.value)
        return [Member(**row) for row in rows]

    def named(request: Request[Any, Any, Any], person_id: UUID) -> dict[str, str]:
        ids = {"place_id": str(_id(request, place)), "person_id": str(person_id)}
        return {"place": place.value, **ids}

    @post(path, summary=f"Add to a {place}", tags=["people"], operation_id=f"add_{place}_member")
    async def add(request: Request[Any, Any, Any], data: NewMember) -> Receipt:
        """Add somebody: for its admins."""
        arguments = {**named(request, data.person_id), "role": data.role}
        return await done(request, "add_member", arguments, key=data.key)

    @patch(one, summary=f"Change a role in a {place}", tags=["people"], operation_id=f"set_{place}_role")
    async def change(request: Request[Any, Any, Any], person_id: UUID, data: RoleChange) -> Receipt:
        """Make a member an admin, or an admin a member: for its admins."""
        return await done(request, "set_role", {**named(request, person_id), "role": data.role})

    @delete(
        one,
        status_code=200,
        summary=f"Take out of a {place}",
        tags=["people"],
        operation_id=f"remove_{place}_member",
    )
    async def remove(request: Request[Any, Any, Any], person_id: UUID) -> Receipt:
        """Take somebody out: for its admins. The last admin stays."""
        return await done(request, "remove_member", named(request, person_id))

    return [listed, add, change, remove]


def _id(request: Request[Any, Any, Any], place: PlaceKind) -> UUID:
    id: UUID = request.path_params[f"{place}_id"]
    return id


routes = [
    people,
    change_person,
    teams,
    create_team,
    *(handler for place in PlaceKind for handler in _memberships(place)),
]
