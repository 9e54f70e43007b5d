"""Search: what the reader may read of messages, tasks, docs and people, found while they type."""

import re
from typing import Any
from urllib.parse import urlencode

import msgspec
from litestar import get
from litestar.response import Template

from handraise.gateway.pages.forms import sought
from handraise.gateway.pages.visit import PageRequest, Visit
from handraise.gateway.pages.wording import counted
from handraise.workspace.views import search as views
from handraise.workspace.views.search import Hit, HitKind
from handraise.workspace.views.search_terms import query_of

SHOWN = 30

_ROOT = re.compile(r"^/channels/([0-9a-f-]+)#m-([0-9a-f-]+)$")
_KINDS = {
    HitKind.TASK: ("Tasks", "task"),
    HitKind.MESSAGE: ("Messages", "bubble"),
    HitKind.DOC: ("Docs", "read"),
    HitKind.PERSON: ("People", "person"),
}


class Found(msgspec.Struct, frozen=True):
    """What is shown of a search."""

    text: str
    kind: HitKind | None
    hits: tuple[Hit, ...]
    sentence: str


@get("/search")
async def search(request: PageRequest, q: str = "", kind: str = "", part: str | None = None) -> Template:
    """Search, or show what is found anew while somebody types."""
    visit = Visit(request)
    text, only = sought(q), _kind(kind)
    query = query_of(text)
    hits: list[Hit] = []
    async with visit.read() as connection:
        if query is not None:
            hits = await views.search(
                connection,
                visit.who.workspace_id,
                visit.who.member_id,
                query,
                kinds=[only] if only else list(HitKind),
                limit=SHOWN,
            )
        found = Found(text, only, tuple(_standing(hit) for hit in hits), _sentence(text, hits))
        context: dict[str, Any] = {
            "found": found,
            "kinds": [(wanted.value, *_KINDS[wanted]) for wanted in HitKind],
            "address": address,
        }
        if part == "found":
            rendered = visit.part("found", **context)
            # What stands in the address is what is shown, so that it can be kept and sent on.
            rendered.headers["HX-Replace-Url"] = address(text, only)
            return rendered
        return await visit.page(connection, "search", here="search", **context)


def address(text: str, kind: str | None) -> str:
    """Return where a search is found again."""
    named = {"q": text, "kind": kind or ""}
    return "/search" + (f"?{wanted}" if (wanted := urlencode({k: v for k, v in named.items() if v})) else "")


def _kind(given: str) -> HitKind | None:
    return HitKind(given) if given in set(HitKind) else None


def _standing(hit: Hit) -> Hit:
    """Lead to a channel's message in its thread: there it is shown, however long ago it was written."""
    return msgspec.structs.replace(hit, link=_ROOT.sub(r"/channels/\1/threads/\2#m-\2", hit.link))


def _sentence(text: str, hits: list[Hit]) -> str:
    if not text:
        return ""
    if not hits:
        return "Nothing found that you may read."
    return f"{SHOWN} shown, the best first" if len(hits) == SHOWN else f"{counted(len(hits), 'hit')} found"


routes = [search]
