"""What every `Chat` adapter keeps: one suite, subclassed for each."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from handraise.runner.chat import Chat, ChatMessage, PracticeChat, chat_from_settings
from tests.contract.runner.fake_provider import completion, running_provider

HELLO = (ChatMessage("system", "Be brief."), ChatMessage("user", "hello!"))


class ChatContract:
    """Subclasses give a `chat` fixture."""

    async def test_a_reply_has_words_and_tells_how_it_ended(self, chat: Chat) -> None:
        reply = await chat.complete(HELLO, max_tokens=500, timeout=5)
        assert reply.text.startswith("Hello")
        assert reply.finish_reason == "stop"

    async def test_a_reply_names_its_model_and_counts_tokens(self, chat: Chat) -> None:
        reply = await chat.complete(HELLO, max_tokens=500, timeout=5)
        assert reply.model
        assert reply.input_tokens is not None
        assert reply.input_tokens > 0
        assert reply.output_tokens is not None
        assert reply.output_tokens > 0

    async def test_an_adapter_has_a_name_and_a_model_to_show(self, chat: Chat) -> None:
        assert isinstance(chat, Chat)
        assert chat.name
        assert chat.model

    async def test_replies_to_many_at_once_do_not_mix(self, chat: Chat) -> None:
        replies = await asyncio.gather(*(chat.complete(HELLO, max_tokens=500, timeout=5) for _ in range(8)))
        assert len({reply.text for reply in replies}) == 1

    async def test_closing_twice_is_fine(self, chat: Chat) -> None:
        await chat.close()
        await chat.close()
        assert chat.name


class TestPracticeChat(ChatContract):
    @pytest.fixture
    async def chat(self) -> Chat:
        return PracticeChat()


class TestOpenAIChat(ChatContract):
    @pytest.fixture
    async def chat(self) -> AsyncIterator[Chat]:
        async with running_provider() as provider:
            provider.plays(completion("Hello there."))
            chat = chat_from_settings(provider.url, "some-model", "sk-key")
            yield chat
            await chat.close()


def test_without_an_address_the_practice_model_answers() -> None:
    assert chat_from_settings(None, None, None).name == "practice"
    assert chat_from_settings("", "ignored", None).name == "practice"


@pytest.mark.parametrize(
    ("base_url", "model", "key", "told"),
    [
        ("localhost:11434/v1", "m", None, "http://"),
        ("ftp://host/v1", "m", None, "http://"),
        ("http://", "m", None, "http://"),
        ("http://localhost/v1", None, None, "MODEL_NAME"),
        ("http://localhost/v1", "m", "sk-a\nb", "MODEL_API_KEY"),
        ("http://localhost/v1", "m", "sk-ключ", "MODEL_API_KEY"),
    ],
)
def test_settings_that_cannot_work_are_refused_with_what_to_correct(
    base_url: str, model: str | None, key: str | None, told: str
) -> None:
    with pytest.raises(ValueError, match=told) as refused:
        chat_from_settings(base_url, model, key)
    assert not key or key not in str(refused.value)
