"""The one door: asks the judge, then makes the write, its audit row and its receipt in one transaction."""

from collections.abc import Awaitable, Callable
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.common.aftermath import Aftermath
from handraise.common.judge import Check, Judge
from handraise.workspace import audit
from handraise.workspace.actions.order import (
    Again,
    Cannot,
    Done,
    Effect,
    Failed,
    Order,
    Outcome,
    Receipt,
    Refused,
    Write,
)
from handraise.workspace.actions.pages import live_of
from handraise.workspace.actions.registry import WRITES
from handraise.workspace.database import Database
from handraise.workspace.policy import SubjectKind
from handraise.workspace.schema import audit as audit_table
from handraise.workspace.schema import reminders
from handraise.workspace.words import Verdict

Also = Callable[[AsyncConnection, Receipt], Awaitable[None]]


async def perform(
    db: Database, judge: Judge, aftermath: Aftermath, order: Order, *, also: Also | None = None
) -> Outcome:
    """Do `order` at most once, as whom it runs as, judged now; and see to what it leads to.

    `also` joins the transaction after the write and its audit row, and only in the run that really writes.
    A refusal is audited by the judge, a failure here. Raises JudgeUnavailable, with nothing written: tell the
    person to try again. Raises what `aftermath` raises: with nothing written where a timer could not be set;
    where only others could not be told, it is written, and giving the order again tells them.
    """
    outcome = await _perform(db, judge, aftermath, order, also)
    if isinstance(outcome, Done):
        await _tell(aftermath, order, outcome.receipt)
        if not outcome.again:
            await aftermath.changed(live_of(order, outcome.receipt))
    return outcome


async def _perform(
    db: Database, judge: Judge, aftermath: Aftermath, order: Order, also: Also | None
) -> Outcome:
    write = WRITES.get(order.write)
    if write is None:
        return Failed(f"There is no write called “{order.write}”; nothing was changed.")
    if not isinstance(order.arguments, write.arguments):
        return Failed(f"These are no arguments for {order.write}; nothing was changed.")
    try:
        subject = write.subject(order.arguments)
    except Cannot as cannot:
        kind = write.subjects[0][1] if write.subjects else SubjectKind.WORKSPACE
        return await _failed(db, order, write, (kind, None), str(cannot))
    ruling = await judge.check(
        Check(
            workspace_id=order.workspace_id,
            member_id=order.member_id,
            act=write.act,
            subject_kind=subject[0],
            subject_id=subject[1],
        )
    )
    if not ruling.allowed:
        # What was done stays done, even for somebody who has lost the right since.
        return await _done_before(db, order, write) or Refused(ruling.reason)
    try:
        write.check(order.arguments)
        async with db.write(order.workspace_id) as connection:
            receipt = await write.run(connection, order, order.arguments)
            await _note(connection, order, write, subject, receipt)
            if also is not None:
                await also(connection, receipt)
            if write.leads_to is Effect.SETS_TIMER:
                await _set_timer(connection, aftermath, order, receipt)
            return Done(receipt)
    except Again:
        return await _done_before(db, order, write) or Failed(
            "This key was used for something else; nothing was changed."
        )
    except Cannot as cannot:
        again = await _done_before(db, order, write)
        return again or await _failed(db, order, write, subject, str(cannot))


async def _set_timer(
    connection: AsyncConnection, aftermath: Aftermath, order: Order, receipt: Receipt
) -> None:
    # Before the commit: a timer without its reminder wakes nobody, a reminder without its timer never would.
    reminder_id = UUID(receipt.ids["reminder"])
    statement = select(reminders.c.due_at).where(
        reminders.c.id == reminder_id, reminders.c.workspace_id == order.workspace_id
    )
    at = (await connection.execute(statement)).scalar_one()
    await aftermath.timer(order.workspace_id, reminder_id, at)


async def _tell(aftermath: Aftermath, order: Order, receipt: Receipt) -> None:
    match WRITES[order.write].leads_to:
        case Effect.CHANGES_RIGHTS:
            ids = {name: UUID(id) for name, id in receipt.ids.items()}
            place = ids.get("team") or ids.get("project") or ids.get("channel")
            await aftermath.rights_changed(
                order.workspace_id, ids.get("person"), place, order.derived("rights")
            )
        case Effect.STOPS_TIMER:
            await aftermath.no_timer(UUID(receipt.ids["reminder"]))


async def _note(
    connection: AsyncConnection,
    order: Order,
    write: Write,
    subject: tuple[SubjectKind, UUID | None],
    receipt: Receipt,
) -> None:
    # The row's id comes from the key, so two runs at once meet here: the second waits for the first to
    # commit, finds its row and is rolled back.
    entry = _entry(order, write, subject, Verdict.ALLOWED, receipt.written(), order.derived("audit"))
    if (await connection.execute(audit.insertion(entry))).first() is None:
        raise Again


async def _done_before(db: Database, order: Order, write: Write) -> Done | None:
    async with db.read(order.workspace_id) as connection:
        statement = select(audit_table.c.reason).where(
            audit_table.c.id == order.derived("audit"),
            audit_table.c.workspace_id == order.workspace_id,
            audit_table.c.as_id == order.member_id,
            audit_table.c.tag == write.act,
        )
        written = (await connection.execute(statement)).scalar_one_or_none()
    return None if written is None else Done(Receipt.read(written), again=True)


async def _failed(
    db: Database, order: Order, write: Write, subject: tuple[SubjectKind, UUID | None], reason: str
) -> Failed:
    entry = _entry(order, write, subject, Verdict.FAILED, reason, None)
    async with db.write(order.workspace_id) as connection:
        await connection.execute(audit.insertion(entry))
    return Failed(reason)


def _entry(
    order: Order,
    write: Write,
    subject: tuple[SubjectKind, UUID | None],
    verdict: Verdict,
    reason: str,
    id: UUID | None,
) -> audit.Entry:
    return audit.Entry(
        workspace_id=order.workspace_id,
        tag=audit.Tag(write.act),
        subject_kind=subject[0],
        subject_id=subject[1],
        verdict=verdict,
        actor_id=order.actor_id,
        as_id=order.member_id,
        agent_id=order.agent_id,
        job_id=order.job_id,
        reason=reason,
        trace_id=order.trace_id,
        id=id,
    )
