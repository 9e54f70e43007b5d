"""Stories about tasks that exist: their status, whose they are, when they are due."""

import re
from typing import Any

from handraise.runner.chat.practice.look_up import find_person, find_task
from handraise.runner.chat.practice.script import NOTHING, Said, Script, reported
from handraise.runner.chat.practice.times import end_of_week, find_moment, read_moment, spoken
from handraise.runner.chat.practice.words import STATUS_WORDS, status_of

_TASKS_SHOWN = 12


def mark(script: Script, found: re.Match[str]) -> str:
    """Find the task, propose its new status, report by the receipt."""
    status = status_of(found["status"])
    task = find_task(script, found["what"], not_in=status)
    if status is None:
        status = _ask_status(script, task)
    name = named(task)
    if task.get("status") == status:
        return f"{name} is {STATUS_WORDS[status]} already. {NOTHING}"
    receipt = script.propose(
        "update_task_status",
        f"I found {name}. I propose to mark it as {STATUS_WORDS[status]}.",
        task_id=task["id"],
        status=status,
    )
    return reported(receipt, f"{name} is now {STATUS_WORDS[status]}")


def close(script: Script, found: re.Match[str]) -> str:
    """The same, for requests whose verb is the status: close, finish, reopen, start."""
    verb = found["verb"].casefold()
    status = "todo" if verb == "reopen" else "in_progress" if verb.startswith("start") else "done"
    return mark(script, _as_mark(found["what"], status))


def assign(script: Script, found: re.Match[str]) -> str:
    """Find the task and the person, propose that it becomes theirs."""
    task = find_task(script, found["what"])
    person = find_person(script, found["who"].strip(" .!"))
    receipt = script.propose(
        "assign_task",
        f"I found {named(task)}. I propose to assign it to {person['name']}.",
        task_id=task["id"],
        assignee_id=person["id"],
    )
    return reported(receipt, f"{named(task)} is now assigned to {person['name']}")


def set_due(script: Script, found: re.Match[str]) -> str:
    """Find the task, read the moment, propose it as the due date."""
    moment, _ = find_moment(found["when"], script.situation.now, hour=17)
    if moment is None:
        raise Said(f"I can't read “{found['when']}” as a date. Write it like 2026-03-06. {NOTHING}")
    task = find_task(script, found["what"])
    receipt = script.propose(
        "set_task_due_date",
        f"I found {named(task)}. I propose to make it due on {spoken(moment)}.",
        task_id=task["id"],
        due_at=moment.isoformat(),
    )
    return reported(receipt, f"{named(task)} is now due on {spoken(moment)}")


def due_this_week(script: Script, found: re.Match[str]) -> str:
    """Tell which of the person's open tasks are due until Sunday, and which are late."""
    now = script.situation.now
    tasks = script.read("list_my_tasks").get("tasks", [])
    dated = [(moment, task) for task in tasks if (moment := read_moment(task.get("due"), now))]
    near = [(m, task) for m, task in dated if m <= end_of_week(now) and task.get("status") != "done"]
    if not near:
        return "None of your open tasks is due this week."
    near.sort(key=lambda pair: pair[0])
    lines = [f"- {named(task)}: {spoken(moment)}{' (late)' if moment < now else ''}" for moment, task in near]
    count = "One of your open tasks is" if len(near) == 1 else f"{len(near)} of your open tasks are"
    return "\n".join((f"{count} due this week:", *lines))


def my_tasks(script: Script, found: re.Match[str]) -> str:
    """List the person's tasks with their status."""
    tasks = script.read("list_my_tasks").get("tasks", [])
    if not tasks:
        return "You have no task."
    lines = [
        f"- {named(task)}: {STATUS_WORDS.get(task['status'], task['status'])}"
        for task in tasks[:_TASKS_SHOWN]
    ]
    if len(tasks) > _TASKS_SHOWN:
        lines.append(f"and {len(tasks) - _TASKS_SHOWN} more")
    return "\n".join(("Your tasks:", *lines))


def find(script: Script, found: re.Match[str]) -> str:
    """Tell which task it is and how it stands."""
    task = find_task(script, found["what"])
    status = STATUS_WORDS.get(str(task.get("status")))
    return f"I found {named(task)}{f', which is {status}' if status else ''}."


def named(task: dict[str, Any]) -> str:
    """Return a task's title in quotes, and its key."""
    return f"“{task['title']}” ({task['key']})" if task.get("key") else f"“{task['title']}”"


def _ask_status(script: Script, task: dict[str, Any]) -> str:
    seen = script.ask(f"Which status should “{str(task['title'])[:100]}” get?", tuple(STATUS_WORDS.values()))
    status = status_of(seen.words) if seen.status == "answered" else None
    if status is None:
        raise Said(f"I do not know which status you mean, so I leave it. {NOTHING}")
    return status


def _as_mark(what: str, status: str) -> re.Match[str]:
    made = re.fullmatch(r"(?P<what>.*)\x00(?P<status>.*)", f"{what}\x00{status}", re.DOTALL)
    if made is None:
        raise Said(f"I do not know which task you mean. {NOTHING}")
    return made


_FLAGS = re.IGNORECASE | re.DOTALL
_FIND = r"^(?:find|look up|look for|get|take|search(?: for)?)\s+(?P<what>.+?),?\s+and\s+"
_IT = r"\s+(?:it|that|this)"
_END = r"(?:[\s,]+please)?[.!]*$"


def _rule(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, _FLAGS)


TASKS = (
    (
        _rule(
            rf"{_FIND}(?:mark|set|move|put|change|flag|turn){_IT}\s*(?:as|to|into|in|is)?\s+(?P<status>.+?){_END}"
        ),
        mark,
    ),
    (_rule(rf"{_FIND}(?P<verb>close|finish|complete|resolve|reopen|start){_IT}{_END}"), close),
    (_rule(rf"{_FIND}assign{_IT}\s+to\s+(?P<who>@?[\w .-]+?){_END}"), assign),
    (_rule(rf"^assign\s+(?P<what>.+)\s+to\s+(?P<who>@?[\w .-]+?){_END}"), assign),
    (
        _rule(
            r"^(?:set|move|change|put)\s+the\s+(?:due date|deadline)\s+(?:of|for)\s+(?P<what>.+)"
            rf"\s+to\s+(?P<when>.+?){_END}"
        ),
        set_due,
    ),
    (_rule(rf"^(?:make|set)\s+(?P<what>.+)\s+due\s+(?:on |by |at )?(?P<when>.+?){_END}"), set_due),
    *(
        (
            _rule(
                r"^(?:mark|set|move|put|change|flag)\s+(?:the status of\s+)?(?P<what>.+)\s+"
                rf"{into}\s+(?P<status>[\w -]+?){_END}"
            ),
            mark,
        )
        for into in ("(?:as|into)", "to", "in(?=\\s+(?:progress|review))")
    ),
    (
        _rule(
            r"^(?:mark|set)\s+(?P<what>.+?)\s+"
            rf"(?P<status>done|finished|completed?|closed|in[ _-](?:progress|review)|to[ -]?do){_END}"
        ),
        mark,
    ),
    (
        _rule(
            r"^(?P<verb>close|finish|complete|resolve|reopen|start(?: work(?:ing)? on)?)\s+"
            rf"(?P<what>.+?){_END}"
        ),
        close,
    ),
    (_rule(r"^(?=.*\b(?:tasks?|due)\b)(?=.*\b(?:due|deadline)\b)(?=.*\bweek\b)"), due_this_week),
    (
        _rule(
            r"^(?:what are|what's|list|show(?: me)?|which are|tell me)\b.{0,20}\bmy\b.{0,20}\btasks\b",
        ),
        my_tasks,
    ),
    (
        _rule(
            rf"^(?:find|look up|show(?: me)?)\s+(?P<what>(?:my|the)\b.*\b(?:task|ticket|issue)\b.*?){_END}"
        ),
        find,
    ),
)
