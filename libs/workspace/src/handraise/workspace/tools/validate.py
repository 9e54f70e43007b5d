"""Turns what a model wrote as arguments into what a tool takes, or into a reason the model can act on."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from handraise.workspace.actions import Write
from handraise.workspace.tools.tool import InvalidArguments, Tool, schema_of

# Where an id of each kind is to be had.
_SOURCES = {
    "task_id": "list_my_tasks, list_project_tasks or search_workspace",
    "project_id": "list_projects",
    "assignee_id": "find_people",
    "person_id": "find_people",
    "doc_id": "search_workspace",
    "team_id": "list_teams",
}
_AT = re.compile(r" - at `\$\.?(?P<path>[^`]*)`$")

_UNWRITABLE = re.compile("[\x00\ud800-\udfff]")


def validate(tool: Tool | Write, arguments: object) -> Struct:
    """Return the arguments of a tool, or of a write by hand.

    Numbers written as words are read; nothing else is guessed. Raises InvalidArguments. Whether names and
    ids exist is found out when the tool is run or shown.
    """
    if not isinstance(arguments, Mapping):
        raise InvalidArguments(f"The arguments of {tool.name} must be a JSON object.")
    known = {field.encode_name for field in msgspec.structs.fields(tool.arguments)}
    unknown = sorted(set(arguments) - known)
    if unknown:
        takes = f"it takes {', '.join(sorted(known))}" if known else "it takes none"
        raise InvalidArguments(f"{tool.name} has no argument {_quoted(unknown)}; {takes}.")
    missing = [
        field.encode_name
        for field in msgspec.structs.fields(tool.arguments)
        if field.required and field.encode_name not in arguments
    ]
    if missing:
        raise InvalidArguments(f"{tool.name} needs {_quoted(missing)}.{_hint(missing[0])}")
    for name, value in arguments.items():
        if isinstance(value, str) and _UNWRITABLE.search(value):
            raise InvalidArguments(
                f"{tool.name}: {name} contains a character that can't be stored; take it out."
            )
    try:
        return msgspec.convert(dict(arguments), tool.arguments, strict=False)
    except msgspec.ValidationError as error:
        raise InvalidArguments(_explained(tool, arguments, str(error))) from None


def _explained(tool: Tool | Write, arguments: Mapping[str, Any], error: str) -> str:
    found = _AT.search(error)
    name = found["path"] if found else ""
    why = error[: found.start()] if found else error
    value = arguments.get(name)
    if name in _SOURCES and isinstance(value, str):
        return f"{tool.name}: {name} must be an id, and “{value[:60]}” is none.{_hint(name)}"
    if "timezone" in why:
        return f"{tool.name}: {name} has no time zone; write it like 2026-11-05T10:00:00+01:00."
    if "RFC3339" in why:
        return f"{tool.name}: {name} must be a date and time like 2026-11-05T10:00:00+01:00."
    if "Invalid enum value" in why:
        values = _choices(tool, name)
        return f"{tool.name}: {name} must be one of {values}, and {value!r} is none of them."
    return f"{tool.name}: {name or 'the arguments'}: {why[:1].lower()}{why[1:]}."


def _choices(tool: Tool | Write, name: str) -> str:
    shape = schema_of(tool.arguments)["properties"][name]
    choices = [*shape.get("enum", ()), *(v for one in shape.get("anyOf", ()) for v in one.get("enum", ()))]
    return ", ".join(choices)


def _hint(name: str) -> str:
    return f" Look it up with {_SOURCES[name]}." if name in _SOURCES else ""


def _quoted(names: list[str]) -> str:
    return " and ".join(f"“{name[:60]}”" for name in names)
