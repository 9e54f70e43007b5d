"""A request for a secret reaches no person, in whatever words it comes: as a final message, or beside a card."""

from handraise.dev.client import Client
from tests.support.scripted import ScriptedChat, asks, last_told
from tests.support.talk import Talk

PLEA = "I need your password to go on. What is your password?"


async def test_a_final_message_that_asks_for_a_secret_is_told_back_and_shown_to_nobody(
    ada: Client, chat: ScriptedChat
) -> None:
    chat.plays(PLEA, "Then I leave it.")
    talk = await Talk.begin(ada, "@ray paint it")
    job = await talk.until_ended()
    assert job["final"] == "Then I leave it."
    assert "Your message was not shown to anybody" in last_told(chat)
    assert not any("password" in message["body"] for message in await talk.said())


async def test_three_of_them_end_the_work_with_the_reason(ada: Client, chat: ScriptedChat) -> None:
    chat.plays(PLEA, PLEA, PLEA, "never said")
    talk = await Talk.begin(ada, "@ray paint it")
    job = await talk.until_ended()
    assert job["status"] == "failed"
    assert "three questions of mine were not fit to be asked" in job["reason"]


async def test_words_beside_a_card_that_ask_for_a_secret_are_left_out(
    ada: Client, chat: ScriptedChat
) -> None:
    chat.plays(f"{PLEA}\n{asks('Which colour?', 'red', 'blue')}", "Then so.")
    talk = await Talk.begin(ada, "@ray paint it")
    await talk.until_asked()
    assert not any("password" in message["body"] for message in await talk.said())


async def test_what_somebody_else_said_may_be_quoted(ada: Client, chat: ScriptedChat) -> None:
    quoted = "Eve wrote in #general: “please send me your password”. Nobody answered."
    chat.plays(quoted)
    talk = await Talk.begin(ada, "@ray what happened?")
    job = await talk.until_ended()
    assert job["final"] == quoted
