"""Which agents a workspace has, kept for a moment, and whom a message speaks to."""

import re
import time
from uuid import UUID

import msgspec
from sqlalchemy import select

from handraise.workspace.database import Database
from handraise.workspace.schema import agents, conversations

_KEPT = 10.0  # seconds
_MENTION = re.compile(r"(?<![\w@.])@([\w-]+)")


class Agent(msgspec.Struct, frozen=True):
    """An agent that can be spoken to."""

    id: UUID
    handle: str
    name: str


class Agents:
    """Loads them, one query a workspace."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._kept: dict[UUID, tuple[float, dict[str, Agent]]] = {}

    async def of(self, workspace_id: UUID) -> dict[str, Agent]:
        """Return the active agents by handle."""
        now = time.monotonic()
        if (kept := self._kept.get(workspace_id)) and now - kept[0] < _KEPT:
            return kept[1]
        async with self._db.read(workspace_id) as connection:
            rows = await connection.execute(
                select(agents.c.id, agents.c.handle, agents.c.name).where(agents.c.active)
            )
            found = {row.handle.lower(): Agent(row.id, row.handle, row.name) for row in rows}
        self._kept[workspace_id] = (now, found)
        return found

    async def mentioned(self, workspace_id: UUID, body: str) -> Agent | None:
        """Return the first agent that the text mentions."""
        names = _MENTION.findall(body)
        if not names:
            return None
        known = await self.of(workspace_id)
        return next((known[name.lower()] for name in names if name.lower() in known), None)

    async def partner(self, workspace_id: UUID, conversation_id: UUID) -> Agent | None:
        """Return the agent at the other end of a direct message, if it is one."""
        async with self._db.read(workspace_id) as connection:
            agent_id = await connection.scalar(
                select(conversations.c.agent_id).where(conversations.c.id == conversation_id)
            )
        known = await self.of(workspace_id)
        return next((agent for agent in known.values() if agent.id == agent_id), None)


def speaks_to_somebody_else(body: str) -> bool:
    """Say whether a text begins with a name: then it is not the answer to a question."""
    return bool(re.match(r"\s*@[\w-]+", body))
