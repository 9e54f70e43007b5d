"""Everything written goes through one door, judged, at most once, with its audit row."""

import asyncio
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.common.ids import new_id
from handraise.common.judge import Check, JudgeUnavailable, Ruling
from handraise.permissions.bench import Bench
from handraise.workspace.actions import WRITES, Done, Failed, Order, Outcome, Receipt, Refused, perform
from handraise.workspace.actions.add_member import AddMember
from handraise.workspace.actions.append_to_doc import AppendToDoc
from handraise.workspace.actions.assign_task import AssignTask
from handraise.workspace.actions.cancel_reminder import CancelReminder
from handraise.workspace.actions.change_person import ChangePerson
from handraise.workspace.actions.create_channel import CreateChannel
from handraise.workspace.actions.create_doc import CreateDoc
from handraise.workspace.actions.create_group import CreateGroup
from handraise.workspace.actions.create_project import CreateProject
from handraise.workspace.actions.create_task import CreateTask
from handraise.workspace.actions.create_team import CreateTeam
from handraise.workspace.actions.edit_task import EditTask
from handraise.workspace.actions.membership import PlaceKind
from handraise.workspace.actions.message_group import MessageGroup
from handraise.workspace.actions.open_dm import OpenDm
from handraise.workspace.actions.post_to_channel import PostToChannel
from handraise.workspace.actions.remove_member import RemoveMember
from handraise.workspace.actions.send_dm import SendDm
from handraise.workspace.actions.set_reminder import SetReminder
from handraise.workspace.actions.set_role import SetRole
from handraise.workspace.actions.set_task_due_date import SetTaskDueDate
from handraise.workspace.actions.update_task_status import UpdateTaskStatus
from handraise.workspace.actions.write_doc import WriteDoc
from handraise.workspace.database import Database
from handraise.workspace.words import MemberRole, Role, TaskStatus
from tests.integration.workspace.conftest import Office
from tests.integration.workspace.told import NOBODY
from tests.integration.workspace.world import furnish, new_world, statements_of
from tests.support.databases import DatabaseForTest

THURSDAY = datetime(2026, 11, 5, 9, 0, tzinfo=UTC)


def one_of_each(office: Office) -> dict[str, Any]:
    """Return arguments for every write, that Ada may make, or the boss."""
    return {
        "update_task_status": UpdateTaskStatus(office.bug, TaskStatus.DONE),
        "create_task": CreateTask(office.atlas, "Deploy API", assignee_id=office.ben, due_at=THURSDAY),
        "assign_task": AssignTask(office.bug, office.ada),
        "set_task_due_date": SetTaskDueDate(office.bug, THURSDAY),
        "post_to_channel": PostToChannel(str(office.general), "It ships on Thursday."),
        "send_dm": SendDm(office.ben, "Can you watch it?"),
        "create_doc": CreateDoc("Plan", "# Plan", office.atlas),
        "append_to_doc": AppendToDoc(office.plan, "Roll back before 10:30."),
        "create_project": CreateProject(office.web, "Apollo"),
        "message_group": MessageGroup(str(office.deploy), "Who watches?"),
        "set_reminder": SetReminder("Watch the deploy", f"{datetime.now(UTC).year + 1}-11-05T10:00"),
        "edit_task": EditTask(office.bug, title="Fix the login", assignee_id=office.ada),
        "write_doc": WriteDoc(office.plan, body="We deploy on Friday."),
        "cancel_reminder": CancelReminder(office.wake),
        "open_dm": OpenDm(office.eve),
        "create_group": CreateGroup("Launch", (office.ben, office.eve)),
        "create_channel": CreateChannel("#Launch"),
        "create_team": CreateTeam("Ops"),
        "add_member": AddMember(PlaceKind.PROJECT, office.atlas, office.eve),
        "remove_member": RemoveMember(PlaceKind.CHANNEL, office.general, office.ben),
        "set_role": SetRole(PlaceKind.TEAM, office.web, office.ben, role=Role.ADMIN),
        "change_person": ChangePerson(office.eve, role=MemberRole.GUEST),
    }


BOSS = {"create_team", "change_person"}
"""What Ada may not, and an admin of the workspace may."""


def able(office: Office, write: str) -> UUID:
    """Return somebody who may make this write."""
    return office.boss if write in BOSS else office.ada


def order(office: Office, write: str, arguments: Any, who: UUID | None = None, **more: Any) -> Order:
    who = who or office.ada
    return Order(
        **{
            "workspace_id": office.id,
            "member_id": who,
            "actor_id": who,
            "write": write,
            "arguments": arguments,
            "key": new_id(),
            **more,
        }
    )


async def audited(office: Office, verdict: str) -> list[str]:
    rows = await office.world.value(
        "SELECT array_agg(tag ORDER BY at) FROM audit WHERE workspace_id = $1 AND verdict = $2",
        office.id,
        verdict,
    )
    return rows or []


def receipt_of(outcome: Outcome) -> Receipt:
    assert isinstance(outcome, Done), outcome
    return outcome.receipt


def test_every_write_has_an_order_in_these_tests(office: Office) -> None:
    assert one_of_each(office).keys() == WRITES.keys()


@pytest.mark.parametrize("write", WRITES)
async def test_a_write_is_made_with_one_audit_row_that_says_what_was_done(
    write: str, office: Office, db: Database, judge: Bench
) -> None:
    before = await office.world.counts()
    made = order(
        office,
        write,
        one_of_each(office)[write],
        able(office, write),
        agent_id=new_id(),
        job_id=new_id(),
        trace_id="t1",
    )
    receipt = receipt_of(await perform(db, judge, NOBODY, made))
    assert await office.world.counts() != before
    assert await audited(office, "allowed") == [WRITES[write].act]
    row = await office.world.value(
        "SELECT row_to_json(audit)::text FROM audit WHERE workspace_id = $1", office.id
    )
    for expected in (made.actor_id, made.agent_id, made.job_id, "t1", receipt.title, receipt.link):
        assert str(expected) in row


@pytest.mark.parametrize("write", WRITES)
async def test_a_write_comes_again_under_its_key_and_nothing_more_happens(
    write: str, office: Office, db: Database, judge: Bench
) -> None:
    made = order(office, write, one_of_each(office)[write], able(office, write))
    first = await perform(db, judge, NOBODY, made)
    after = await office.world.counts()
    second = await perform(db, judge, NOBODY, made)
    assert isinstance(second, Done)
    assert second.again
    assert second.receipt == receipt_of(first)
    assert await office.world.counts() == after
    assert await audited(office, "allowed") == [WRITES[write].act]


@pytest.mark.parametrize("write", WRITES)
async def test_of_many_runs_at_once_exactly_one_writes(
    write: str, office: Office, db: Database, judge: Bench
) -> None:
    made = order(office, write, one_of_each(office)[write], able(office, write))
    told: list[Receipt] = []

    async def also(_: AsyncConnection, receipt: Receipt) -> None:
        told.append(receipt)

    outcomes = await asyncio.gather(*(perform(db, judge, NOBODY, made, also=also) for _ in range(6)))
    receipts = [receipt_of(outcome) for outcome in outcomes]
    assert receipts == [receipts[0]] * 6
    assert sorted(outcome.again for outcome in outcomes if isinstance(outcome, Done)) == [False] + [True] * 5
    assert await audited(office, "allowed") == [WRITES[write].act]
    assert told == [receipts[0]]


@pytest.mark.parametrize("write", WRITES)
async def test_a_refused_write_changes_nothing_and_leaves_one_audit_row(
    write: str, office: Office, db: Database, judge: Bench
) -> None:
    before = await office.world.counts()
    outcome = await perform(db, judge, NOBODY, order(office, write, one_of_each(office)[write], office.gone))
    assert isinstance(outcome, Refused)
    assert "Gone is deactivated" in outcome.reason
    assert await office.world.counts() == before
    assert await audited(office, "refused") == [WRITES[write].act]
    assert await audited(office, "allowed") == []


@pytest.mark.parametrize("write", WRITES)
async def test_without_a_ruling_nothing_is_written(write: str, office: Office, db: Database) -> None:
    class NobodyThere:
        async def check(self, check: Check) -> Ruling:
            raise JudgeUnavailable("the permissions service is not running")

        async def check_all(self, checks: tuple[Check, ...]) -> tuple[Ruling, ...]:
            raise JudgeUnavailable("the permissions service is not running")

    before = await office.world.counts()
    with pytest.raises(JudgeUnavailable):
        await perform(db, NobodyThere(), NOBODY, order(office, write, one_of_each(office)[write]))
    assert await office.world.counts() == before


@pytest.mark.parametrize("write", WRITES)
async def test_what_is_in_another_workspace_is_not_there(
    write: str, office: Office, module_database: DatabaseForTest, db: Database, judge: Bench
) -> None:
    async with new_world(module_database) as abroad:
        made = await furnish(abroad, 5)
        strangers = made.people
        before = await abroad.counts()
        for who in (office.ada, strangers[0]):
            arguments = one_of_each(office)[write]
            if not WRITES[write].subject(arguments)[1] and who is not office.ada:
                continue  # what is done to one's own workspace is at home there
            foreign = order(office, write, arguments, who, workspace_id=abroad.id)
            outcome = await perform(db, judge, NOBODY, foreign)
            assert isinstance(outcome, Refused | Failed), outcome
            for name in ("Atlas", "general", "Web", "plan", "deploy", "Wake"):
                assert name not in outcome.reason
        assert await abroad.counts() == before


async def test_a_confirmed_write_is_one_check_and_one_transaction(
    office: Office, db: Database, judge: Bench
) -> None:
    asked: list[Check] = []

    class Counting:
        async def check(self, check: Check) -> Ruling:
            asked.append(check)
            return await judge.check(check)

        async def check_all(self, checks: tuple[Check, ...]) -> tuple[Ruling, ...]:
            raise AssertionError("one check is enough")

    for write, arguments in one_of_each(office).items():
        asked.clear()
        with statements_of(db) as sent:
            receipt_of(
                await perform(db, Counting(), NOBODY, order(office, write, arguments, able(office, write)))
            )
        assert len(asked) == 1, write
        assert (sent.count("BEGIN"), sent.count("COMMIT")) == (1, 1), write
        assert sent[0] == "BEGIN", write
        assert sent[-1] == "COMMIT", write


async def test_what_joins_the_transaction_is_undone_with_it(
    office: Office, db: Database, judge: Bench
) -> None:
    async def also(connection: AsyncConnection, receipt: Receipt) -> None:
        await connection.execute(
            text("UPDATE tasks SET title = :t WHERE id = :id"), {"t": receipt.title, "id": office.bug}
        )
        raise RuntimeError("the runner changed its mind")

    before = await office.world.counts()
    made = order(office, "update_task_status", one_of_each(office)["update_task_status"])
    with pytest.raises(RuntimeError, match="changed its mind"):
        await perform(db, judge, NOBODY, made, also=also)
    assert await office.world.counts() == before
    assert await office.world.value("SELECT title FROM tasks WHERE id = $1", office.bug) == "Fix login bug"
    assert await audited(office, "allowed") == []
    assert receipt_of(await perform(db, judge, NOBODY, made)).title == "Marked “Fix login bug” done"


async def test_a_key_means_nothing_in_the_hands_of_another_member(
    office: Office, db: Database, judge: Bench
) -> None:
    key = new_id()
    first = receipt_of(
        await perform(db, judge, NOBODY, order(office, "create_doc", CreateDoc("Mine", ""), key=key))
    )
    other = await perform(
        db, judge, NOBODY, order(office, "create_doc", CreateDoc("Yours", ""), office.ben, key=key)
    )
    assert isinstance(other, Done)
    assert not other.again
    assert other.receipt.ids["doc"] != first.ids["doc"]


async def test_a_key_that_was_used_for_something_else_writes_nothing(
    office: Office, db: Database, judge: Bench
) -> None:
    key = new_id()
    receipt_of(await perform(db, judge, NOBODY, order(office, "create_doc", CreateDoc("Plan", ""), key=key)))
    before = await office.world.counts()
    other = await perform(db, judge, NOBODY, order(office, "send_dm", SendDm(office.ben, "hi"), key=key))
    assert isinstance(other, Failed)
    assert "key" in other.reason
    assert await office.world.counts() == before


async def test_what_was_done_stays_done_for_somebody_who_lost_the_right_since(
    office: Office, db: Database, judge: Bench
) -> None:
    made = order(office, "update_task_status", UpdateTaskStatus(office.bug, TaskStatus.DONE))
    first = receipt_of(await perform(db, judge, NOBODY, made))
    await office.world.run("DELETE FROM project_members WHERE member_id = $1", office.ada)
    assert await perform(db, judge, NOBODY, made) == Done(first, again=True)


async def test_a_change_by_hand_does_not_overwrite_a_newer_version(
    office: Office, db: Database, judge: Bench
) -> None:
    change = UpdateTaskStatus(office.bug, TaskStatus.DONE)
    receipt_of(
        await perform(db, judge, NOBODY, order(office, "update_task_status", change, expected_version=1))
    )
    late = UpdateTaskStatus(office.bug, TaskStatus.TODO)
    outcome = await perform(db, judge, NOBODY, order(office, "update_task_status", late, expected_version=1))
    assert isinstance(outcome, Failed)
    assert "changed by somebody else" in outcome.reason
    assert await office.world.value("SELECT status FROM tasks WHERE id = $1", office.bug) == "done"


async def test_the_numbers_of_tasks_have_no_gaps(office: Office, db: Database, judge: Bench) -> None:
    orders = [order(office, "create_task", CreateTask(office.atlas, f"Task {n}")) for n in range(5)]
    await asyncio.gather(*(perform(db, judge, NOBODY, o) for o in orders for _ in range(2)))
    numbers = await office.world.value(
        "SELECT array_agg(number ORDER BY number) FROM tasks WHERE project_id = $1", office.atlas
    )
    assert numbers == [117, 118, 119, 120, 121, 122]


async def test_two_people_have_one_conversation_whoever_writes_first(
    office: Office, db: Database, judge: Bench
) -> None:
    one = receipt_of(await perform(db, judge, NOBODY, order(office, "send_dm", SendDm(office.ben, "Hi"))))
    other = receipt_of(
        await perform(db, judge, NOBODY, order(office, "send_dm", SendDm(office.ada, "Hello"), office.ben))
    )
    assert one.ids["conversation"] == other.ids["conversation"]
    members = await office.world.value(
        "SELECT array_agg(member_id) FROM conversation_members WHERE conversation_id = $1",
        UUID(one.ids["conversation"]),
    )
    assert set(members) == {office.ada, office.ben}


@pytest.mark.parametrize(
    ("write", "arguments", "expected"),
    [
        ("create_task", lambda o: CreateTask(o.atlas, "  "), "title is empty"),
        ("create_task", lambda o: CreateTask(o.atlas, "x" * 201), "201 characters"),
        ("create_task", lambda o: CreateTask(o.atlas, "two\nlines"), "control character"),
        ("create_task", lambda o: CreateTask(o.atlas, "evil\u202etxt"), "control character"),
        ("create_task", lambda o: CreateTask(o.atlas, "x", description="nul\x00"), "control character"),
        ("create_task", lambda o: CreateTask(o.atlas, "x", assignee_id=o.eve), "not a member"),
        ("create_task", lambda o: CreateTask(o.atlas, "x", assignee_id=o.gone), "deactivated"),
        ("create_task", lambda o: CreateTask(o.atlas, "x", assignee_id=new_id()), "no such person"),
        ("create_task", lambda o: CreateTask(o.atlas, "x", due_at=datetime(2026, 11, 5)), "no time zone"),  # noqa: DTZ001
        ("set_task_due_date", lambda o: SetTaskDueDate(o.bug, datetime(2026, 11, 5)), "no time zone"),  # noqa: DTZ001
        ("set_task_due_date", lambda o: SetTaskDueDate(o.bug, None), "already"),
        ("assign_task", lambda o: AssignTask(o.bug, o.ben), "already"),
        ("assign_task", lambda o: AssignTask(o.bug, o.gus), "not a member"),
        ("update_task_status", lambda o: UpdateTaskStatus(o.bug, TaskStatus.IN_REVIEW), "already"),
        ("post_to_channel", lambda o: PostToChannel(str(o.general), " \n"), "empty"),
        ("post_to_channel", lambda o: PostToChannel("general", "hi"), "must be an id"),
        ("post_to_channel", lambda o: PostToChannel(str(o.general), "x" * 10_001), "10,001 characters"),
        ("send_dm", lambda o: SendDm(o.ada, "hi"), "themselves"),
        ("create_doc", lambda _: CreateDoc("", "body"), "title is empty"),
        ("create_doc", lambda _: UpdateTaskStatus(new_id(), TaskStatus.DONE), "no arguments for"),
        ("drop_database", lambda _: CreateDoc("", "body"), "no write called"),
    ],
)
async def test_what_nobody_could_do_fails_with_a_reason_and_changes_nothing(
    write: str, arguments: Any, expected: str, office: Office, db: Database, judge: Bench
) -> None:
    before = await office.world.counts()
    outcome = await perform(db, judge, NOBODY, order(office, write, arguments(office)))
    assert isinstance(outcome, Failed), outcome
    assert expected in outcome.reason
    assert outcome.reason.endswith(".")
    assert await office.world.counts() == before
    known = "no write" not in outcome.reason and "no arguments" not in outcome.reason
    assert await audited(office, "failed") == ([WRITES[write].act] if known else [])


async def test_a_failed_order_can_be_given_again_under_its_key(
    office: Office, db: Database, judge: Bench
) -> None:
    made = order(office, "assign_task", AssignTask(office.bug, office.eve))
    assert isinstance(await perform(db, judge, NOBODY, made), Failed)
    await office.world.join("project", office.atlas, [], [office.eve])
    assert receipt_of(await perform(db, judge, NOBODY, made)).title == "Assigned ATL-117 to Eve"


async def test_a_due_date_keeps_the_zone_of_whoever_set_it(
    office: Office, db: Database, judge: Bench
) -> None:
    receipt = receipt_of(
        await perform(
            db, judge, NOBODY, order(office, "set_task_due_date", SetTaskDueDate(office.bug, THURSDAY))
        )
    )
    assert "10:00 (Europe/Berlin)" in receipt.facts["Due"]
    assert await office.world.value("SELECT due_zone FROM tasks WHERE id = $1", office.bug) == "Europe/Berlin"
