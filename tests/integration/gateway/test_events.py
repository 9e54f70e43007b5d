"""The event stream: what one may know, as it happens, resumed where it broke off, and ended in good time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import msgspec
import pytest

from handraise.dev.client import Client
from tests.support.inhouse import InHouse, People
from tests.support.records import announce_rights
from tests.support.scripted import ScriptedChat, asks
from tests.support.talk import Talk


class Event(msgspec.Struct, frozen=True):
    """One message of a stream."""

    name: str
    data: dict[str, Any]
    id: int | None = None


class Stream:
    """An open event stream."""

    def __init__(self, response: httpx.Response) -> None:
        self.response = response
        self._lines = response.aiter_lines()

    async def next(self, name: str | None = None) -> Event:
        """Return the next message, or the next of this name."""
        async with asyncio.timeout(20):
            while True:
                event = await self._next()
                if name in (None, event.name):
                    return event

    async def _next(self) -> Event:
        fields: dict[str, str] = {}
        async for line in self._lines:
            if not line and "event" in fields:
                id = fields.get("id")
                return Event(
                    fields.get("event", ""),
                    msgspec.json.decode(fields.get("data", "{}")),
                    int(id) if id else None,
                )
            key, _, value = line.partition(":")
            if key:
                fields[key] = value.strip()
        raise EOFError("the stream has ended")


@asynccontextmanager
async def stream(client: Client, path: str = "/api/events", last: str | None = None) -> AsyncIterator[Stream]:
    headers = {} if last is None else {"Last-Event-ID": last}
    async with client.http.stream("GET", path, headers=headers, timeout=30) as response:
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/event-stream")
        yield Stream(response)


async def test_what_happens_is_told_as_it_happens_under_its_name(ada: Client, chat: ScriptedChat) -> None:
    chat.plays(asks("Which?", "red", "blue"), "Thanks.")
    async with stream(ada) as events:
        hello = await events.next()
        assert hello.name == "hello"
        assert hello.id is not None
        talk = await Talk.begin(ada, "@ray paint it")
        assert (await events.next("started")).data["job_id"] == talk.job
        parked = await events.next("parked")
        assert parked.id is not None
        assert parked.id > hello.id
        question = await talk.until_asked()
        assert parked.data["request_ids"] == [question["id"]]
        await ada.answer(question["id"], option="red")
        resumed = await events.next("resumed")
        assert (resumed.data["status"], resumed.data["text"]) == ("accept", "red")
        finished = await events.next("finished")
        assert (finished.data["status"], finished.data["text"]) == ("done", "Thanks.")


async def test_whoever_comes_back_is_told_what_they_missed_and_then_to_read_anew(
    ada: Client, chat: ScriptedChat
) -> None:
    chat.plays(asks("Which?", "red", "blue"), "Thanks.")
    async with stream(ada) as events:
        await events.next("hello")
        talk = await Talk.begin(ada, "@ray paint it")
        last = (await events.next("parked")).id
    question = await talk.until_asked()
    await ada.answer(question["id"], option="red")
    await talk.until_ended()
    async with stream(ada, last=str(last)) as events:
        assert (await events.next()).name == "hello"
        told: list[Event] = []
        while not told or told[-1].name != "sync":
            told.append(await events.next())
        missed = {event.name: event for event in told[:-1]}
        assert missed["finished"].data["job_id"] == talk.job
        assert last is not None
        assert all(event.id is not None and event.id > last for event in told)
        # And from here on it is live again.
        again = await Talk.begin(ada, "@ray once more")
        assert (await events.next("started")).data["job_id"] == again.job


@pytest.mark.parametrize("last", ["0", "nonsense", "-5", "9" * 30, "9" * 5_000, "1e3", "٣"])
async def test_an_id_that_is_not_ours_is_no_error_and_ends_in_sync(
    last: str, house: InHouse, people: People
) -> None:
    async with house.as_(people.world, people.ada) as ada:
        headers = [(b"last-event-id", last.encode())]
        async with ada.http.stream("GET", "/api/events", headers=headers, timeout=30) as response:
            assert response.status_code == 200
            events = Stream(response)
            assert (await events.next()).name == "hello"
            assert (await events.next("sync")).name == "sync"


async def test_only_what_one_may_read_is_told(
    house: InHouse, people: People, ada: Client, chat: ScriptedChat
) -> None:
    chat.plays("Thanks.")
    async with (
        house.as_(people.world, people.ben) as ben,
        house.as_(people.world, people.eve) as eve,
        stream(ben) as to_ben,
        stream(eve) as to_eve,
    ):
        await to_ben.next("hello")
        await to_eve.next("hello")
        talk = await Talk.begin(ada, "@ray a secret of ours")
        assert (await to_ben.next("finished")).data["job_id"] == talk.job
        # What is told to Eve next is what she may know: nothing of the channel came before it.
        room = await people.world.channel("open", members=[people.eve, people.ada])
        await ada.http.post(f"/api/channels/{room}/messages", json={"body": "hello"})
        told = await to_eve.next()
        assert told.name == "posted"
        assert told.data["place"]["place_id"] == str(room)


async def test_whoever_loses_the_right_to_read_is_told_no_more(
    house: InHouse, people: People, ada: Client, chat: ScriptedChat
) -> None:
    chat.plays("Thanks.")
    async with house.as_(people.world, people.ben) as ben, stream(ben) as to_ben:
        await to_ben.next("hello")
        await ada.post("release", "first")
        assert (await to_ben.next()).name == "posted"
        await people.world.run("DELETE FROM channel_members WHERE member_id = $1", people.ben)
        await announce_rights(house.nats_url, people.id)
        async with asyncio.timeout(10):
            while True:  # until the gateway, too, has heard of it
                refused = await ben.http.get(f"/api/channels/{people.channel}/threads/{people.channel}")
                if refused.status_code == 404:
                    break
        await ada.post("release", "second")
        room = await people.world.channel("open", members=[people.ben, people.ada])
        await ada.http.post(f"/api/channels/{room}/messages", json={"body": "hello"})
        told = await to_ben.next("posted")
        assert told.data["place"]["place_id"] == str(room)


async def test_the_stream_of_a_page_tells_its_topics_only(
    house: InHouse, people: People, ada: Client, chat: ScriptedChat
) -> None:
    chat.plays("Thanks.")
    async with stream(ada, f"/events?topics=task-{people.task}") as events:
        await events.next("hello")
        await ada.post("release", "elsewhere")
        await ada.http.post(f"/api/tasks/{people.task}/comments", json={"body": "here"})
        told = await events.next()
        assert told.name == f"task-{people.task}"
        assert told.data["kind"] == "posted"


async def test_an_open_stream_does_not_keep_the_gateway_from_stopping(house: InHouse, people: People) -> None:
    async with house.as_(people.world, people.ada) as ada:
        opened = [stream(ada) for _ in range(5)]
        streams = [await one.__aenter__() for one in opened]
        for events in streams:
            await events.next("hello")
        async with asyncio.timeout(5):
            await house.stop("gateway")
        for events in streams:
            with pytest.raises((EOFError, httpx.TransportError)):
                await events.next()
        for one in opened:
            await one.__aexit__(None, None, None)
