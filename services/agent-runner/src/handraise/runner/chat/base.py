"""What a model is to the rest of the runner: messages in, text out, and errors a person can act on."""

from collections.abc import Sequence
from typing import Literal, Protocol, runtime_checkable

import msgspec


class ChatMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One message of a conversation with a model."""

    role: Literal["system", "user", "assistant"]
    content: str


class Completion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A model's reply. Token counts are None where the endpoint does not tell them."""

    text: str
    input_tokens: int | None
    output_tokens: int | None
    model: str
    finish_reason: str | None


class ChatError(Exception):
    """No reply came. The message tells the person who must act what happened and what to do.

    `retry_after` is in seconds, as the endpoint said it; None where it said nothing.
    """

    def __init__(self, reason: str, *, retryable: bool, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retryable = retryable
        self.retry_after = retry_after


class RateLimited(ChatError):
    """The endpoint wants fewer requests for a while."""

    def __init__(self, reason: str, *, retry_after: float | None = None) -> None:
        super().__init__(reason, retryable=True, retry_after=retry_after)


class Unavailable(ChatError):
    """The endpoint is down, out of reach, too slow, or broken inside."""

    def __init__(self, reason: str, *, retry_after: float | None = None) -> None:
        super().__init__(reason, retryable=True, retry_after=retry_after)


class Rejected(ChatError):
    """The endpoint will not serve this request: key, model name, address or input must change."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, retryable=False)


class Garbled(ChatError):
    """The endpoint answered with something that is not a chat completion."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, retryable=True)


@runtime_checkable
class Chat(Protocol):
    """A model behind any endpoint."""

    @property
    def name(self) -> str:
        """Return the adapter's name, as pages show it."""
        ...

    @property
    def model(self) -> str:
        """Return the model's name, as the endpoint knows it."""
        ...

    async def complete(
        self, messages: Sequence[ChatMessage], *, max_tokens: int, timeout: float
    ) -> Completion:
        """Return the model's reply to `messages`. `timeout` is in seconds. Raises ChatError."""
        ...

    async def close(self) -> None:
        """Give back what the adapter holds open. May be called twice."""
        ...
