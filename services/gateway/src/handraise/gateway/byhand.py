"""A write that a person makes by hand: through the one door, told as a problem when it can't be."""

from typing import Any
from uuid import UUID

from handraise.common import telemetry
from handraise.common.bus.messages import Live
from handraise.common.judge import JudgeUnavailable
from handraise.common.problems import Problem
from handraise.gateway.state import Gateway, Signed
from handraise.workspace.actions import Done, Failed, Order, Receipt, Refused, perform
from handraise.workspace.tools import REGISTRY, InvalidArguments, validate


async def write(
    gateway: Gateway,
    who: Signed,
    name: str,
    arguments: dict[str, Any],
    *,
    key: UUID,
    version: int | None = None,
) -> Receipt:
    """Do a write as the person, once for each `key`; return its receipt.

    Raises Problem: 422 for arguments that don't fit, 403 with the missing right, 409 for what can't be done
    now, 503 while the permissions service can't be asked.
    """
    try:
        order = Order(
            workspace_id=who.workspace_id,
            member_id=who.member_id,
            actor_id=who.member_id,
            write=name,
            arguments=validate(REGISTRY[name], arguments),
            key=key,
            expected_version=version,
            trace_id=telemetry.trace_id(),
        )
        outcome = await perform(gateway.db, gateway.judge, order)
    except InvalidArguments as error:
        raise Problem(422, "invalid_arguments", str(error)) from None
    except JudgeUnavailable as error:
        raise Problem(
            503, "judge_unavailable", f"Nothing was changed: {error}. Try again in a moment."
        ) from None
    match outcome:
        case Refused(reason=reason):
            raise Problem(403, "not_permitted", reason, title="Not permitted")
        case Failed(reason=reason):
            raise Problem(409, "not_done", reason, title="Not done")
        case Done(receipt=receipt):
            topics = tuple(f"{kind}-{id}" for kind, id in receipt.ids.items() if kind == "task")
            if topics:
                changed = Live(
                    workspace_id=who.workspace_id,
                    kind="changed",
                    topics=("home", *topics),
                    members=(who.member_id,),
                )
                await gateway.bus.tell(changed)
            return receipt
