"""How a job speaks with a model in plain text: the prompt, the fence round data, and reading replies.

Pure code. Endpoints live in `handraise.runner.chat`; what a call leads to is the loop's business.
"""

from handraise.runner.protocol.fence import DEFAULT_LIMIT, Fence
from handraise.runner.protocol.parser import parse_reply, render_call
from handraise.runner.protocol.prompt import (
    NEEDS_HUMAN,
    AgentCard,
    PersonCard,
    ToolCard,
    needs_human_card,
    request_message,
    system_prompt,
)
from handraise.runner.protocol.results import CallResult, ResultStatus, answered, results_message
from handraise.runner.protocol.schema import fit_args
from handraise.runner.protocol.values import Call, Problem, Reply

__all__ = [
    "DEFAULT_LIMIT",
    "NEEDS_HUMAN",
    "AgentCard",
    "Call",
    "CallResult",
    "Fence",
    "PersonCard",
    "Problem",
    "Reply",
    "ResultStatus",
    "ToolCard",
    "answered",
    "fit_args",
    "needs_human_card",
    "parse_reply",
    "render_call",
    "request_message",
    "results_message",
    "system_prompt",
]
