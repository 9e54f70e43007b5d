"""A write that a person makes by hand: through the one door, told as a problem when it can't be."""

from typing import Any
from uuid import UUID

from handraise.common import telemetry
from handraise.common.aftermath import BusAftermath
from handraise.common.judge import JudgeUnavailable
from handraise.common.problems import Problem, not_found
from handraise.gateway.state import Gateway, Signed
from handraise.workspace.actions import WRITES, Done, Failed, Order, Receipt, Refused, perform
from handraise.workspace.actions.order import Cannot
from handraise.workspace.tools import InvalidArguments, validate
from handraise.workspace.views.visible import may_know_of


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

    Raises Problem: 422 for arguments that don't fit, 403 with the missing right, 404 where the person may not
    even know of the subject, 409 for what can't be done now, 503 while the permissions service can't be asked.
    """
    try:
        checked = validate(WRITES[name], arguments)
        WRITES[name].check(checked)
        order = Order(
            workspace_id=who.workspace_id,
            member_id=who.member_id,
            actor_id=who.member_id,
            write=name,
            arguments=checked,
            key=key,
            expected_version=version,
            trace_id=telemetry.trace_id(),
        )
        outcome = await perform(gateway.db, gateway.judge, BusAftermath(gateway.bus), order)
    except (InvalidArguments, Cannot) as error:
        raise Problem(422, "invalid_arguments", str(error)) from None
    except JudgeUnavailable as error:
        raise Problem(
            503, "judge_unavailable", f"Nothing was changed: {error}. Try again in a moment."
        ) from None
    match outcome:
        case Refused(reason=reason):
            kind, subject_id = WRITES[name].subject(order.arguments)
            if subject_id is not None:
                async with gateway.db.read(who.workspace_id) as connection:
                    known = await may_know_of(connection, who.workspace_id, who.member_id, kind, subject_id)
                if not known:
                    raise not_found(kind.value)
            raise Problem(403, "not_permitted", reason, title="Not permitted")
        case Failed(reason=reason):
            raise Problem(409, "not_done", reason, title="Not done")
        case Done(receipt=receipt):
            return receipt
