"""The read rules are said twice, as a decision and as SQL. They must never differ."""

import pytest
from sqlalchemy import Table, insert, select
from sqlalchemy.exc import ProgrammingError

from handraise.common.ids import new_id
from handraise.workspace import facts, gates
from handraise.workspace.database import Database
from handraise.workspace.policy import Act, SubjectKind, decide
from handraise.workspace.schema import (
    audit,
    channels,
    conversations,
    docs,
    members,
    messages,
    projects,
    tasks,
)
from handraise.workspace.words import ConversationKind, Surface
from tests.integration.workspace.world import World, furnish, new_world
from tests.support.databases import DatabaseForTest

READS = [
    (Act.PROJECT_READ, projects, gates.may_read_project),
    (Act.TASK_READ, tasks, gates.may_read_task),
    (Act.CHANNEL_READ, channels, gates.may_read_channel),
    (Act.CONVERSATION_READ, conversations, gates.may_read_conversation),
    (Act.DOC_READ, docs, gates.may_read_doc),
]


@pytest.mark.parametrize("seed", range(6))
async def test_a_gate_lets_through_exactly_what_the_decision_allows(
    seed: int, world: World, db: Database
) -> None:
    made = await furnish(world, seed)
    outcomes: dict[Act, set[bool]] = {}
    for act, table, gate in READS:
        kind = SubjectKind(act.split(":")[0])
        for person in made.people:
            async with db.read(world.id) as connection:
                seen = set((await connection.execute(select(table.c.id).where(gate(person)))).scalars())
            for subject in made.subjects[kind]:
                async with db.hot(world.id) as hot:
                    known = await facts.load(hot, world.id, person, kind, subject)
                allowed = decide(act, known).allowed
                assert (subject in seen) is allowed, f"{act} of {known}"
                outcomes.setdefault(act, set()).add(allowed)
    assert all(both == {True, False} for both in outcomes.values()), "the workspace shows only one side"


async def test_a_message_is_read_by_those_who_may_read_its_place(world: World, db: Database) -> None:
    made = await furnish(world, 99)
    places = {
        Surface.CHANNEL_THREAD: (channels, gates.may_read_channel, made.subjects["channel"]),
        Surface.TASK: (tasks, gates.may_read_task, made.subjects["task"]),
        Surface.GROUP: (conversations, gates.may_read_conversation, made.subjects["conversation"]),
    }
    for surface, (_, _, ids) in places.items():
        for id in ids:
            await world.message(surface, id, "hello")
    for person in made.people:
        expected = set()
        async with db.read(world.id) as connection:
            for table, gate, _ in places.values():
                expected |= set((await connection.execute(select(table.c.id).where(gate(person)))).scalars())
            seen = set(
                (
                    await connection.execute(
                        select(messages.c.place_id).where(gates.may_read_message(person))
                    )
                ).scalars()
            )
        assert seen == expected


@pytest.mark.parametrize(("table", "gate"), [(table, gate) for _, table, gate in READS])
async def test_a_member_of_another_workspace_passes_no_gate(
    table: Table, gate: object, module_database: DatabaseForTest, db: Database
) -> None:
    async with new_world(module_database) as home, new_world(module_database) as abroad:
        await furnish(home, 1)
        strangers = (await furnish(abroad, 2)).people
        for stranger in strangers:
            async with db.read(home.id) as connection:
                rows = (await connection.execute(select(table.c.id).where(gate(stranger)))).all()  # type: ignore[operator]
            assert rows == []


async def test_a_query_that_forgets_its_condition_sees_nothing_foreign(
    module_database: DatabaseForTest, db: Database
) -> None:
    async with new_world(module_database) as home, new_world(module_database) as abroad:
        mine, foreign = await furnish(home, 3), await furnish(abroad, 4)
        for table in (projects, tasks, channels, conversations, docs):
            async with db.read(home.id) as connection:
                seen = set((await connection.execute(select(table.c.id))).scalars())
            kind = table.name.removesuffix("s")
            assert seen == set(mine.subjects[kind])
            assert not seen & set(foreign.subjects[kind])


async def test_both_ends_of_a_direct_message_read_it_and_nobody_else(world: World, db: Database) -> None:
    ada, ben, eve = [await world.member(n) for n in ("Ada", "Ben", "Eve")]
    id = await world.conversation(ConversationKind.DM, [ada, ben])
    async with db.read(world.id) as connection:
        readers = [
            person
            for person in (ada, ben, eve)
            if (
                await connection.execute(
                    select(conversations.c.id).where(gates.may_read_conversation(person))
                )
            )
            .scalars()
            .all()
            == [id]
        ]
    assert readers == [ada, ben]


@pytest.mark.parametrize("service", ["gateway", "runner", "permissions", "notifier"])
async def test_no_service_reads_or_writes_a_row_of_another_workspace(
    service: str, module_database: DatabaseForTest
) -> None:
    db = await Database.open(module_database.dsn(service), size=1)
    async with new_world(module_database) as home, new_world(module_database) as abroad:
        ben = await home.member("Ben")
        row = dict(
            zip(
                ("id", "workspace_id", "tag", "subject_kind", "verdict"),
                (new_id(), abroad.id, "x", "x", "allowed"),
                strict=True,
            )
        )
        async with db.read(home.id) as connection:
            assert list((await connection.execute(select(members.c.id))).scalars()) == [ben]
            with pytest.raises(ProgrammingError, match="row-level security"):
                await connection.execute(insert(audit).values(**row))
    await db.close()
