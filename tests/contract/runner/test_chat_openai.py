"""The OpenAI-compatible adapter on the real wire format, faults included."""

import json
import socket
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import pytest

from handraise.runner.chat import (
    Chat,
    ChatError,
    ChatMessage,
    Garbled,
    RateLimited,
    Rejected,
    Unavailable,
    chat_from_settings,
)
from handraise.runner.chat.openai import retry_after
from handraise.runner.protocol import Call, parse_reply
from tests.contract.runner.fake_provider import Played, Provider, completion, failure, running_provider

KEY = "sk-secret-0123456789"
ASK = (ChatMessage("system", "Be brief."), ChatMessage("user", "Hello?"))


@pytest.fixture
async def provider() -> AsyncIterator[Provider]:
    async with running_provider() as running:
        yield running


@pytest.fixture
async def chat(provider: Provider) -> AsyncIterator[Chat]:
    made = chat_from_settings(provider.url, "some-model", KEY)
    yield made
    await made.close()


async def fault(chat: Chat, timeout: float = 5) -> ChatError:
    with pytest.raises(ChatError) as raised:
        await chat.complete(ASK, max_tokens=50, timeout=timeout)
    assert KEY not in str(raised.value)
    assert KEY not in repr(raised.value)
    return raised.value


async def test_what_is_sent_is_the_conversation_the_model_and_the_limit(
    chat: Chat, provider: Provider
) -> None:
    provider.plays(completion())
    reply = await chat.complete(ASK, max_tokens=50, timeout=5)
    assert provider.paths == ["/v1/chat/completions"]
    assert provider.keys == [f"Bearer {KEY}"]
    assert provider.requests == [
        {
            "model": "some-model",
            "max_tokens": 50,
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "Hello?"},
            ],
        }
    ]
    assert (reply.text, reply.input_tokens, reply.output_tokens) == ("Hello.", 11, 3)
    assert (reply.model, reply.finish_reason) == ("served-model", "stop")


async def test_a_local_endpoint_needs_no_key(provider: Provider) -> None:
    provider.plays(completion())
    keyless = chat_from_settings(provider.url, "some-model", None)
    assert (await keyless.complete(ASK, max_tokens=50, timeout=5)).text == "Hello."
    assert provider.keys == ["Bearer none"]
    await keyless.close()


async def test_a_429_tells_how_long_to_wait(chat: Chat, provider: Provider) -> None:
    provider.plays(failure(429, "slow down", retry_after="20"))
    error = await fault(chat)
    assert isinstance(error, RateLimited)
    assert (error.retryable, error.retry_after) == (True, 20.0)
    assert f"The model endpoint at {provider.url} answered 429 (slow down); try again in 20 s." in str(error)


async def test_a_429_without_a_time_is_still_to_be_tried_again(chat: Chat, provider: Provider) -> None:
    provider.plays(failure(429))
    error = await fault(chat)
    assert isinstance(error, RateLimited)
    assert (error.retryable, error.retry_after) == (True, None)
    assert "try again later" in str(error)


async def test_a_used_up_quota_is_not_tried_again(chat: Chat, provider: Provider) -> None:
    provider.plays(failure(429, "You exceeded your current quota", code="insufficient_quota"))
    error = await fault(chat)
    assert isinstance(error, Rejected)
    assert not error.retryable
    assert "billing" in str(error)


@pytest.mark.parametrize("status", [500, 502, 503, 504, 529, 408])
async def test_a_broken_endpoint_is_unavailable(chat: Chat, provider: Provider, status: int) -> None:
    provider.plays(failure(status, "overloaded", retry_after="3"))
    error = await fault(chat)
    assert isinstance(error, Unavailable)
    assert (error.retryable, error.retry_after) == (True, 3.0)
    assert str(status) in str(error)


async def test_the_client_never_tries_again_by_itself(chat: Chat, provider: Provider) -> None:
    provider.plays(failure(503))
    await fault(chat)
    assert len(provider.requests) == 1


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (401, "check the key"),
        (403, "check the key"),
        (404, "some-model"),
        (400, "settings"),
        (422, "settings"),
    ],
)
async def test_a_rejection_says_what_to_check(
    chat: Chat, provider: Provider, status: int, advice: str
) -> None:
    provider.plays(failure(status, f"Incorrect API key provided: {KEY}"))
    error = await fault(chat)
    assert isinstance(error, Rejected)
    assert not error.retryable
    assert advice in str(error)
    assert "(key)" in str(error)


async def test_a_silent_endpoint_is_given_up_in_time(chat: Chat, provider: Provider) -> None:
    provider.plays(Played(hang=True))
    error = await fault(chat, timeout=0.2)
    assert isinstance(error, Unavailable)
    assert "did not answer within 0.2 s" in str(error)


async def test_an_endpoint_that_stops_halfway_is_given_up_in_time(chat: Chat, provider: Provider) -> None:
    provider.plays(Played(body=b'{"choices": [', drip=True))
    error = await fault(chat, timeout=0.2)
    assert isinstance(error, Unavailable)


async def test_an_endpoint_that_hangs_up_is_unavailable(chat: Chat, provider: Provider) -> None:
    provider.plays(Played(hang_up=True))
    error = await fault(chat)
    assert isinstance(error, Unavailable)
    assert "cannot be reached" in str(error)


async def test_nobody_listening_is_unavailable() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        chat = chat_from_settings(f"http://127.0.0.1:{unused.getsockname()[1]}/v1", "m", KEY)
        error = await fault(chat)
        await chat.close()
    assert isinstance(error, Unavailable)
    assert error.retryable
    assert "see that it runs" in str(error)


@pytest.mark.parametrize(
    ("played", "told"),
    [
        (Played(body=b'{"choices": [{"message": {"content": "Hel'), "no chat completion"),
        (Played(body=b""), "no chat completion"),
        (Played(body=b'{"choices": []}'), "without any choice"),
        (Played(body=b'{"object": "list", "data": []}'), "without any choice"),
        (Played(body=b'{"choices": 7}'), "no chat completion"),
        (Played(body=b"[]"), "no chat completion"),
        (Played(body=b"\xff\xfe", content_type="application/json"), "no chat completion"),
        (Played(body=b"<html>Welcome</html>", content_type="text/html"), "text/html"),
        (Played(body=b"ok", content_type=""), "no content type"),
        (completion(None), "empty message"),
        (completion("  \n"), "empty message"),
        (completion("", finish="length"), "used up its tokens"),
    ],
)
async def test_what_is_no_completion_is_garbled(
    chat: Chat, provider: Provider, played: Played, told: str
) -> None:
    provider.plays(played)
    error = await fault(chat)
    assert isinstance(error, Garbled)
    assert error.retryable
    assert told in str(error)


async def test_a_completion_under_a_wrong_content_type_is_read_all_the_same(
    chat: Chat, provider: Provider
) -> None:
    provider.plays(Played(body=completion("Hello.").body, content_type="text/plain"))
    assert (await chat.complete(ASK, max_tokens=50, timeout=5)).text == "Hello."


async def test_a_refusal_is_the_models_words(chat: Chat, provider: Provider) -> None:
    provider.plays(completion(None, refusal="I can't help with that."))
    reply = await chat.complete(ASK, max_tokens=50, timeout=5)
    assert (reply.text, reply.finish_reason) == ("I can't help with that.", "refusal")


async def test_a_withheld_reply_is_rejected_and_not_tried_again(chat: Chat, provider: Provider) -> None:
    provider.plays(completion(None, finish="content_filter"))
    error = await fault(chat)
    assert isinstance(error, Rejected)
    assert "content filter" in str(error)


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": None, "completion_tokens": None}])
async def test_missing_usage_is_told_as_unknown(chat: Chat, provider: Provider, usage: object) -> None:
    provider.plays(completion(usage=usage))
    reply = await chat.complete(ASK, max_tokens=50, timeout=5)
    assert (reply.input_tokens, reply.output_tokens) == (None, None)


async def test_content_in_parts_is_put_together(chat: Chat, provider: Provider) -> None:
    provider.plays(completion([{"type": "text", "text": "Hello."}, {"type": "image_url"}]))
    assert (await chat.complete(ASK, max_tokens=50, timeout=5)).text == "Hello."


@pytest.mark.parametrize("arguments", ['{"query": "a </tool_call> b"}', {"query": "a </tool_call> b"}])
async def test_calls_that_the_endpoint_took_out_are_put_back_as_tags(
    chat: Chat, provider: Provider, arguments: object
) -> None:
    native = [{"id": "c1", "type": "function", "function": {"name": "find_people", "arguments": arguments}}]
    provider.plays(completion(None, finish="tool_calls", tool_calls=native))
    reply = await chat.complete(ASK, max_tokens=50, timeout=5)
    assert parse_reply(reply.text).calls == (Call("find_people", {"query": "a </tool_call> b"}),)


async def test_a_model_that_knows_the_limit_by_its_newer_name_gets_it_so_from_then_on(
    chat: Chat, provider: Provider
) -> None:
    provider.plays(
        failure(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        completion("One."),
        completion("Two."),
    )
    first = await chat.complete(ASK, max_tokens=50, timeout=5)
    second = await chat.complete(ASK, max_tokens=50, timeout=5)
    assert (first.text, second.text) == ("One.", "Two.")
    limits = [{key for key in sent if key.startswith("max_")} for sent in provider.requests]
    assert limits == [{"max_tokens"}, {"max_completion_tokens"}, {"max_completion_tokens"}]


async def test_credentials_in_the_address_are_not_shown(provider: Provider) -> None:
    address = provider.url.replace("http://", "http://user:hunter2@") + "?token=hunter2"
    chat = chat_from_settings(address, "m", None)
    provider.plays(failure(503))
    error = await fault(chat)
    await chat.close()
    assert "hunter2" not in str(error)


def test_retry_after_is_read_as_seconds_or_as_a_date_and_nothing_else() -> None:
    now = datetime(2026, 3, 4, 9, 0, tzinfo=UTC)
    told = {
        "20": 20.0,
        "0.5": 0.5,
        "-3": 0.0,
        "1e12": 86_400.0,
        "Wed, 04 Mar 2026 09:00:30 GMT": 30.0,
        "Wed, 04 Mar 2026 08:00:00 GMT": 0.0,
        "soon": None,
        "nan": None,
        "inf": None,
        "": None,
    }
    assert {spelled: retry_after({"retry-after": spelled}, now) for spelled in told} == told
    assert retry_after({}, now) is None


def test_the_fake_writes_the_wire_format() -> None:
    assert json.loads(completion("x").body)["choices"][0]["message"] == {"role": "assistant", "content": "x"}
