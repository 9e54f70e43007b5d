"""The one door: asks the judge, then makes the write, its audit row and its receipt in one transaction."""

from collections.abc import Awaitable, Callable
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.common.judge import Check, Judge
from handraise.workspace import audit
from handraise.workspace.actions.order import (
    Again,
    Cannot,
    Done,
    Failed,
    Order,
    Outcome,
    Receipt,
    Refused,
    Write,
)
from handraise.workspace.actions.registry import WRITES
from handraise.workspace.database import Database
from handraise.workspace.policy import SubjectKind
from handraise.workspace.schema import audit as audit_table
from handraise.workspace.words import Verdict

Also = Callable[[AsyncConnection, Receipt], Awaitable[None]]


async def perform(db: Database, judge: Judge, order: Order, *, also: Also | None = None) -> Outcome:
    """Do `order` at most once, as whom it runs as, judged now.

    `also` joins the transaction after the write and its audit row, and only in the run that really writes.
    A refusal is audited by the judge, a failure here. Raises JudgeUnavailable, with nothing written: tell the
    person to try again.
    """
    write = WRITES.get(order.write)
    if write is None:
        return Failed(f"There is no write called “{order.write}”; nothing was changed.")
    if not isinstance(order.arguments, write.arguments):
        return Failed(f"These are no arguments for {order.write}; nothing was changed.")
    try:
        subject = write.subject(order.arguments)
    except Cannot as cannot:
        return await _failed(db, order, write, (write.subject_kind, None), str(cannot))
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
            return Done(receipt)
    except Again:
        return await _done_before(db, order, write) or Failed(
            "This key was used for something else; nothing was changed."
        )
    except Cannot as cannot:
        again = await _done_before(db, order, write)
        return again or await _failed(db, order, write, subject, str(cannot))


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
