"""Whether a refusal may be told at all: what somebody can't even read is answered like what does not exist."""

from uuid import UUID

from handraise.gateway.state import Gateway, Signed
from handraise.workspace.views import api as views
from handraise.workspace.words import Surface


async def may_read(gateway: Gateway, who: Signed, surface: Surface, place_id: UUID) -> bool:
    """Say whether the member may read what stands on this surface."""
    async with gateway.db.read(who.workspace_id) as connection:
        match surface:
            case Surface.CHANNEL_THREAD:
                return any(row[0] == place_id for row in await views.channels_of(connection, who.member_id))
            case Surface.TASK:
                return await views.task(connection, who.member_id, place_id) is not None
            case _:
                return await views.conversation_kind(connection, who.member_id, place_id) is not None


async def may_read_request(gateway: Gateway, who: Signed, request_id: UUID) -> bool:
    """Say whether the member may read a request."""
    async with gateway.db.read(who.workspace_id) as connection:
        return await views.request(connection, who.member_id, request_id) is not None
