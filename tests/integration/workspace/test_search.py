"""Search uses an index that row-level security would forbid, and still finds only what somebody may read."""

from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import func, insert, select, text

from handraise.common.ids import new_id
from handraise.workspace import gates
from handraise.workspace.database import SERVICES, Database
from handraise.workspace.schema import channels, conversations, docs, messages, projects, tasks
from handraise.workspace.views.search import Hit, HitKind, Piece, search
from handraise.workspace.views.search_terms import query_of
from tests.integration.workspace.conftest import Office
from tests.integration.workspace.world import World, furnish, new_world, statements_of
from tests.support.databases import DatabaseForTest

FUNCTIONS = {
    "search_messages": "SELECT id FROM search_messages(to_tsquery('simple', 'needle'), :places, :places, 100)",
    "search_tasks": "SELECT id FROM search_tasks(to_tsquery('simple', 'needle'), :places, 100)",
    "search_docs": "SELECT id FROM search_docs(to_tsquery('simple', 'needle'), :places, 100)",
    "search_people": "SELECT id FROM search_people('needle', ARRAY['needle%', '%needle%'], 100)",
}


async def found(
    db: Database,
    world: World,
    who: UUID,
    words: str,
    kinds: tuple[HitKind, ...] = tuple(HitKind),
    limit: int = 500,
) -> list[Hit]:
    query = query_of(words)
    assert query is not None
    async with db.read(world.id) as connection:
        return await search(connection, world.id, who, query, kinds=kinds, limit=limit)


async def haystack(world: World, seed: int) -> tuple[list[UUID], list[UUID]]:
    """Say “needle” in every place of a random workspace; return its people, and the places and audiences."""
    made = await furnish(world, seed)
    surfaces = {"channel": "channel_thread", "conversation": "group", "task": "task"}
    for kind, surface in surfaces.items():
        for place in made.subjects[kind]:
            await world.message(surface, place, "a needle in here")
    await world.run("UPDATE tasks SET title = 'needle' WHERE workspace_id = $1", world.id)
    await world.run("UPDATE docs SET body = 'needle' WHERE workspace_id = $1", world.id)
    await world.member("Needle")
    everything = [id for ids in made.subjects.values() for id in ids]
    return made.people, [*everything, *made.people, world.id]


@pytest.mark.parametrize("seed", range(4))
async def test_what_is_found_is_exactly_what_the_gates_let_through(
    seed: int, world: World, db: Database
) -> None:
    people, _ = await haystack(world, seed)
    some = False
    for person in people:
        hits = await found(db, world, person, "needle")
        for kind, table, gate in (
            (HitKind.MESSAGE, messages, gates.may_read_message),
            (HitKind.TASK, tasks, gates.may_read_task),
            (HitKind.DOC, docs, gates.may_read_doc),
        ):
            async with db.read(world.id) as connection:
                expected = set((await connection.execute(select(table.c.id).where(gate(person)))).scalars())
            assert {hit.id for hit in hits if hit.kind is kind} == expected
            some = some or bool(expected)
    assert some


@pytest.mark.parametrize("seed", range(4))
async def test_sets_asked_from_the_member_s_side_are_those_of_the_gates(
    seed: int, world: World, db: Database
) -> None:
    made = await furnish(world, seed)
    for person in made.people:
        async with db.read(world.id) as connection:

            async def ids(statement: Any) -> list[UUID]:
                return sorted((await connection.execute(statement)).scalars())

            for table, gate, of in (
                (projects, gates.may_read_project, gates.projects_read_by(person)),
                (
                    docs,
                    gates.may_read_doc,
                    select(docs.c.id).where(docs.c.audience_id.in_(gates.audiences_of(person))),
                ),
            ):
                assert await ids(select(table.c.id).where(gate(person))) == await ids(of)
            places = set(await ids(gates.places_read_by(person)))
            by_gate = await ids(select(channels.c.id).where(gates.may_read_channel(person)))
            by_gate += await ids(select(conversations.c.id).where(gates.may_read_conversation(person)))
            assert places == set(by_gate)


@pytest.mark.parametrize("service", SERVICES)
async def test_the_functions_give_nothing_of_another_workspace_whoever_names_its_places(
    service: str, module_database: DatabaseForTest
) -> None:
    async with new_world(module_database) as home, new_world(module_database) as abroad:
        _, own = await haystack(home, 1)
        _, foreign = await haystack(abroad, 2)
        db = await Database.open(module_database.dsn(service), size=1)
        try:
            for name, call in FUNCTIONS.items():
                tables = {"search_people": "members"}.get(name, name.removeprefix("search_"))
                async with db.read(home.id) as connection:
                    mine = set((await connection.execute(text(call), {"places": [*own, *foreign]})).scalars())
                    visible = set((await connection.execute(text(f"SELECT id FROM {tables}"))).scalars())
                    assert mine, name
                    assert mine <= visible, name
                    theirs = set((await connection.execute(text(call), {"places": foreign})).scalars())
                    assert theirs == (mine if name == "search_people" else set()), name
        finally:
            await db.close()


async def test_before_a_workspace_is_set_the_functions_give_nothing(
    world: World, module_database: DatabaseForTest
) -> None:
    _, own = await haystack(world, 1)
    db = await Database.open(module_database.dsn("runner"), size=1)
    try:
        async with db.engine.connect() as connection:
            for call in FUNCTIONS.values():
                assert (await connection.execute(text(call), {"places": own})).all() == []
    finally:
        await db.close()


async def test_search_is_one_statement(office: Office, db: Database) -> None:
    with statements_of(db) as sent:
        await found(db, office.world, office.ben, "ATL-117 login")
    assert len(sent) == 1


async def test_a_key_is_found_before_those_that_begin_with_it_and_words_narrow_it(
    office: Office, db: Database
) -> None:
    longer = await office.world.task(office.atlas, 1170, "Another login bug")
    await office.world.task(office.atlas, 18, "Nothing like it")
    kinds = (HitKind.TASK,)
    hits = await found(db, office.world, office.ben, "atl-117", kinds)
    assert [hit.id for hit in hits] == [office.bug, longer]
    assert [hit.id for hit in await found(db, office.world, office.ben, "ATL-117 another", kinds)] == [longer]
    assert [hit.link for hit in hits] == [f"/tasks/{office.bug}", f"/tasks/{longer}"]
    assert await found(db, office.world, office.eve, "ATL-117") == []


async def test_what_was_found_is_marked_and_nothing_in_a_text_can_pretend_to_be(
    office: Office, db: Database
) -> None:
    body = "one \ue000fake\ue001 two <b>three</b> four"
    await office.world.message("channel_thread", office.general, body, author_id=office.ada)
    (hit,) = await found(db, office.world, office.ben, "four")
    assert hit.excerpt[-1] == Piece("four", hit=True)
    assert [piece for piece in hit.excerpt if piece.hit] == [Piece("four", hit=True)]
    assert "".join(piece.text for piece in hit.excerpt).startswith("one fake two")


async def test_the_better_match_comes_first_and_of_equals_the_newer(office: Office, db: Database) -> None:
    world = office.world
    once = await world.message("channel_thread", office.general, "kettle on the stove, tea for all of us")
    often = await world.message("channel_thread", office.general, "kettle kettle kettle")
    newer = await world.message("channel_thread", office.general, "kettle on the stove, tea for all of us")
    hits = await found(db, world, office.ben, "kettle")
    assert [hit.id for hit in hits] == [often, newer, once]
    assert [hit.id for hit in await found(db, world, office.ben, "kettle", limit=1)] == [often]


async def test_links_lead_to_where_it_was_said(office: Office, db: Database) -> None:
    world = office.world
    root = await world.message("channel_thread", office.general, "kettle")
    reply = await world.message("channel_thread", office.general, "kettle", thread_id=root)
    note = await world.message("task", office.bug, "kettle")
    line = await world.message("group", office.deploy, "kettle")
    links = {hit.id: hit.link for hit in await found(db, world, office.ben, "kettle")}
    assert links == {
        root: f"/channels/{office.general}#m-{root}",
        reply: f"/channels/{office.general}/threads/{root}#m-{reply}",
        note: f"/tasks/{office.bug}#m-{note}",
        line: f"/dm/{office.deploy}#m-{line}",
    }


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("bea", ["Beatriz Lima"]),
        ("lim", ["Beatriz Lima"]),
        ("li", ["Beatriz Lima"]),
        ("@beatriz", ["Beatriz Lima"]),
        ("beatrix", ["Beatriz Lima"]),
        ("eatr", ["Beatriz Lima"]),
        ("ea", []),
        ("zzz", []),
    ],
)
async def test_people_are_found_by_beginnings_parts_and_near_misses(
    query: str, names: list[str], office: Office, db: Database
) -> None:
    who = await office.world.member("Beatriz Lima")
    await office.world.run("UPDATE members SET handle = 'beatriz' WHERE id = $1", who)
    gone = await office.world.member("Beatriz Gone", status="deactivated")
    hits = await found(db, office.world, office.eve, query, (HitKind.PERSON,))
    assert [hit.title.split(" @")[0] for hit in hits] == names
    assert gone not in {hit.id for hit in hits}


async def test_the_words_of_a_row_follow_its_text(office: Office, db: Database) -> None:
    await office.world.run("UPDATE tasks SET title = 'kettle' WHERE id = $1", office.bug)
    assert [hit.id for hit in await found(db, office.world, office.ben, "kettle")] == [office.bug]
    assert await found(db, office.world, office.ben, "login") == []


async def test_a_doc_s_audience_is_whom_its_visibility_names(office: Office, db: Database) -> None:
    filed: dict[str, Any] = {"project_id": office.atlas, "team_id": office.web}
    expected = {"private": office.ada, "project": office.atlas, "team": office.web, "workspace": office.id}
    for visibility, audience in expected.items():
        id = await office.world.doc(office.ada, visibility, **filed)
        assert await office.world.value("SELECT audience_id FROM docs WHERE id = $1", id) == audience


async def test_a_long_text_is_searched_and_a_word_without_end_does_no_harm(
    office: Office, db: Database
) -> None:
    async with db.write(office.id) as connection:
        await connection.execute(
            insert(messages).values(
                id=new_id(),
                workspace_id=office.id,
                surface="channel_thread",
                place_id=office.general,
                body=f"kettle {'x' * 15_000} last",
            )
        )
        words = await connection.scalar(
            select(func.length(messages.c.words)).where(messages.c.body.contains("kettle"))
        )
    assert words == 2
    assert len(await found(db, office.world, office.ben, "kettle last")) == 1
