"""The practice model: rules, not a mind, behind the same protocol as every real model.

It sees messages and writes text, deterministically and at once, so that the quickstart, the tests and the
benchmarks run with no key. It handles the stories in `rules` and says so about everything else.
"""

from collections.abc import Sequence

from handraise.runner.chat.base import ChatMessage, Completion
from handraise.runner.chat.practice.reading import read
from handraise.runner.chat.practice.rules import reply

MODEL = "practice-1"


class PracticeChat:
    """`Chat` by rules. Token counts are nominal: a quarter of the characters."""

    @property
    def name(self) -> str:
        """Return the adapter's name, as pages show it."""
        return "practice"

    @property
    def model(self) -> str:
        """Return the model's name."""
        return MODEL

    async def complete(
        self, messages: Sequence[ChatMessage], *, max_tokens: int, timeout: float
    ) -> Completion:
        """Return the rules' reply; it is there at once, so `timeout` is never reached."""
        text = reply(read(messages))
        finish = "stop"
        if len(text) > max_tokens * 4:
            text, finish = text[: max_tokens * 4], "length"
        return Completion(
            text=text,
            input_tokens=sum(len(message.content) for message in messages) // 4,
            output_tokens=max(1, len(text) // 4),
            model=MODEL,
            finish_reason=finish,
        )

    async def close(self) -> None:
        """Hold nothing, so give nothing back."""
