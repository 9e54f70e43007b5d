"""A model that says what a test gives it: the outermost rim, and the only part of a house that tests replace."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import msgspec

from handraise.runner.chat import ChatError, ChatMessage, Completion
from handraise.runner.protocol import render_call
from handraise.runner.protocol.values import Call

Said = str | ChatError | Callable[[Sequence[ChatMessage]], Awaitable[str]]


class ScriptedChat:
    """`Chat` by script: one reply a call, the last one for ever. Keeps what it was told."""

    def __init__(self, *replies: Said) -> None:
        self.told: list[list[ChatMessage]] = []
        self._replies: list[Said] = list(replies)

    @property
    def name(self) -> str:
        """Return the adapter's name."""
        return "scripted"

    @property
    def model(self) -> str:
        """Return the model's name."""
        return "scripted-1"

    def plays(self, *replies: Said) -> None:
        """Set what the coming calls get, and forget what was told."""
        self._replies[:] = replies
        self.told.clear()

    async def complete(
        self, messages: Sequence[ChatMessage], *, max_tokens: int, timeout: float
    ) -> Completion:
        """Return, raise or await what comes next in the script."""
        self.told.append(list(messages))
        said = self._replies.pop(0) if len(self._replies) > 1 else self._replies[0]
        if isinstance(said, ChatError):
            raise said
        text = said if isinstance(said, str) else await said(messages)
        return Completion(
            text=text,
            input_tokens=sum(len(message.content) for message in messages),
            output_tokens=len(text) + 1,
            model=self.model,
            finish_reason="stop",
        )

    async def close(self) -> None:
        """Hold nothing, so give nothing back."""


class Thinking:
    """A model call that goes on until it is told to end: `began` says that it is under way."""

    def __init__(self, text: str = "Here I am.") -> None:
        self.began = asyncio.Event()
        self.end = asyncio.Event()
        self.cancelled = False
        self._text = text

    async def __call__(self, _: Sequence[ChatMessage]) -> str:
        self.began.set()
        try:
            await self.end.wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        return self._text


def calls(*made: tuple[str, dict[str, object]], words: str = "") -> str:
    """Return a reply that makes these calls, as a model writes it."""
    return "\n".join([words, *(render_call(Call(tool, args)) for tool, args in made)]).strip()


def asks(reason: str, *options: str, **more: object) -> str:
    """Return a reply that asks a person."""
    return calls(("needs_human", {"reason": reason, "options": list(options), **more}))


def last_told(chat: ScriptedChat) -> str:
    """Return the newest message that the model was told."""
    return msgspec.convert(chat.told[-1][-1].content, str)
