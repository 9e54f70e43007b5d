"""One write of a person's over the API, and its receipt as the API gives it."""

from typing import Any
from uuid import UUID

from litestar import Request
from msgspec import UNSET

from handraise.common.ids import new_id
from handraise.gateway.api.shapes import Receipt
from handraise.gateway.auth import signed
from handraise.gateway.byhand import write
from handraise.gateway.state import gateway_of


async def done(
    request: Request[Any, Any, Any],
    name: str,
    arguments: dict[str, Any],
    *,
    key: UUID | None = None,
    version: int | None = None,
) -> Receipt:
    """Do the write of that name as whoever asks; what is UNSET is not given. Raises Problem as `byhand` does."""
    given = {name: value for name, value in arguments.items() if value is not UNSET}
    made = await write(
        gateway_of(request), signed(request), name, given, key=key or new_id(), version=version
    )
    return Receipt(title=made.title, link=made.link, facts=made.facts, ids=made.ids)
