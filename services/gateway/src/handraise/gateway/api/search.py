"""Search over all that one may read."""

from typing import Annotated, Any

from litestar import Request, get
from litestar.params import Parameter

from handraise.common.problems import Problem
from handraise.gateway.auth import signed
from handraise.gateway.state import gateway_of
from handraise.workspace.views.search import Hit, HitKind, search
from handraise.workspace.views.search_terms import query_of


@get("/search", summary="Search", tags=["search"])
async def find(
    request: Request[Any, Any, Any],
    q: Annotated[str, Parameter(max_length=400)],
    kind: Annotated[list[HitKind] | None, Parameter(max_items=4)] = None,
    limit: Annotated[int, Parameter(ge=1, le=50)] = 20,
) -> list[Hit]:
    """Return messages, tasks, docs and people that match every word or its beginning, the best first.

    An excerpt comes in pieces, those that match marked.
    """
    gateway, who = gateway_of(request), signed(request)
    query = query_of(q.replace("\x00", " "))
    if query is None:
        raise Problem(422, "empty_query", "The query has no word in it. Write what to look for.")
    async with gateway.db.read(who.workspace_id) as connection:
        return await search(
            connection,
            who.workspace_id,
            who.member_id,
            query,
            kinds=tuple(kind) if kind else tuple(HitKind),
            limit=limit,
        )


routes = [find]
