"""Executes what a person confirmed: the stored call, judged now, written once with its receipt."""

import structlog
from msgspec import to_builtins
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.common import telemetry
from handraise.common.aftermath import Aftermath
from handraise.common.bus.consume import Delivery, Retry, Unreadable
from handraise.common.bus.messages import Execute
from handraise.common.clock import Clock
from handraise.common.judge import Judge, JudgeUnavailable
from handraise.runner.announce import Announcer
from handraise.workspace.actions import Done, Failed, Order, Receipt, Refused, perform
from handraise.workspace.database import Database
from handraise.workspace.jobs import JobStore, Settled
from handraise.workspace.jobs.store import settle_within
from handraise.workspace.tools import REGISTRY, InvalidArguments, digest, validate
from handraise.workspace.words import ActionStatus

_log = structlog.get_logger()
_TRIES = 5  # deliveries after which an unreachable judge is reported instead of waited for


class _Withdrawn(Exception):
    """The action is not confirmed any more: settled by another delivery, or its job was stopped."""


class Executor:
    """Runs confirmed actions. Nothing else of ours may."""

    def __init__(
        self, *, db: Database, store: JobStore, judge: Judge, aftermath: Aftermath, clock: Clock
    ) -> None:
        self._db = db
        self._store = store
        self._judge = judge
        self._aftermath = aftermath
        self._clock = clock

    async def execute(self, command: Execute, delivery: Delivery, tell: Announcer) -> Settled | None:
        """Execute an action at most once. None when it was settled before; then nothing is announced.

        Raises Retry while the permissions service can't be reached, and Unreadable for an action that is none.
        """
        action = await self._store.action(command.workspace_id, command.action_id)
        if action is None:
            raise Unreadable(f"there is no action {command.action_id}")
        if action["status"] != ActionStatus.CONFIRMED:
            return None
        tool, arguments = action["tool"], action["arguments"]
        settled: list[Settled] = []
        touched: tuple[str, ...] = ()
        status, reason = ActionStatus.FAILED, ""
        if not (digest(tool, arguments) == action["digest"] == command.digest):
            reason = "What was approved is not what is stored, so it was not run."
        elif tool not in REGISTRY:
            reason = f"There is no tool “{tool}” any more, so it was not run."
        else:
            try:
                order = Order(
                    workspace_id=command.workspace_id,
                    member_id=action["member_id"],
                    actor_id=action["decided_by"] or action["member_id"],
                    write=tool,
                    arguments=validate(REGISTRY[tool], arguments),
                    key=command.action_id,
                    agent_id=action["agent_id"],
                    job_id=command.job_id,
                    trace_id=telemetry.trace_id(),
                )

                async def also(connection: AsyncConnection, receipt: Receipt) -> None:
                    end = await settle_within(
                        connection, command.action_id, ActionStatus.DONE, receipt=to_builtins(receipt)
                    )
                    if end is None:
                        raise _Withdrawn
                    settled.append(end)

                end = await perform(self._db, self._judge, self._aftermath, order, also=also)
            except _Withdrawn:
                return None
            except InvalidArguments as error:
                reason = f"The stored call does not fit its tool any more: {error}"
            except JudgeUnavailable as error:
                if delivery.deliveries < _TRIES:
                    raise Retry(str(error)) from None
                reason = f"Whether it is permitted could not be found out: {error}. Nothing was changed; try again."
            else:
                match end:
                    case Done(receipt=receipt):
                        status = ActionStatus.DONE
                        touched = _touched(receipt)
                        if not settled:  # written under this key before: only the record was missing
                            late = await self._store.settle(
                                command.workspace_id,
                                command.action_id,
                                status,
                                reason=None,
                                receipt=to_builtins(receipt),
                            )
                            settled.extend([late] if late else [])
                    case Refused(reason=why):
                        status, reason = ActionStatus.REFUSED, why
                    case Failed(reason=why):
                        reason = why
        if status is not ActionStatus.DONE:
            late = await self._store.settle(command.workspace_id, command.action_id, status, reason=reason)
            settled.extend([late] if late else [])
        if not settled:
            return None
        job = settled[0].job or await self._store.job(command.workspace_id, command.job_id)
        if job is not None:
            tell.executed(
                job,
                command.action_id,
                command.request_id,
                status=status.value,
                sentence=reason or action["preview"].get("sentence", ""),
                touched=touched,
                at=self._clock(),
            )
        return settled[0]


def _touched(receipt: Receipt) -> tuple[str, ...]:
    """Return the topics of the pages that a write changed."""
    topics = {"task": "task", "channel": "place", "conversation": "place", "project": "project"}
    return tuple(f"{topics[name]}-{value}" for name, value in receipt.ids.items() if name in topics)
