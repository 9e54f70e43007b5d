"""What happens to a job stands in its surface once, in order, however often the event comes."""

import asyncio
from typing import Any
from uuid import UUID

import msgspec
import nats

from handraise.common.bus.messages import Happened
from handraise.common.bus.publish import Bus
from handraise.dev.client import Client
from handraise.workspace.words import ConversationKind
from tests.support.inhouse import InHouse, People
from tests.support.scripted import ScriptedChat, asks, calls
from tests.support.talk import Talk


async def _events(house: InHouse) -> list[tuple[str, bytes]]:
    """Return subject and body of every event that the stream holds."""
    connection = await nats.connect(house.nats_url)
    try:
        js = connection.jetstream()
        count = (await js.stream_info("EVT")).state.messages
        reader = await js.subscribe("evt.>", stream="EVT", ordered_consumer=True)
        return [(m.subject, m.data) for m in [await reader.next_msg(timeout=10) for _ in range(count)]]
    finally:
        await connection.close()


async def _send_again(house: InHouse, events: list[tuple[str, bytes]], mark: str) -> None:
    connection = await nats.connect(house.nats_url)
    try:
        for number, (subject, body) in enumerate(events):
            headers = {"Nats-Msg-Id": f"{mark}.{number}"}
            await connection.jetstream().publish(subject, body, headers=headers)
    finally:
        await connection.close()


async def test_events_that_come_again_post_nothing_twice(
    house: InHouse, people: People, ada: Client, chat: ScriptedChat
) -> None:
    mark = ("update_task_status", {"task_id": str(people.task), "status": "done"})
    chat.plays(f"Hm.\n{asks('Which?', 'red', 'blue')}\n{calls(mark)}", "Thanks.")
    talk = await Talk.begin(ada, "@ray paint it")
    for _ in range(2):
        request = await talk.until_asked()
        if request["kind"] == "question":
            await ada.answer(request["id"], option="red")
        else:
            await ada.confirm(request["action_id"])
    await talk.until_ended()
    before = [(m["id"], m["kind"], m["body"]) for m in await talk.said()]
    assert [kind for _, kind, _ in before] == ["text", "text", "question", "proposal", "answer", "final"]
    await _send_again(house, await _events(house), "again")
    # One more event than before, at the end of all: once it is posted, so were the others.
    chat.plays("Bye.")
    await (await Talk.begin(ada, "@ray bye")).until_ended()
    assert [(m["id"], m["kind"], m["body"]) for m in await talk.said()] == before


async def test_what_happened_while_nobody_posted_is_posted_later_in_order(
    cold: InHouse, people: People, chat: ScriptedChat
) -> None:
    await cold.start("permissions", "runner", "gateway")
    chat.plays(f"Hm.\n{asks('Which?', 'red', 'blue')}", "Thanks.")
    async with cold.as_(people.world, people.ada) as ada:
        posted = await ada.post("release", "@ray paint it")
        question = await _asked(people, posted.job)
        await ada.answer(str(question), option="red")
        await _ended(people, posted.job)
        await cold.start("notifier")
        talk = Talk(ada, "release", posted.root, posted.job)
        await talk.until_ended()
        kinds = [m["kind"] for m in await talk.said() if m["kind"] != "answer"]
        assert kinds == ["text", "text", "question", "final"]


async def test_each_surface_gets_what_is_said_there(
    house: InHouse, people: People, ada: Client, chat: ScriptedChat
) -> None:
    world = people.world
    dm = await world.conversation(ConversationKind.DM, [people.ada], agent_id=people.agent)
    group = await world.conversation(ConversationKind.GROUP, [people.ada, people.ben], name="us")
    places: list[tuple[str, str, str]] = [
        (f"/api/conversations/{dm}/messages", f"/api/conversations/{dm}", "which day?"),
        (f"/api/conversations/{group}/messages", f"/api/conversations/{group}", "@ray which day?"),
        (f"/api/tasks/{people.task}/comments", f"/api/tasks/{people.task}/comments", "@ray which day?"),
    ]
    for write, read, words in places:
        chat.plays(asks("Which week?", "this", "next"), "Thursday.")
        posted = await ada.send(write, {"body": words})
        question = await ada.until_asked(posted["job_id"])
        # Typed where it was asked, by name of the option.
        answered = await ada.send(write, {"body": "next"})
        assert answered["request_id"] == question["id"]
        await ada.until_job(posted["job_id"])

        async def final(path: str = read) -> list[dict[str, Any]] | None:
            said: list[dict[str, Any]] = (await ada.get(path))["messages"]
            return said if said[-1]["kind"] == "final" else None

        said = await ada.until(final)
        assert [(m["kind"], m["body"]) for m in said][-4:] == [
            ("text", words),
            ("question", said[-3]["body"]),
            ("text", "next"),
            ("final", "Thursday."),
        ]
        assert said[-3]["request_id"] == question["id"]


async def test_an_unreadable_event_is_put_aside_and_the_next_one_posted(
    house: InHouse, people: People, ada: Client, chat: ScriptedChat
) -> None:
    connection = await nats.connect(house.nats_url)
    try:
        bus = Bus(connection)
        dead = await bus.jetstream.subscribe("dlq.evt.>", stream="DLQ", ordered_consumer=True)
        await bus.jetstream.publish(f"evt.{people.id}.parked.{people.task}", b'{"kind": "parked"}')
        chat.plays("Thursday.")
        talk = await Talk.begin(ada, "@ray which day?")
        await talk.until_ended()
        letter = msgspec.json.decode((await dead.next_msg(timeout=10)).data)
        assert letter["consumer"] == "notifier"
        assert letter["reason"].startswith("unreadable:")
    finally:
        await connection.close()


async def test_every_event_of_a_job_is_one_that_the_contract_knows(
    house: InHouse, people: People, ada: Client, chat: ScriptedChat
) -> None:
    chat.plays(asks("Which?", "red", "blue"), "Thanks.")
    talk = await Talk.begin(ada, "@ray paint it")
    question = await talk.until_asked()
    await ada.decline(question["id"])
    await talk.until_ended()
    events = await _events(house)
    assert events
    for subject, body in events:
        event: Any = msgspec.json.decode(body, type=Happened)
        _, workspace, kind, _ = subject.split(".")
        assert UUID(workspace) == people.id == event.workspace_id
        assert kind == event.__struct_config__.tag


async def _asked(people: People, job_id: str) -> UUID:
    """Return the open question of a job, from the database: nobody tells of it here."""
    return await _found(people, "SELECT id FROM requests WHERE job_id = $1::uuid AND status = 'open'", job_id)


async def _ended(people: People, job_id: str) -> UUID:
    return await _found(people, "SELECT id FROM jobs WHERE id = $1::uuid AND status = 'done'", job_id)


async def _found(people: People, sql: str, job_id: str) -> UUID:
    async with asyncio.timeout(20):
        while (found := await people.world.value(sql, job_id)) is None:
            pass
    row: UUID = found
    return row
