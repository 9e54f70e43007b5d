"""What the prompt says of agent, person and workspace, kept for a moment: it changes seldom and is no right."""

import time
from uuid import UUID

import msgspec

from handraise.workspace.jobs import JobState, JobStore
from handraise.workspace.words import MemberStatus

_KEPT = 10.0  # seconds


class Briefing(msgspec.Struct, frozen=True, kw_only=True):
    """Who works for whom, and with what."""

    handle: str
    name: str
    instructions: str
    tools: tuple[str, ...]
    max_rounds: int
    request_ttl: int  # seconds
    active: bool
    member_name: str
    member_handle: str
    member_active: bool
    timezone: str
    workspace: str


class Briefings:
    """Loads them, one query each, and keeps each for ten seconds."""

    def __init__(self, store: JobStore) -> None:
        self._store = store
        self._kept: dict[tuple[UUID, UUID], tuple[float, Briefing]] = {}

    async def of(self, job: JobState) -> Briefing | None:
        """Return the job's briefing; None when its agent or person is gone."""
        key = (job.agent_id, job.member_id)
        now = time.monotonic()
        if (kept := self._kept.get(key)) and now - kept[0] < _KEPT:
            return kept[1]
        row = await self._store.briefing(job.workspace_id, *key)
        if row is None:
            return None
        briefing = Briefing(
            handle=row["handle"],
            name=row["name"],
            instructions=row["instructions"],
            tools=tuple(row["tools"]),
            max_rounds=row["max_rounds"],
            request_ttl=row["request_ttl"],
            active=row["active"],
            member_name=row["member_name"],
            member_handle=row["member_handle"],
            member_active=row["member_status"] == MemberStatus.ACTIVE,
            timezone=row["timezone"],
            workspace=row["workspace_name"],
        )
        if len(self._kept) > 10_000:
            self._kept.clear()
        self._kept[key] = (now, briefing)
        return briefing
