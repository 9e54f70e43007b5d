"""Turns a decoded JSON value into calls: the taught shape, and the ones that models know from elsewhere."""

from typing import Any

from handraise.runner.protocol.jsonish import JsonishError, decode
from handraise.runner.protocol.marks import TOOL_NAME
from handraise.runner.protocol.values import Call

_NAMES = ("tool", "name", "tool_name", "function", "function_name")
_ARGS = ("args", "arguments", "parameters", "params", "input")
_REMARKS = frozenset({"id", "type", "index", "call_id", "thought", "thoughts", "reasoning", "explanation"})
_SHAPE = '{"tool": "...", "args": {...}}'


def calls_of(value: Any) -> list[Call]:
    """Return the calls a value spells: an object is one, an array several. Raises JsonishError."""
    if isinstance(value, list):
        if not value:
            raise JsonishError("the array holds no call")
        if not all(isinstance(item, dict) for item in value):
            raise JsonishError(f"an array of calls holds something other than objects such as {_SHAPE}")
        return [_call(item) for item in value]
    if isinstance(value, dict):
        return [_call(value)]
    raise JsonishError(f"a call is an object such as {_SHAPE}")


def named(tool: str, args: Any) -> Call:
    """Return the call of `tool` with arguments given as an object, as its JSON text, or not at all."""
    if TOOL_NAME.fullmatch(tool) is None:
        raise JsonishError(f"{tool[:60]!r} is no tool's name")
    if args is None:
        args = {}
    if isinstance(args, str):
        args = _from_text(args)
    if not isinstance(args, dict):
        raise JsonishError("the arguments are not an object with a name for each")
    return Call(tool=tool, args=args)


def _from_text(text: str) -> Any:
    if not text.strip():
        return {}
    value, after = decode(text, 0, len(text), complete=False)
    if text[after:].strip():
        raise JsonishError("the arguments, given as a text, hold more than one JSON object")
    return value


def _call(spelled: dict[str, Any]) -> Call:
    for wrapper in ("function", "tool_call", "function_call"):
        inner = spelled.get(wrapper)
        if isinstance(inner, dict) and set(spelled) <= {wrapper} | _REMARKS:
            return _call(inner)
    names = [key for key in _NAMES if key in spelled]
    if not names:
        raise JsonishError(f"the object names no tool; write {_SHAPE}")
    if len(names) > 1:
        raise JsonishError(f"the tool is named twice, as {names[0]!r} and as {names[1]!r}; write {_SHAPE}")
    holders = [key for key in _ARGS if key in spelled]
    if len(holders) > 1:
        raise JsonishError(f"the arguments stand in both {holders[0]!r} and {holders[1]!r}; write {_SHAPE}")
    strays = sorted(set(spelled) - set(names) - set(holders) - _REMARKS)
    if strays:
        raise JsonishError(
            f'{strays[0][:60]!r} stands beside the tool\'s name; put every argument into "args"'
        )
    tool = spelled[names[0]]
    if not isinstance(tool, str):
        raise JsonishError("the tool's name is not a text")
    return named(tool.strip(), spelled[holders[0]] if holders else None)
