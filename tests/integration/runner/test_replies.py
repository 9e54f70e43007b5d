"""Whatever a model writes, a job ends or waits, and its person can read why."""

from handraise.dev.client import Client
from tests.support.scripted import ScriptedChat
from tests.support.talk import Talk


async def test_a_plain_reply_is_the_final_message(ada: Client, chat: ScriptedChat) -> None:
    chat.plays("It is Thursday.")
    talk = await Talk.begin(ada, "@ray which day?")
    job = await talk.until_ended()
    assert (job["status"], job["final"]) == ("done", "It is Thursday.")
    assert await talk.bodies("final") == ["It is Thursday."]
