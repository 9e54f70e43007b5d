"""Models behind one small protocol, `Chat`: OpenAI-compatible endpoints and the practice model.

What is said to them lives in `handraise.runner.protocol`; retries, limits and budgets in the loop.
"""

from handraise.runner.chat.base import (
    Chat,
    ChatError,
    ChatMessage,
    Completion,
    Garbled,
    RateLimited,
    Rejected,
    Unavailable,
)
from handraise.runner.chat.practice import PracticeChat
from handraise.runner.chat.settings import chat_from_settings

__all__ = [
    "Chat",
    "ChatError",
    "ChatMessage",
    "Completion",
    "Garbled",
    "PracticeChat",
    "RateLimited",
    "Rejected",
    "Unavailable",
    "chat_from_settings",
]
