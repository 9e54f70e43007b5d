"""Reminders come when they are due, in one's own zone, once, whatever was down meanwhile."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from handraise.common.bus.consume import Delivery, Retry
from handraise.common.bus.publish import Bus
from handraise.common.clock import utc_now
from handraise.common.ids import new_id
from handraise.common.timers import Due, set_timer
from handraise.dev.client import Client, Refused
from handraise.dev.nats import EmbeddedNats
from handraise.notifier.reminders import Reminders
from handraise.workspace.database import Database
from tests.support.databases import DatabaseForTest
from tests.support.inhouse import InHouse, People

REMINDERS = "/api/reminders"


def in_(seconds: float) -> str:
    return (datetime.now(UTC) + timedelta(seconds=seconds)).isoformat()


async def told(people: People) -> list[dict[str, Any]]:
    rows = await people.world.value(
        """SELECT json_agg(json_build_object('body', m.body, 'place', m.place_id, 'agent', m.agent_id)
           ORDER BY m.created_at)
           FROM messages m WHERE workspace_id = $1 AND surface = 'dm'""",
        people.id,
    )
    return json.loads(rows) if rows else []


async def until_told(client: Client, people: People, count: int = 1) -> list[dict[str, Any]]:
    async def look() -> list[dict[str, Any]] | None:
        found = await told(people)
        return found if len(found) >= count else None

    return await client.until(look)


async def test_a_reminder_is_told_by_the_agent_in_a_direct_message_and_open_pages_hear_of_it(
    ada: Client, people: People
) -> None:
    receipt = await ada.send(REMINDERS, {"text": "Watch the deploy", "at": in_(1)})
    assert receipt["title"].startswith("Set a reminder for")
    (only,) = await until_told(ada, people)
    assert only["body"] == "Reminder: Watch the deploy"
    assert UUID(only["agent"]) == people.agent
    said = (await ada.get(f"/api/conversations/{only['place']}"))["messages"]
    assert [(line["body"], line["agent"]) for line in said] == [("Reminder: Watch the deploy", "ray")]
    assert await ada.get(REMINDERS) == []
    (fired,) = await ada.get(REMINDERS, status="fired")
    assert fired["id"] == receipt["ids"]["reminder"]
    audited = (
        "SELECT array_agg(tag ORDER BY at) FROM audit WHERE workspace_id = $1 AND subject_kind <> 'member'"
    )
    assert await people.world.value(audited, people.id) == ["reminder:set", "reminder:fire"]


async def test_a_reminder_that_was_due_while_nobody_ran_comes_once_after_the_restart(
    house: InHouse, people: People, nats_server: EmbeddedNats
) -> None:
    async with house.as_(people.world, people.ada) as ada:
        await ada.send(REMINDERS, {"text": "one", "at": in_(2)})
        await house.stop()
    nats_server.kill()
    nats_server.start()
    await house.start()
    async with house.as_(people.world, people.ada) as ada:
        await until_told(ada, people)
        await ada.send(REMINDERS, {"text": "two", "at": in_(1)})
        found = await until_told(ada, people, 2)
    assert [one["body"] for one in found] == ["Reminder: one", "Reminder: two"]
    assert len({one["place"] for one in found}) == 1


async def test_a_cancelled_reminder_does_not_come_and_can_not_be_cancelled_again(
    ada: Client, people: People
) -> None:
    first = (await ada.send(REMINDERS, {"text": "never", "at": in_(2)}))["ids"]["reminder"]
    assert [one["id"] for one in await ada.get(REMINDERS)] == [first]
    assert (await ada.http.delete(f"{REMINDERS}/{first}")).json()["title"] == "Cancelled a reminder"
    again = await ada.http.delete(f"{REMINDERS}/{first}")
    assert (again.status_code, again.json()["code"]) == (409, "not_done")
    await ada.send(REMINDERS, {"text": "later", "at": in_(2.5)})
    assert [one["body"] for one in await until_told(ada, people)] == ["Reminder: later"]


async def test_the_timer_of_a_cancelled_reminder_that_was_on_its_way_tells_nothing(
    ada: Client, people: People, bus_url: str, database: DatabaseForTest
) -> None:
    receipt = await ada.send(REMINDERS, {"text": "never", "at": in_(60)})
    due = Due(workspace_id=people.id, reminder_id=UUID(receipt["ids"]["reminder"]))
    await ada.http.delete(f"{REMINDERS}/{due.reminder_id}")
    await _handle(bus_url, database, due, deliveries=1)
    assert await told(people) == []


async def test_a_timer_delivered_many_times_tells_once(
    ada: Client, people: People, bus_url: str, database: DatabaseForTest
) -> None:
    receipt = await ada.send(REMINDERS, {"text": "once", "at": in_(60)})
    due = Due(workspace_id=people.id, reminder_id=UUID(receipt["ids"]["reminder"]))
    for delivery in (1, 1, 2):
        await _handle(bus_url, database, due, deliveries=delivery)
    assert [one["body"] for one in await told(people)] == ["Reminder: once"]


async def test_a_timer_whose_reminder_never_came_to_be_is_waited_for_and_then_let_go(
    people: People, bus_url: str, database: DatabaseForTest
) -> None:
    due = Due(workspace_id=people.id, reminder_id=new_id())
    with pytest.raises(Retry, match="not committed yet"):
        await _handle(bus_url, database, due, deliveries=1)
    await _handle(bus_url, database, due, deliveries=5)
    assert await told(people) == []


async def test_the_same_timer_set_twice_goes_off_once(ada: Client, people: People, bus_url: str) -> None:
    receipt = await ada.send(REMINDERS, {"text": "once", "at": in_(1)})
    bus = await Bus.connect(bus_url, "test")
    try:
        due = Due(workspace_id=people.id, reminder_id=UUID(receipt["ids"]["reminder"]))
        await set_timer(bus, due, utc_now() + timedelta(seconds=1))
    finally:
        await bus.close()
    await ada.send(REMINDERS, {"text": "later", "at": in_(3)})
    assert [one["body"] for one in await until_told(ada, people, 2)] == ["Reminder: once", "Reminder: later"]


async def test_without_an_agent_handraise_itself_tells_it(ada: Client, people: People) -> None:
    await people.world.run("UPDATE agents SET active = false WHERE workspace_id = $1", people.id)
    await ada.send(REMINDERS, {"text": "alone", "at": in_(1)})
    (only,) = await until_told(ada, people)
    assert only["agent"] is None
    name = "SELECT name FROM conversations WHERE id = $1"
    assert await people.world.value(name, UUID(only["place"])) == "Handraise"


@pytest.mark.parametrize(
    ("sent", "status", "expected"),
    [
        ({"text": "x", "at": "2020-01-01T10:00"}, 409, "is past"),
        ({"text": "x", "at": "2199-01-01T10:00"}, 409, "years ahead"),
        ({"text": "x", "at": "soon"}, 422, "no date with a time"),
        ({"text": "  ", "at": "2030-01-01T10:00"}, 422, "empty"),
        ({"text": "x" * 1001, "at": "2030-01-01T10:00"}, 422, "1,001 characters"),
        ({"text": "x\x07", "at": "2030-01-01T10:00"}, 422, "control character"),
        ({"text": "x"}, 400, "at"),
    ],
)
async def test_what_can_not_be_reminded_of_is_said_with_its_reason(
    sent: dict[str, str], status: int, expected: str, ada: Client
) -> None:
    with pytest.raises(Refused) as caught:
        await ada.send(REMINDERS, sent)
    assert caught.value.status == status
    assert expected in caught.value.problem["detail"]


async def test_a_reminder_is_one_s_own_alone(house: InHouse, ada: Client, people: People) -> None:
    mine = (await ada.send(REMINDERS, {"text": "mine", "at": in_(60)}))["ids"]["reminder"]
    async with house.as_(people.world, people.ben) as ben:
        assert await ben.get(REMINDERS) == []
        hidden = await ben.http.delete(f"{REMINDERS}/{mine}")
        absent = await ben.http.delete(f"{REMINDERS}/{new_id()}")
    assert hidden.status_code == absent.status_code == 404
    assert hidden.json()["detail"] == absent.json()["detail"]


async def _handle(bus_url: str, database: DatabaseForTest, due: Due, deliveries: int) -> None:
    bus = await Bus.connect(bus_url, "test")
    db = await Database.open(database.dsn("notifier"), size=1)
    try:
        handler = Reminders(bus=bus, db=db, clock=utc_now)
        await handler.due(due, Delivery(1, deliveries, "due.reminder.x"))
    finally:
        await db.close()
        await bus.close()
