"""How the practice model finds what a request names: a task, a person. When several fit, it asks."""

import re
from collections.abc import Sequence
from typing import Any

from handraise.runner.chat.practice.script import NOTHING, Said, Script
from handraise.runner.chat.practice.words import best_matches, tokens

_KEY = re.compile(r"\b[A-Za-z][A-Za-z0-9]{1,9}-\d+\b")
_MINE = re.compile(r"\b(?:my|mine)\b", re.IGNORECASE)


def find_task(script: Script, what: str, *, not_in: str | None = None) -> dict[str, Any]:
    """Return the one task that `what` names. Tasks whose status is `not_in` give way to others."""
    shown = subject(what)
    tasks: list[dict[str, Any]] = list(script.read("list_my_tasks").get("tasks", []))
    if not _MINE.search(what) and script.has("search_workspace"):
        known = {task["id"] for task in tasks}
        results = script.read("search_workspace", query=shown).get("results", [])
        tasks.extend(found for found in results if found.get("kind") == "task" and found["id"] not in known)
    matches = _matching(shown, tasks)
    if not_in and len(matches) > 1:
        matches = [task for task in matches if task.get("status") != not_in] or matches
    if not matches:
        whose = "task of yours" if _MINE.search(what) else "task that you can see"
        raise Said(f"I found no {whose} about “{shown}”. {NOTHING}")
    if len(matches) == 1:
        return matches[0]
    return _chosen(script, f"Which task do you mean by “{shown}”?", matches, "title")


def find_person(script: Script, named: str) -> dict[str, Any]:
    """Return the one person that `named` names; "me" is whoever asked."""
    if named.casefold() in ("me", "myself"):
        named = script.situation.handle or script.situation.person
    query = named.lstrip("@")
    people: list[dict[str, Any]] = script.read("find_people", query=query).get("people", [])
    folded = query.casefold()
    exact = [
        one
        for one in people
        if folded in (str(one.get("handle", "")).casefold(), str(one["name"]).casefold())
    ]
    matches = exact or [one for one in people if set(tokens(query)) <= set(tokens(str(one["name"])))]
    if not matches:
        raise Said(f"I found nobody called {query} here. {NOTHING}")
    if len(matches) == 1:
        return matches[0]
    return _chosen(script, f"Which {query} do you mean?", matches, "name")


def subject(what: str) -> str:
    """Return what a description is about: "my task about the login bug" is about the login bug."""
    about = re.sub(r"\b(?:my|mine)\b", " ", what, flags=re.IGNORECASE)
    about = re.sub(
        r"^\s*(?:the |that |this |an? )?(?:(?:task|ticket|issue|one|item)\b\s*)?"
        r"(?:about|on|for|called|named|titled|regarding|with)?\s*(?:the |that |this |an? )?",
        "",
        about,
        flags=re.IGNORECASE,
    )
    about = re.sub(r"\s+(?:task|ticket|issue)\s*$", "", about, flags=re.IGNORECASE)
    return " ".join(about.split()).strip(" .,!?\"'“”") or " ".join(what.split())


def _matching(query: str, tasks: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    if key := _KEY.search(query):
        keyed = [task for task in tasks if str(task.get("key", "")).casefold() == key[0].casefold()]
        if keyed:
            return keyed
    return best_matches(query, tasks, lambda task: str(task["title"]))


def _chosen(script: Script, question: str, found: Sequence[dict[str, Any]], name: str) -> dict[str, Any]:
    """Ask which one is meant; the options are the names, told apart by key or handle where they are equal."""
    found = found[:20]
    names = [" ".join(str(one[name]).split())[:100] for one in found]
    labels: dict[str, dict[str, Any]] = {}
    for place, (label, one) in enumerate(zip(names, found, strict=True)):
        if names.count(label) > 1:
            label = f"{label} ({one.get('key') or one.get('handle') or place + 1})"
        labels[label] = one
    seen = script.ask(question[:300], tuple(labels))
    if seen.status != "answered":
        raise Said(f"I do not know which one you mean, so I leave it. {NOTHING}")
    if seen.words in labels:
        return labels[seen.words]
    meant = _matching(seen.words, [{**one, "title": label} for label, one in labels.items()])
    if len(meant) == 1:
        return {**meant[0], "title": meant[0].get(name, meant[0]["title"])}
    raise Said(f"“{seen.words}” is none that I found, so I leave it. {NOTHING}")
