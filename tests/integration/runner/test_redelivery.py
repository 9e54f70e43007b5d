"""A message that comes again goes on from where its first delivery got to, and doubles nothing."""

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
import nats
import pytest

from handraise.common.bus import consume, topology
from handraise.common.bus.messages import DeadLetter
from handraise.dev.client import Client
from handraise.runner import endings, handlers
from handraise.runner.chat import ChatMessage
from tests.support.inhouse import InHouse, People
from tests.support.scripted import ScriptedChat, asks, calls
from tests.support.talk import Talk


class Spy:
    """Sees what goes over a house's streams, and sends it again."""

    def __init__(self, house: InHouse) -> None:
        self._house = house
        self.seen: list[tuple[str, bytes]] = []

    async def __aenter__(self) -> "Spy":
        self._connection = await nats.connect(self._house.nats_url)

        async def note(message: Any) -> None:
            self.seen.append((message.subject, message.data))

        for subject in ("cmd.>", "wake.>", "evt.>"):
            await self._connection.subscribe(subject, cb=note)
        await self._connection.flush()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._connection.close()

    async def again(self, start: str) -> int:
        """Send everything on subjects that begin so again, and wait until it is taken."""
        js = self._connection.jetstream()
        wanted = [(s, data) for s, data in self.seen if s.startswith(start)]
        stream = "CMD" if start.startswith("cmd") else "PARK"
        acks = await self._connection.subscribe(f"$JS.ACK.{stream}.>")
        for number, (subject, data) in enumerate(wanted):
            await js.publish(
                subject, data, headers={"Nats-Msg-Id": f"again.{start}.{number}.{len(self.seen)}"}
            )
        async with asyncio.timeout(20):
            while (await js.stream_info(stream, subjects_filter=f"{start}.>")).state.subjects:
                await acks.next_msg(timeout=20)
        await acks.unsubscribe()
        return len(wanted)


async def _everything(people: People) -> dict[str, Any]:
    tables = ("jobs", "rounds", "requests", "actions", "messages", "audit", "tasks")
    counts = {t: await people.world.value(f"SELECT count(*) FROM {t}") for t in tables}
    counts["ends"] = await people.world.value("SELECT array_agg(status || coalesce(final, '')) FROM jobs")
    return counts


async def test_every_message_of_a_job_sent_again_at_its_end_changes_nothing(
    house: InHouse, people: People, ada: Client, chat: ScriptedChat
) -> None:
    mark = ("update_task_status", {"task_id": str(people.task), "status": "done"})
    chat.plays(asks("Which?", "red", "blue"), calls(mark), "Thanks.")
    async with Spy(house) as spy:
        talk = await Talk.begin(ada, "@ray paint it")
        await ada.answer((await talk.until_asked())["id"], option="red")
        await ada.confirm((await talk.until_asked())["action_id"])
        await talk.until_ended()
        before = await _everything(people)
        assert await spy.again("cmd.run") == 1
        assert await spy.again("wake") >= 2
        assert await spy.again("cmd.execute") == 1
        assert len(chat.told) == 3
        assert await _everything(people) == before


async def test_a_command_to_run_that_comes_again_while_the_job_waits_asks_nothing_twice(
    house: InHouse, people: People, ada: Client, chat: ScriptedChat
) -> None:
    chat.plays(asks("Which?", "red", "blue"), "Thanks.")
    async with Spy(house) as spy:
        talk = await Talk.begin(ada, "@ray paint it")
        question = await talk.until_asked()
        before = await _everything(people)
        await spy.again("cmd.run")
        assert await _everything(people) == before
        assert len(chat.told) == 1
        await ada.answer(question["id"], option="red")
        await talk.until_ended()
        assert len(chat.told) == 2
        assert [m["kind"] for m in await talk.said()] == ["text", "question", "answer", "final"]


async def test_an_answer_that_comes_again_after_another_question_does_not_answer_that(
    house: InHouse, people: People, ada: Client, chat: ScriptedChat
) -> None:
    chat.plays(asks("Which?", "red", "blue"), asks("How big?", "red", "blue"), "Thanks.")
    async with Spy(house) as spy:
        talk = await Talk.begin(ada, "@ray paint it")
        await ada.answer((await talk.until_asked())["id"], option="red")
        second = await talk.until_asked()
        await spy.again("wake")
        assert [r["id"] for r in await ada.open_requests()] == [second["id"]]
        assert len(chat.told) == 2
        await ada.answer(second["id"], option="blue")
        assert (await talk.until_ended())["status"] == "done"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two deliveries, soon after each other."""
    for module in (consume, handlers):
        monkeypatch.setattr(module, "MAX_DELIVER", 2)
    monkeypatch.setattr(consume, "_BACKOFF", (0.02,))
    assert topology.MAX_DELIVER == 8


async def _broken(_: Sequence[ChatMessage]) -> str:
    raise RuntimeError("a bug of ours")


@pytest.mark.usefixtures("impatient")
async def test_a_job_that_no_delivery_brings_to_an_end_fails_aloud_and_can_be_tried_again(
    house: InHouse, people: People, ada: Client, chat: ScriptedChat
) -> None:
    chat.plays(_broken)
    talk = await Talk.begin(ada, "@ray paint it")
    job = await talk.until_ended()
    assert (job["status"], job["reason"]) == ("failed", endings.BROKEN)
    assert len(chat.told) == 2
    connection = await nats.connect(house.nats_url)
    letters = await connection.jetstream().subscribe("dlq.cmd.run.>", stream="DLQ", ordered_consumer=True)
    letter = msgspec.json.decode((await letters.next_msg(timeout=10)).data, type=DeadLetter)
    await connection.close()
    assert letter.reason == "RuntimeError: a bug of ours"
    chat.plays("Mended.")
    again = await ada.send(f"/api/jobs/{talk.job}/retry")
    assert (await ada.until_job(again["job_id"]))["final"] == "Mended."


@pytest.mark.usefixtures("impatient")
async def test_a_bug_after_an_answer_keeps_the_answer_and_fails_aloud(
    house: InHouse, people: People, ada: Client, chat: ScriptedChat
) -> None:
    chat.plays(asks("Which?", "red", "blue"), _broken)
    talk = await Talk.begin(ada, "@ray paint it")
    await ada.answer((await talk.until_asked())["id"], option="red")
    job = await talk.until_ended()
    assert (job["status"], job["reason"]) == ("failed", endings.BROKEN)
    assert job["requests"][0]["option"] == "red"


@pytest.mark.usefixtures("impatient")
async def test_a_bug_that_passes_is_not_noticed(
    house: InHouse, people: People, ada: Client, chat: ScriptedChat
) -> None:
    chat.plays(calls(("list_my_tasks", {})), _broken, "Here I am.")
    talk = await Talk.begin(ada, "@ray paint it")
    job = await talk.until_ended()
    assert (job["status"], job["final"]) == ("done", "Here I am.")
    assert [round["number"] for round in job["rounds"]] == [1, 2]
