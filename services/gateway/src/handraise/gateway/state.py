"""What every request of this process works with, made once by `app`."""

from typing import Any
from uuid import UUID

import msgspec
from litestar import Request

from handraise.common.bus.publish import Bus
from handraise.common.clock import Clock
from handraise.common.judge import Check, Judge, JudgeUnavailable
from handraise.common.problems import Problem
from handraise.gateway.agents import Agents
from handraise.gateway.live import Hub
from handraise.gateway.sessions import Sessions
from handraise.gateway.settings import GatewaySettings
from handraise.workspace.database import Database
from handraise.workspace.jobs import JobStore
from handraise.workspace.policy import Act, SubjectKind


class Signed(msgspec.Struct, frozen=True, kw_only=True):
    """Who asks: the member behind a session or a token."""

    member_id: UUID
    workspace_id: UUID
    workspace_name: str
    name: str
    handle: str
    role: str
    timezone: str
    session_kind: str
    csrf: str
    scopes: tuple[str, ...] = ()


class Gateway(msgspec.Struct, frozen=True, kw_only=True):
    """The process's connections and caches."""

    settings: GatewaySettings
    db: Database
    bus: Bus
    store: JobStore
    judge: Judge
    agents: Agents
    sessions: Sessions
    hub: Hub
    clock: Clock

    async def permit(self, who: Signed, act: Act, kind: SubjectKind, subject: UUID | None) -> None:
        """Ask the permissions service. Raises Problem 403 with its reason, 503 where it can't be asked."""
        check = Check(
            workspace_id=who.workspace_id,
            member_id=who.member_id,
            act=act,
            subject_kind=kind,
            subject_id=subject,
        )
        try:
            ruling = await self.judge.check(check)
        except JudgeUnavailable as error:
            raise Problem(
                503, "judge_unavailable", f"Nothing was changed: {error}. Try again in a moment."
            ) from None
        if not ruling.allowed:
            raise Problem(403, "not_permitted", ruling.reason, title="Not permitted")


def gateway_of(request: Request[Any, Any, Any]) -> Gateway:
    """Return the process's state."""
    gateway: Gateway = request.app.state.gateway
    return gateway
