"""What admins look after: messages that could not be handled."""

from typing import Annotated, Any

from litestar import Request, get, post
from litestar.params import Parameter

from handraise.gateway import letters
from handraise.gateway.auth import signed
from handraise.gateway.state import gateway_of


@get("/admin/dead-letters", summary="Dead letters", tags=["admin"])
async def dead_letters(request: Request[Any, Any, Any]) -> list[letters.Letter]:
    """Return the workspace's messages that were delivered too often or could not be read, newest first."""
    return await letters.letters(gateway_of(request), signed(request))


@post("/admin/dead-letters/{seq:int}/replay", status_code=202, summary="Replay a dead letter", tags=["admin"])
async def replay(
    request: Request[Any, Any, Any], seq: Annotated[int, Parameter(ge=1, le=2**63 - 1)]
) -> dict[str, str]:
    """Put a dead letter back where it came from: it is handled as if it had just arrived."""
    await letters.replay(gateway_of(request), signed(request), seq)
    return {"status": "replayed"}


routes = [dead_letters, replay]
