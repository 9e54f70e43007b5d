"""Models behind an OpenAI-compatible endpoint: OpenAI, Ollama, vLLM, llama.cpp, any custom base URL.

The official client sends; what comes back is read here leniently, since compatible endpoints differ, and
every fault becomes a `ChatError` that says what to do. Retries are the caller's.
"""

import asyncio
import json
import math
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

import msgspec
from openai import APIConnectionError, APIStatusError, APITimeoutError, AsyncOpenAI, OpenAIError

from handraise.runner.chat.base import (
    ChatError,
    ChatMessage,
    Completion,
    Garbled,
    RateLimited,
    Rejected,
    Unavailable,
)
from handraise.runner.protocol import Call, render_call

_DETAIL = 200
_LONGEST_WAIT = 86_400.0


class _Function(msgspec.Struct):
    name: str = ""
    arguments: str | dict[str, Any] | None = None


class _ToolCall(msgspec.Struct):
    function: _Function = msgspec.field(default_factory=_Function)


class _Message(msgspec.Struct):
    content: str | list[dict[str, Any]] | None = None
    refusal: str | None = None
    tool_calls: list[_ToolCall] | None = None


class _Choice(msgspec.Struct):
    message: _Message = msgspec.field(default_factory=_Message)
    finish_reason: str | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class _Answer(msgspec.Struct):
    choices: list[_Choice] | None = None
    usage: _Usage | None = None
    model: str | None = None


class OpenAIChat:
    """`Chat` over one OpenAI-compatible endpoint. Keeps its connections until `close`."""

    def __init__(self, base_url: str, model: str, api_key: str | None) -> None:
        self._model = model
        self._key = api_key
        self._where = _shown(base_url)
        self._client = AsyncOpenAI(base_url=base_url, api_key=api_key or "none", max_retries=0)
        self._limit_name = "max_tokens"

    @property
    def name(self) -> str:
        """Return the adapter's name, as pages show it."""
        return "openai"

    @property
    def model(self) -> str:
        """Return the model's name, as the endpoint knows it."""
        return self._model

    async def close(self) -> None:
        """Give the connections back."""
        await self._client.close()

    async def complete(
        self, messages: Sequence[ChatMessage], *, max_tokens: int, timeout: float
    ) -> Completion:
        """Return the model's reply. `timeout`, in seconds, bounds the whole exchange. Raises ChatError."""
        try:
            async with asyncio.timeout(timeout):
                return self._read(*await self._send(messages, max_tokens, timeout))
        except (TimeoutError, APITimeoutError):
            raise Unavailable(
                f"The model endpoint at {self._where} did not answer within {timeout:g} s; "
                "see whether it is overloaded, or allow more time."
            ) from None
        except APIStatusError as error:
            raise self._judged(error) from None
        except APIConnectionError as error:
            raise Unavailable(
                f"The model endpoint at {self._where} cannot be reached"
                f"{self._detail(str(error.__cause__ or ''))}; see that it runs and that the address is right."
            ) from None
        except OpenAIError as error:
            raise Unavailable(
                f"The model endpoint at {self._where} failed{self._detail(str(error))}."
            ) from None

    async def _send(
        self, messages: Sequence[ChatMessage], max_tokens: int, timeout: float
    ) -> tuple[bytes, str]:
        """Return the answer's bytes and content type."""
        payload: list[Any] = [{"role": message.role, "content": message.content} for message in messages]
        create = self._client.chat.completions.with_raw_response.create
        limit_name = self._limit_name
        try:
            answer = await create(
                model=self._model,
                messages=payload,
                timeout=timeout,
                extra_body={limit_name: max_tokens},
            )
        except APIStatusError as error:
            # Newer OpenAI models know the limit by another name; older endpoints only by this one.
            if error.status_code != 400 or "max_completion_tokens" not in str(error):
                raise
            if limit_name != "max_tokens":
                raise
            self._limit_name = "max_completion_tokens"
            return await self._send(messages, max_tokens, timeout)
        return answer.http_response.content, answer.headers.get("content-type", "")

    def _read(self, content: bytes, content_type: str) -> Completion:
        try:
            answer = msgspec.json.decode(content, type=_Answer)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self._garbled(
                f"with {content_type.partition(';')[0] or 'no content type'} that is no chat completion"
                if "json" not in content_type
                else f"with JSON that is no chat completion ({error})"
            ) from None
        if not answer.choices:
            raise self._garbled("without any choice")
        choice = answer.choices[0]
        text = _text(choice.message)
        finish = choice.finish_reason
        if not text and choice.message.refusal:
            text, finish = choice.message.refusal, "refusal"
        if not text.strip():
            if finish == "content_filter":
                raise Rejected(
                    f"The content filter of the model endpoint at {self._where} withheld the reply of "
                    f"{self._model}; reword the request or use another model."
                )
            if finish == "length":
                raise Garbled(
                    f"{self._model} at {self._where} used up its tokens before it wrote a word; "
                    "allow it more tokens for a reply, or less thinking."
                )
            raise self._garbled("with an empty message")
        usage = answer.usage or _Usage()
        return Completion(
            text=text,
            input_tokens=usage.prompt_tokens,
            output_tokens=usage.completion_tokens,
            model=answer.model or self._model,
            finish_reason=finish,
        )

    def _garbled(self, how: str) -> Garbled:
        return Garbled(
            f"The model endpoint at {self._where} answered {how}; see that the address is an "
            "OpenAI-compatible one (most end in /v1)."
        )

    def _judged(self, error: APIStatusError) -> ChatError:
        status = error.status_code
        answered = f"The model endpoint at {self._where} answered {status}{self._detail(_said(error))}"
        wait = retry_after(error.response.headers)
        again = f"try again in {wait:g} s" if wait is not None else "try again later"
        if status == 429 and error.code == "insufficient_quota":
            return Rejected(f"{answered}; the quota of this key is used up: check its plan and billing.")
        if status == 429:
            return RateLimited(f"{answered}; {again}.", retry_after=wait)
        if status >= 500 or status in (408, 409, 425):
            return Unavailable(f"{answered}; {again}.", retry_after=wait)
        if status in (401, 403):
            return Rejected(f"{answered}; check the key and what it may use.")
        if status == 404:
            return Rejected(
                f"{answered}; check the address (most end in /v1) and the model's name, {self._model}."
            )
        return Rejected(
            f"{answered}; check the model's settings, and that it can take so long a conversation."
        )

    def _detail(self, said: str) -> str:
        """Return what the other side said in brackets, on one line, short, and never with the key."""
        if self._key:
            said = said.replace(self._key, "(key)")
        line = " ".join(said.split())
        if not line:
            return ""
        return f" ({line if len(line) <= _DETAIL else line[:_DETAIL] + '…'})"


def _text(message: _Message) -> str:
    """Return the words of a message. Calls that the endpoint took out of them are put back as tags."""
    if isinstance(message.content, list):
        parts = [part["text"] for part in message.content if isinstance(part.get("text"), str)]
    else:
        parts = [message.content] if message.content else []
    for call in message.tool_calls or ():
        parts.append(_tagged(call.function))
    return "\n".join(part for part in parts if part)


def _tagged(function: _Function) -> str:
    if isinstance(function.arguments, dict) or function.arguments is None:
        return render_call(Call(function.name, function.arguments or {}))
    spelled = json.dumps({"tool": function.name, "args": function.arguments}, ensure_ascii=False)
    return f"<tool_call>{spelled.replace('<', chr(92) + 'u003c')}</tool_call>"


def _said(error: APIStatusError) -> str:
    body = error.body
    if isinstance(body, dict):
        inner = body.get("message") or body.get("error") or body.get("detail") or ""
        return str(inner.get("message", "") if isinstance(inner, dict) else inner)
    return ""


def _shown(base_url: str) -> str:
    """Return the address without credentials or query, as a message may show it."""
    parts = urlsplit(base_url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


def retry_after(headers: Any, now: datetime | None = None) -> float | None:
    """Return the seconds that `Retry-After` asks to wait, given as seconds or as a date; None when it doesn't.

    Never negative, and a day at most.
    """
    spelled = headers.get("retry-after")
    if spelled is None:
        return None
    seconds = math.nan
    with suppress(ValueError):
        seconds = float(spelled)
    if not math.isfinite(seconds):
        try:
            moment = parsedate_to_datetime(spelled)
        except ValueError:
            return None
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        seconds = (moment - (now or datetime.now(UTC))).total_seconds()
    return min(max(round(seconds, 3), 0.0), _LONGEST_WAIT)
