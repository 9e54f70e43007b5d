"""What each read and write may ask of the database, counted on a real one. The table is printed: `-s` shows it."""
# ruff: noqa: T201

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from prometheus_client import REGISTRY as METRICS
from sqlalchemy import event

from handraise.common.judge import Check, Ruling
from handraise.permissions.bench import Bench
from handraise.permissions.cache import FactsCache
from handraise.workspace.actions import WRITES, Done, perform
from handraise.workspace.database import Database
from handraise.workspace.policy import RULES, Act, SubjectKind
from tests.integration.workspace.conftest import Office
from tests.integration.workspace.test_perform import able, one_of_each, order
from tests.integration.workspace.test_walls import reads
from tests.integration.workspace.told import NOBODY
from tests.integration.workspace.world import statements_of
from tests.support.databases import DatabaseForTest


class Counting:
    """A judge that counts what it is asked."""

    def __init__(self, judge: Bench) -> None:
        self.asked = 0
        self._judge = judge

    async def check(self, check: Check) -> Ruling:
        self.asked += 1
        return await self._judge.check(check)

    async def check_all(self, checks: tuple[Check, ...]) -> tuple[Ruling, ...]:
        self.asked += len(checks)
        return await self._judge.check_all(checks)


@contextmanager
def rows_of(db: Database) -> Iterator[list[int]]:
    """Collect how many rows each statement in the block returns."""
    counted: list[int] = []

    def note(_: Any, cursor: Any, *__: Any) -> None:
        counted.append(cursor.rowcount)

    event.listen(db.engine.sync_engine, "after_cursor_execute", note)
    try:
        yield counted
    finally:
        event.remove(db.engine.sync_engine, "after_cursor_execute", note)


async def test_every_read_tool_is_one_statement_and_every_write_one_check_and_one_transaction(
    office: Office, db: Database, judge: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    table: list[tuple[str, int, int, int]] = []  # name, checks, transactions, statements
    await office.world.conversation("dm", [office.ada, office.ben])
    for name, ask in reads(office).items():
        with statements_of(db) as sent:
            assert await ask(db, office.id, office.ada)
        table.append((name, 0, sent.count("BEGIN"), len(sent)))
    for name, arguments in one_of_each(office).items():
        counting = Counting(judge)
        with statements_of(db) as sent:
            outcome = await perform(db, counting, NOBODY, order(office, name, arguments, able(office, name)))
        assert isinstance(outcome, Done), outcome
        inside = len(sent) - sent.count("BEGIN") - sent.count("COMMIT")
        table.append((name, counting.asked, sent.count("BEGIN"), inside))
    with capsys.disabled():
        print(f"\n{'':24} checks  transactions  statements")
        for name, checks, transactions, statements in table:
            print(f"{name:24} {checks:6}  {transactions:12}  {statements:10}")
    for name, checks, transactions, statements in table:
        if name in WRITES:
            assert (checks, transactions) == (1, 1), name
            assert statements <= 8, name
        else:
            assert (checks, transactions, statements) == (0, 0, 1), name


@pytest.mark.parametrize("act", Act)
async def test_a_permission_check_is_one_statement_and_none_when_the_facts_are_kept(
    act: Act, office: Office, module_database: DatabaseForTest
) -> None:
    subjects = {
        SubjectKind.TEAM: office.web,
        SubjectKind.PROJECT: office.atlas,
        SubjectKind.TASK: office.bug,
        SubjectKind.CHANNEL: office.general,
        SubjectKind.CONVERSATION: office.deploy,
        SubjectKind.MEMBER: office.ben,
        SubjectKind.DOC: office.plan,
        SubjectKind.REMINDER: office.wake,
    }
    kept = {SubjectKind.DOC, SubjectKind.REMINDER} ^ set(subjects) | {SubjectKind.WORKSPACE}
    db = await Database.open(module_database.dsn("permissions"), size=1)
    bench = Bench(db, FactsCache(ttl=60, kept=100))

    def loads() -> float:
        return METRICS.get_sample_value("handraise_checks_total", {"facts": "database"}) or 0

    asked: list[str] = []
    try:
        async with db.hot(office.id) as connection:
            connection.add_query_logger(lambda record: asked.append(record.query))
        for kind in RULES[act].on:
            if kind not in subjects and kind is not SubjectKind.WORKSPACE:
                continue  # requests, actions and jobs are counted where they are made
            check = Check(
                workspace_id=office.id,
                member_id=office.ada,
                act=act,
                subject_kind=kind,
                subject_id=subjects.get(kind),
            )
            for expected in (1, 0 if kind in kept else 1):
                asked.clear()
                before = loads()
                await bench.check(check)
                assert loads() - before == expected, kind
                assert len(asked) == expected, (kind, asked)
    finally:
        await db.close()


async def test_posting_to_a_channel_never_loads_its_member_list(
    office: Office, db: Database, judge: Bench
) -> None:
    for n in range(120):
        await office.world.join("channel", office.general, [], [await office.world.member(f"M{n}")])
    with rows_of(db) as counted:
        outcome = await perform(
            db,
            judge,
            NOBODY,
            order(office, "post_to_channel", one_of_each(office)["post_to_channel"]),
        )
    assert isinstance(outcome, Done)
    assert outcome.receipt.facts["In"] == "#general, 123 people"
    assert counted
    assert max(counted) <= 1, "rows were loaded one by one"
