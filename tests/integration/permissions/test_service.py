"""The service over the bus: rulings, what is kept and forgotten, what is refused and noted."""

import asyncio
from typing import Any
from uuid import UUID

import asyncpg
import pytest
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from prometheus_client import REGISTRY

from handraise.common.bus import subjects
from handraise.common.bus.messages import MembershipChanged
from handraise.common.bus.publish import Bus
from handraise.common.ids import new_id
from handraise.common.judge import JUDGE_SUBJECT, Check, JudgeUnavailable, NatsJudge
from handraise.dev.nats import EmbeddedNats
from tests.integration.permissions.conftest import Starter
from tests.integration.workspace.conftest import Office
from tests.support.databases import DatabaseForTest


def check(office: Office, who: UUID, act: str, kind: str | None = None, id: UUID | None = None) -> Check:
    return Check(workspace_id=office.id, member_id=who, act=act, subject_kind=kind, subject_id=id)


def counted(source: str) -> float:
    return REGISTRY.get_sample_value("handraise_checks_total", {"facts": source}) or 0


async def announced(bus: Client, office: Office) -> None:
    """Publish a membership event as the others do, and return once the stream has it."""
    event = MembershipChanged(workspace_id=office.id)
    id = new_id()
    await Bus(bus).publish(subjects.evt(office.id, "membership", id), event, id=str(id))


async def test_a_check_is_ruled_on_with_a_reason_that_all_can_read(
    office: Office, replica: Starter, judge: NatsJudge
) -> None:
    await replica()
    rulings = await judge.check_all(
        (
            check(office, office.ada, "task:status", "task", office.bug),
            check(office, office.ben, "task:status", "task", office.bug),
            check(office, office.ada, "agent:manage"),
        )
    )
    assert [ruling.allowed for ruling in rulings] == [True, False, False]
    assert rulings[0].reason == ""
    assert rulings[1].reason == (
        "Only an admin of the project Atlas may change this task; Ben is a member. Ada is an admin."
    )


@pytest.mark.parametrize(
    ("act", "kind", "id", "expected"),
    [
        ("task:fly", "task", "bug", "There is no act “task:fly”"),
        ("task:status", "spaceship", "bug", "There is no kind of subject “spaceship”"),
        ("task:status", "task", None, "can see no task"),
        ("task:status", None, None, "can see no workspace"),
        ("task:status", "channel", "general", "can see no channel"),
    ],
)
async def test_what_is_not_known_is_refused(
    act: str,
    kind: str | None,
    id: str | None,
    expected: str,
    office: Office,
    replica: Starter,
    judge: NatsJudge,
) -> None:
    await replica()
    ruling = await judge.check(check(office, office.ada, act, kind, getattr(office, id) if id else None))
    assert not ruling.allowed
    assert expected in ruling.reason


async def test_a_refusal_leaves_one_audit_row_and_an_approval_none(
    office: Office, replica: Starter, judge: NatsJudge, database: DatabaseForTest
) -> None:
    await replica()
    await judge.check(check(office, office.ada, "task:status", "task", office.bug))
    ruling = await judge.check(check(office, office.ben, "task:status", "task", office.bug))
    await judge.check(check(office, office.ben, "task:fly", "task", office.bug))
    owner = await asyncpg.connect(database.owner_dsn)
    rows = await owner.fetch("SELECT * FROM audit ORDER BY at")
    await owner.close()
    assert [(row["tag"], row["verdict"]) for row in rows] == [
        ("task:status", "refused"),
        ("act:unknown", "refused"),
    ]
    noted: dict[str, Any] = dict(rows[0])
    assert noted["workspace_id"] == office.id
    assert noted["actor_id"] == noted["as_id"] == office.ben
    assert (noted["subject_kind"], noted["subject_id"]) == ("task", office.bug)
    assert noted["reason"] == ruling.reason


async def test_facts_are_asked_for_once_and_then_kept(
    office: Office, replica: Starter, judge: NatsJudge
) -> None:
    await replica()
    asked = check(office, office.ada, "task:status", "task", office.bug)
    before = counted("database"), counted("cache")
    for _ in range(3):
        assert (await judge.check(asked)).allowed
    assert (counted("database"), counted("cache")) == (before[0] + 1, before[1] + 2)


async def test_a_membership_event_makes_every_replica_forget(
    office: Office, replica: Starter, judge: NatsJudge, connection: Client
) -> None:
    for _ in range(2):
        await replica()
    asked = check(office, office.ada, "task:status", "task", office.bug)
    for _ in range(40):  # until both have it
        assert (await judge.check(asked)).allowed
    await office.world.run("DELETE FROM project_members WHERE member_id = $1", office.ada)
    await announced(connection, office)
    rulings = [(await judge.check(asked)).allowed for _ in range(40)]
    assert rulings == [False] * 40


async def test_what_is_not_there_is_not_remembered(
    office: Office, replica: Starter, judge: NatsJudge
) -> None:
    await replica()
    id = new_id()
    asked = check(office, office.ada, "task:status", "task", id)
    assert not (await judge.check(asked)).allowed
    await office.world.put("tasks", id=id, project_id=office.atlas, number=5, title="New")
    assert (await judge.check(asked)).allowed


async def test_an_outage_of_the_bus_makes_it_forget(
    office: Office, replica: Starter, judge: NatsJudge, connection: Client, nats_server: EmbeddedNats
) -> None:
    await replica()
    asked = check(office, office.ada, "task:status", "task", office.bug)
    assert (await judge.check(asked)).allowed
    nats_server.kill()
    await office.world.run("DELETE FROM project_members WHERE member_id = $1", office.ada)
    nats_server.start()
    while True:  # both must find their way back first
        try:
            ruling = await judge.check(asked)
            break
        except JudgeUnavailable:
            await connection.flush(timeout=5)
    assert not ruling.allowed


async def test_facts_loaded_while_an_event_came_are_not_kept(
    office: Office, replica: Starter, judge: NatsJudge, connection: Client
) -> None:
    await replica()
    asked = check(office, office.ada, "task:status", "task", office.bug)
    await office.world.run("BEGIN; LOCK TABLE tasks IN ACCESS EXCLUSIVE MODE")
    waiting = asyncio.create_task(judge.check(asked))
    while not await office.world.value("SELECT count(*) FROM pg_locks WHERE NOT granted"):
        await asyncio.sleep(0)
    await announced(connection, office)
    # An answer to what was asked after the event says that the event has arrived.
    assert (await judge.check(check(office, office.ada, "project:read", "project", office.atlas))).allowed
    await office.world.run("COMMIT")
    assert (await waiting).allowed
    before = counted("database")
    assert (await judge.check(asked)).allowed
    assert counted("database") == before + 1


@pytest.mark.parametrize("body", [b"", b"{", b'{"checks": [{"act": 1}]}', b"[]"])
async def test_what_can_not_be_read_gets_no_ruling(body: bytes, replica: Starter, connection: Client) -> None:
    await replica()
    reply: Msg = await connection.request(JUDGE_SUBJECT, body, timeout=5)
    assert b'"rulings":[]' in reply.data
    assert b"can't be read" in reply.data


async def test_without_its_database_it_gives_no_ruling(
    office: Office, replica: Starter, judge: NatsJudge, database: DatabaseForTest
) -> None:
    await replica()
    owner = await asyncpg.connect(database.owner_dsn)
    await owner.execute("ALTER TABLE members RENAME TO persons")
    await owner.close()
    with pytest.raises(JudgeUnavailable, match="can't be read from the database now"):
        await judge.check(check(office, office.ada, "task:status", "task", office.bug))


async def test_without_the_service_nobody_rules(office: Office, judge: NatsJudge) -> None:
    with pytest.raises(JudgeUnavailable, match="not running"):
        await judge.check(check(office, office.ada, "task:status", "task", office.bug))


async def test_what_was_asked_before_a_stop_is_still_answered(
    office: Office, replica: Starter, judge: NatsJudge
) -> None:
    running = await replica()
    asked = check(office, office.ada, "task:status", "task", office.bug)
    await office.world.run("BEGIN; LOCK TABLE tasks IN ACCESS EXCLUSIVE MODE")
    waiting = asyncio.create_task(judge.check(asked))
    while not await office.world.value("SELECT count(*) FROM pg_locks WHERE NOT granted"):
        await asyncio.sleep(0)
    stopping = asyncio.create_task(running.stack.aclose())
    await asyncio.sleep(0)
    await office.world.run("COMMIT")
    await stopping
    assert (await waiting).allowed


async def test_it_says_when_it_can_not_work(replica: Starter, nats_server: EmbeddedNats) -> None:
    running = await replica()
    for probe in running.probes.values():
        await probe()
    nats_server.kill()
    with pytest.raises((NatsError, OSError)):
        await running.probes["nats"]()
