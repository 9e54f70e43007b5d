"""Docs: those that the reader may read, one with its Markdown rendered, and new ones."""

from typing import Any
from uuid import UUID

import msgspec
from litestar import Response, get, post
from litestar.response import Template

from handraise.common.ids import parse_id
from handraise.gateway.pages.forms import Form
from handraise.gateway.pages.visit import PageRequest, Visit, go_to, present
from handraise.gateway.pages.writing import Fault, attempt, saved
from handraise.workspace.views import doc_pages as views


class NewDoc(msgspec.Struct, frozen=True):
    """The form of a new doc, with what was written in vain."""

    title: str = ""
    body: str = ""
    project: str = ""
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
    return await _form(Visit(request), NewDoc(project=project), status=200)


@post("/docs")
async def create_doc(request: PageRequest) -> Response[Any]:
    """Create a doc and go to it. What could not be created stays in the form."""
    form = await Form.of(request)
    visit = Visit(request)
    words = {name: form.words(name) for name in ("title", "body", "project")}
    done = await attempt(
        visit,
        form,
        "create_doc",
        {"title": words["title"], "body": words["body"], "project_id": words["project"] or None},
    )
    if isinstance(done, Fault):
        return await _form(visit, NewDoc(**words, fault=done), status=done.status)
    return go_to(request, done.link, saved(done))


@get("/docs/{doc_id:uuid}")
async def doc(request: PageRequest, doc_id: UUID) -> Template:
    """Show a doc."""
    visit = Visit(request)
    async with visit.read() as connection:
        found = present(await views.doc_page(connection, visit.who.member_id, doc_id))
        return await visit.page(connection, "doc", here="docs", doc=found)


async def _form(visit: Visit, form: NewDoc, *, status: int) -> Template:
    async with visit.read() as connection:
        return await visit.page(connection, "doc_new", here="docs", status=status, form=form)


routes = [docs, new_doc, create_doc, doc]
