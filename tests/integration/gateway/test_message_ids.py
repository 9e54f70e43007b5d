"""A message id of one's own makes sending again harmless, and is nobody's way to another's message."""

from uuid import uuid4

from tests.support.inhouse import InHouse, People
from tests.support.scripted import ScriptedChat, asks
from tests.support.talk import Talk


async def test_an_id_that_somebody_else_used_is_refused_and_starts_nothing(
    house: InHouse, people: People, chat: ScriptedChat
) -> None:
    path = f"/api/channels/{people.channel}/messages"
    async with house.as_(people.world, people.ada) as ada, house.as_(people.world, people.ben) as ben:
        posted = await ada.post("release", "just talk")
        before = await people.world.counts()
        for body in ("just talk", "@ray hello"):
            answer = await ben.http.post(path, json={"body": body, "message_id": posted.message_id})
            assert (answer.status_code, answer.json()["code"]) == (409, "message_id_taken")
        assert await people.world.counts() == before
    assert chat.told == []


async def test_an_id_of_ones_own_is_refused_for_other_words_and_elsewhere(
    house: InHouse, people: People
) -> None:
    other = await people.world.channel("other", admins=[people.ada])
    async with house.as_(people.world, people.ada) as ada:
        posted = await ada.post("release", "just talk")
        for channel, body in ((people.channel, "other words"), (other, "just talk")):
            content = {"body": body, "message_id": posted.message_id}
            answer = await ada.http.post(f"/api/channels/{channel}/messages", json=content)
            assert (answer.status_code, answer.json()["code"]) == (409, "message_id_taken")


async def test_an_answer_that_is_sent_again_is_told_as_the_answer_it_was(
    house: InHouse, people: People, chat: ScriptedChat
) -> None:
    chat.plays(asks("Which colour?", "red", "blue"), "So it stands.")
    path = f"/api/channels/{people.channel}/messages"
    async with house.as_(people.world, people.ada) as ada:
        talk = await Talk.begin(ada, "@ray paint it")
        question = await talk.until_asked()
        content = {"body": "red", "thread_id": talk.root, "message_id": str(uuid4())}
        first = await ada.send(path, content)
        assert first["request_id"] == question["id"]
        await talk.until_ended()
        assert await ada.send(path, content) == first
        assert len(chat.told) == 2
