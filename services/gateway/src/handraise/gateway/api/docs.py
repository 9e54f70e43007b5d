"""Docs, read and written by hand."""

from typing import Any
from uuid import UUID

from litestar import Request, get, patch, post
from msgspec import UNSET

from handraise.common.problems import Problem, not_found
from handraise.gateway.api.receipts import done
from handraise.gateway.api.shapes import Receipt
from handraise.gateway.api.shapes_work import Doc, DocChange, NewDoc, Revision
from handraise.gateway.auth import signed
from handraise.gateway.state import gateway_of
from handraise.workspace.views import api_work as views


@post("/docs", summary="Create a doc", tags=["docs"])
async def create_doc(request: Request[Any, Any, Any], data: NewDoc) -> Receipt:
    """Create a doc: in a project or with a team, for the workspace, or for oneself."""
    arguments = {
        "title": data.title,
        "body": data.body,
        "project_id": str(data.project_id) if data.project_id else None,
        "team_id": str(data.team_id) if data.team_id else None,
        "visibility": data.visibility,
    }
    return await done(request, "create_doc", arguments, key=data.key)


@get("/docs/{doc_id:uuid}", summary="A doc", tags=["docs"])
async def doc(request: Request[Any, Any, Any], doc_id: UUID) -> Doc:
    """Return a doc, in Markdown as it was written: whoever shows it makes it safe."""
    gateway, who = gateway_of(request), signed(request)
    async with gateway.db.read(who.workspace_id) as connection:
        row = await views.doc(connection, who.workspace_id, who.member_id, doc_id)
    if row is None:
        raise not_found("doc")
    return Doc(**row)


@get("/docs/{doc_id:uuid}/revisions", summary="What a doc was before", tags=["docs"])
async def revisions(request: Request[Any, Any, Any], doc_id: UUID) -> list[Revision]:
    """Return the versions that newer ones have replaced, the newest first."""
    gateway, who = gateway_of(request), signed(request)
    async with gateway.db.read(who.workspace_id) as connection:
        rows = await views.revisions(connection, who.workspace_id, who.member_id, doc_id)
    if rows is None:
        raise not_found("doc")
    return [Revision(**row) for row in rows]


@patch("/docs/{doc_id:uuid}", summary="Change a doc", tags=["docs"])
async def change_doc(request: Request[Any, Any, Any], doc_id: UUID, data: DocChange) -> Receipt:
    """Append to a doc, or write its title or body anew. What it was is kept."""
    anew = {"title": data.title, "body": data.body}
    changes = {name: value for name, value in anew.items() if value is not UNSET}
    if (data.append is UNSET) is not bool(changes):
        raise Problem(422, "nothing_to_change", "Give either text to append, or a new title or body.")
    if data.append is not UNSET:
        write, changes = "append_to_doc", {"text": data.append}
    else:
        write = "write_doc"
    arguments = {"doc_id": str(doc_id), **changes}
    return await done(request, write, arguments, key=data.key, version=data.version)


routes = [create_doc, doc, revisions, change_doc]
