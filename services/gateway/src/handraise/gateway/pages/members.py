"""Who is in a team, a project or a channel: adding, taking out, and what somebody is there."""

from typing import Any
from uuid import UUID

from litestar import Response, get, post
from litestar.response import Template

from handraise.gateway.pages.forms import Form, settled, sought
from handraise.gateway.pages.toasts import Toast
from handraise.gateway.pages.visit import PageRequest, Visit, present
from handraise.gateway.pages.writing import told
from handraise.workspace.subjects import SubjectKind
from handraise.workspace.views import belonging as views
from handraise.workspace.views.belonging import PlaceMembers
from handraise.workspace.words import ChannelKind

_KINDS = {
    "teams": SubjectKind.TEAM,
    "projects": SubjectKind.PROJECT,
    "channels": SubjectKind.CHANNEL,
}
_PATHS = [f"/{places}/{{place_id:uuid}}/members" for places in _KINDS]


@get(_PATHS)
async def members(request: PageRequest, place_id: UUID, q: str = "", part: str | None = None) -> Template:
    """Show who is in a place; with `q`, only who fits, and who of all others could be added."""
    visit = Visit(request)
    kind = _kind(request)
    async with visit.read() as connection:
        found = present(
            await views.place_members(
                connection, visit.who.workspace_id, visit.who.member_id, kind, place_id, sought(q)
            )
        )
        context: dict[str, Any] = {
            "place": found,
            "place_path": f"/{kind}s/{place_id}",
            "place_kind": kind.value,
            "place_words": _words(kind, found),
            "text": sought(q),
            "may_change": found.role == "admin",
        }
        if part == "members":
            return visit.part("members", **context)
        return await visit.page(
            connection,
            "members",
            here="people" if kind is SubjectKind.TEAM else f"{kind}:{place_id}",
            topics=[f"{'place' if kind is SubjectKind.CHANNEL else kind}-{place_id}"],
            **context,
        )


@post([f"{path}/{{person_id:uuid}}" for path in _PATHS])
async def add(request: PageRequest, place_id: UUID, person_id: UUID) -> Response[Any]:
    """Add somebody."""
    return await _change(request, "add_member", place_id, person_id, with_role=True)


@post([f"{path}/{{person_id:uuid}}/role" for path in _PATHS])
async def set_role(request: PageRequest, place_id: UUID, person_id: UUID) -> Response[Any]:
    """Make somebody an admin, or an admin a member."""
    return await _change(request, "set_role", place_id, person_id, with_role=True)


@post([f"{path}/{{person_id:uuid}}/remove" for path in _PATHS])
async def remove(request: PageRequest, place_id: UUID, person_id: UUID) -> Response[Any]:
    """Take somebody out. Who took out themselves may not see the place any more, and goes Home."""
    return await _change(request, "remove_member", place_id, person_id, with_role=False)


async def _change(
    request: PageRequest, write: str, place_id: UUID, person_id: UUID, *, with_role: bool
) -> Response[Any]:
    form = await Form.of(request)
    visit = Visit(request)
    arguments: dict[str, Any] = {
        "place": _kind(request).value,
        "place_id": str(place_id),
        "person_id": str(person_id),
    }
    if with_role:
        arguments["role"] = form.words("role")
    target = form.back

    async def changed() -> Toast:
        nonlocal target
        toast = await told(visit, form, write, arguments)
        if write == "remove_member" and person_id == visit.who.member_id:
            target = "/"
        return toast

    return await settled(request, form, changed(), target=lambda: target)


def _kind(request: PageRequest) -> SubjectKind:
    return _KINDS[request.url.path.split("/")[1]]


def _words(kind: SubjectKind, found: PlaceMembers) -> str:
    """Say what belonging to the place means."""
    match kind:
        case SubjectKind.TEAM:
            return "Admins of a team create its projects and say who is in it."
        case SubjectKind.PROJECT:
            return "Members read its tasks and comment. Admins change tasks and say who is in it."
        case _ if found.channel is ChannelKind.ANNOUNCEMENT:
            return "Members read. Admins write, and say who is in it."
    return "Members read and write. Admins say who is in it."


routes = [members, add, set_role, remove]
