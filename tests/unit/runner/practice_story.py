"""Plays a story with the practice model as the loop would: its words are parsed, its calls get results."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from handraise.runner.chat import ChatMessage, PracticeChat
from handraise.runner.protocol import (
    AgentCard,
    Call,
    CallResult,
    Fence,
    PersonCard,
    Reply,
    ResultStatus,
    ToolCard,
    answered,
    needs_human_card,
    parse_reply,
    request_message,
    results_message,
    system_prompt,
)

READS = (
    "list_my_tasks",
    "list_projects",
    "list_project_tasks",
    "search_workspace",
    "summarize_channel",
    "read_doc",
    "find_people",
)
WRITES = (
    "update_task_status",
    "create_task",
    "assign_task",
    "set_task_due_date",
    "post_to_channel",
    "send_dm",
    "create_doc",
    "set_reminder",
)
ADA = PersonCard("Ada Lovelace", "ada", "Europe/Berlin")
WEDNESDAY = datetime(2026, 3, 4, 9, 0, tzinfo=UTC)  # 10:00 in Berlin
FENCE = Fence("0123456789abcdef01234567")

Result = Callable[[int, str], CallResult]


def ran(**body: Any) -> Result:
    """The data of a read."""
    return lambda index, tool: CallResult(index, tool, ResultStatus.RAN, body)


def chosen(option: str) -> Result:
    """An option was chosen."""
    return lambda index, tool: answered(index, option, is_option=True)


def wrote(words: str) -> Result:
    """Words of one's own were answered."""
    return lambda index, tool: answered(index, words, is_option=False)


def became(status: ResultStatus, note: str | None = None, body: Any = "") -> Result:
    """Any other outcome."""
    return lambda index, tool: CallResult(index, tool, status, body, note)


def confirmed(title: str) -> Result:
    """A write was confirmed and done; its receipt has this title."""
    body = {"title": title, "link": "/x", "facts": {}, "ids": {}}
    return lambda index, tool: CallResult(index, tool, ResultStatus.CONFIRMED, body)


def prompt(missing: str = "") -> str:
    """The system prompt with every tool but the one that is missing."""
    schema = {"type": "object", "properties": {}}
    cards = [ToolCard(name, "Read.", schema, True) for name in READS if name != missing]
    cards += [ToolCard(name, "Write.", schema) for name in WRITES if name != missing]
    agent = AgentCard("Ray", "ray", "Acme")
    return system_prompt(agent, [*cards, needs_human_card()], person=ADA, now=WEDNESDAY, fence=FENCE)


async def play(
    request: str, *outcomes: Result, missing: str = "", context: tuple[tuple[str, str], ...] = ()
) -> list[Reply]:
    """Return every reply of the job. Each round's calls take the next outcomes; it ends when there are none."""
    messages = [
        ChatMessage("system", prompt(missing)),
        ChatMessage("user", request_message(request, person=ADA, fence=FENCE, context=context)),
    ]
    waiting = list(outcomes)
    replies: list[Reply] = []
    while True:
        completion = await PracticeChat().complete(messages, max_tokens=2_000, timeout=1)
        reply = parse_reply(completion.text)
        assert reply.problems == ()
        replies.append(reply)
        if not reply.calls or not waiting:
            assert not waiting, f"not played: {len(waiting)} outcomes"
            return replies
        results = [waiting.pop(0)(index, call.tool) for index, call in enumerate(reply.calls, 1)]
        messages.append(ChatMessage("assistant", completion.text))
        messages.append(ChatMessage("user", results_message(results, FENCE)))


def calls_of(replies: list[Reply]) -> list[Call]:
    """Return all calls of a job, in order."""
    return [call for reply in replies for call in reply.calls]
