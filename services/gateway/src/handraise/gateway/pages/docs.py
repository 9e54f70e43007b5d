"""Docs: those that the reader may read, one with its Markdown rendered, written and changed by hand."""

from typing import Any
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.response import Template

from handraise.common.ids import parse_id
from handraise.gateway.pages.forms import Form
from handraise.gateway.pages.visit import PageRequest, Visit, go_to, present
from handraise.gateway.pages.writing import Fault, attempt, saved
from handraise.workspace.policy import Act, SubjectKind
from handraise.workspace.views import doc_pages as views
from handraise.workspace.views.doc_pages import DocPage
from handraise.workspace.views.team_pages import teams_of
from handraise.workspace.words import Visibility

_FILED = {Visibility.PROJECT: "project_id", Visibility.TEAM: "team_id"}


class NewDoc(msgspec.Struct, frozen=True):
    """The form of a new doc, with what was written in vain. `readers`: private, workspace, or project:<id>."""

    title: str = ""
    body: str = ""
    readers: str = Visibility.PRIVATE.value
    fault: Fault | None = None


class EditDoc(msgspec.Struct, frozen=True):
    """The form of a doc's words: what stands there, or what was written in vain."""

    title: str
    body: str
    version: int
    fault: Fault | None = None


class Addition(msgspec.Struct, frozen=True):
    """The form of what is added at a doc's end."""

    text: str = ""
    fault: Fault | None = None


@get("/docs")
async def docs(request: PageRequest, project: str = "") -> Template:
    """List the docs that the reader may read, of one project or all."""
    visit = Visit(request)
    project_id = parse_id(project)
    async with visit.read() as connection:
        found = await views.docs_of(connection, visit.who.member_id, project_id=project_id)
        return await visit.page(connection, "docs", here="docs", docs=found, project_id=project_id)


@get("/docs/new")
async def new_doc(request: PageRequest, project: str = "") -> Template:
    """Show the form of a new doc."""
    readers = f"project:{project}" if parse_id(project) else Visibility.PRIVATE.value
    return await _new(Visit(request), NewDoc(readers=readers), status=200)


@post("/docs")
async def create_doc(request: PageRequest) -> Response[Any]:
    """Create a doc and go to it. What could not be created stays in the form."""
    form = await Form.of(request)
    visit = Visit(request)
    words = {name: form.words(name) for name in ("title", "body", "readers")}
    kind, _, place = words["readers"].partition(":")
    arguments: dict[str, Any] = {"title": words["title"], "body": words["body"], "visibility": kind or None}
    if kind in _FILED:
        arguments[_FILED[Visibility(kind)]] = place
    done = await attempt(visit, form, "create_doc", arguments)
    if isinstance(done, Fault):
        return await _new(visit, NewDoc(**words, fault=done), status=done.status)
    return go_to(request, done.link, saved(done))


@get("/docs/{doc_id:uuid}")
async def doc(request: PageRequest, doc_id: UUID, part: str | None = None) -> Template:
    """Show a doc, or its live part."""
    visit = Visit(request)
    async with visit.read() as connection:
        found = present(await views.doc_page(connection, visit.who.member_id, doc_id))
        if part == "doc":
            return visit.part("doc", doc=found)
        return await visit.page(
            connection, "doc", here="docs", topics=[f"doc-{doc_id}"], doc=found, addition=Addition()
        )


@get("/docs/{doc_id:uuid}/versions/{version:int}")
async def revision(request: PageRequest, doc_id: UUID, version: int) -> Template:
    """Show a version of a doc that a newer one has replaced."""
    visit = Visit(request)
    async with visit.read() as connection:
        found = present(await views.revision_page(connection, visit.who.member_id, doc_id, version))
        return await visit.page(connection, "doc_version", here="docs", revision=found)


@get("/docs/{doc_id:uuid}/edit")
async def edit_doc(request: PageRequest, doc_id: UUID) -> Template:
    """Show the form of a doc's words to whoever may change them."""
    visit = Visit(request)
    async with visit.read() as connection:
        found = present(await views.doc_page(connection, visit.who.member_id, doc_id))
    if not found.may_edit:
        await visit.gateway.permit(visit.who, Act.DOC_EDIT, SubjectKind.DOC, doc_id)
    return await _edit(visit, found, EditDoc(found.title, found.body, found.version), status=200)


@post("/docs/{doc_id:uuid}/edit")
async def write_doc(request: PageRequest, doc_id: UUID) -> Response[Any]:
    """Write a doc anew, unless somebody else did meanwhile: then their words stand beside the reader's own."""
    form = await Form.of(request)
    visit = Visit(request)
    words = {"title": form.words("title"), "body": form.words("body")}
    done = await attempt(visit, form, "write_doc", {"doc_id": str(doc_id), **words})
    if not isinstance(done, Fault):
        return go_to(request, f"/docs/{doc_id}", saved(done))
    async with visit.read() as connection:
        found = present(await views.doc_page(connection, visit.who.member_id, doc_id))
    return await _edit(visit, found, EditDoc(**words, version=found.version, fault=done), status=done.status)


@post("/docs/{doc_id:uuid}/append")
async def append_to_doc(request: PageRequest, doc_id: UUID) -> Response[Any]:
    """Add text at a doc's end; what others wrote meanwhile stays."""
    form = await Form.of(request)
    visit = Visit(request)
    text = form.words("text")
    done = await attempt(visit, form, "append_to_doc", {"doc_id": str(doc_id), "text": text})
    if not isinstance(done, Fault):
        return go_to(request, f"/docs/{doc_id}", saved(done))
    async with visit.read() as connection:
        found = present(await views.doc_page(connection, visit.who.member_id, doc_id))
        return await visit.page(
            connection, "doc", here="docs", status=done.status, doc=found, addition=Addition(text, done)
        )


async def _new(visit: Visit, form: NewDoc, *, status: int) -> Template:
    async with visit.read() as connection:
        teams = [team for team in await teams_of(connection, visit.who.member_id) if team.role]
        return await visit.page(connection, "doc_new", here="docs", status=status, form=form, teams=teams)


async def _edit(visit: Visit, found: DocPage, form: EditDoc, *, status: int) -> Template:
    async with visit.read() as connection:
        return await visit.page(connection, "doc_edit", here="docs", status=status, doc=found, form=form)


routes = [docs, new_doc, create_doc, doc, revision, edit_doc, write_doc, append_to_doc]
