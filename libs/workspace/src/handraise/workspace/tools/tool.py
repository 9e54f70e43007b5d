"""What a tool is: what the model is told, what a person is shown, and what may run by itself."""

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct

from handraise.workspace.database import Database
from handraise.workspace.policy import Act


class InvalidArguments(ValueError):
    """A tool can't be called like this. The text is for the model: what is wrong and what to do about it."""


class Preview(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a person is shown before they confirm a write. Stored with the action."""

    sentence: str
    """What it would do, as one sentence without a full stop: Mark “Fix login bug” done."""
    audience: int | None = None
    """How many people will see it; None where it reaches no more than those concerned."""
    before_after: tuple[tuple[str, str, str], ...] = ()
    """Label, before, after."""
    draft: str | None = None
    """The text as people will read it."""
    facts: tuple[tuple[str, str], ...] = ()
    """Label, value."""
    confirm: str = "Confirm"
    """The words on the button."""
    heavy: tuple[str, ...] = ()
    """Why this needs a second look: “Leaves the workspace”, “Can't be taken back”."""
    link: str | None = None
    """The path of the page of what it is done to."""


Read = Callable[[Database, UUID, UUID, Any], Awaitable[dict[str, Any]]]
"""Database, workspace, member it runs as, arguments. One gated statement. Raises InvalidArguments."""

Resolve = Callable[[Database, UUID, UUID, Any], Awaitable[tuple[Any, Preview]]]
"""The same, returning the arguments with names turned into ids, and the preview. Raises InvalidArguments."""


class Tool(Struct, frozen=True, kw_only=True):
    """One thing an agent can call. Exactly one of `run` and `resolve` is set: a read runs, a write is shown."""

    name: str
    description: str
    arguments: type[Struct]
    act: Act
    run: Read | None = None
    resolve: Resolve | None = None
    destructive: bool = False
    external: bool = False

    def __post_init__(self) -> None:
        if (self.run is None) == (self.resolve is None):
            raise TypeError(f"{self.name} must either run or be shown")

    @property
    def read_only(self) -> bool:
        """Whether it runs by itself. Anything else is only ever proposed."""
        return self.run is not None

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of its arguments, in one piece."""
        return schema_of(self.arguments)


def schema_of(arguments: type[Struct]) -> dict[str, Any]:
    """Return the JSON Schema of a tool's or a write's arguments, in one piece."""
    (root,), parts = msgspec.json.schema_components((arguments,), ref_template="{name}")
    whole: dict[str, Any] = _inlined(root, parts)
    whole.pop("title", None)
    return whole | {"additionalProperties": False}


def _inlined(node: Any, parts: Mapping[str, Any]) -> Any:
    if isinstance(node, list):
        return [_inlined(one, parts) for one in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        whole = _inlined(parts[node["$ref"]], parts)
        whole.pop("title", None)
        return whole | {key: value for key, value in node.items() if key != "$ref"}
    return {key: _inlined(value, parts) for key, value in node.items()}


def digest(tool_name: str, arguments: Struct | Mapping[str, Any]) -> str:
    """Return the SHA-256, in hex, of a tool and its arguments: what an approval is bound to (law 3).

    A struct and the JSON it is stored as have one digest, whatever the order of the keys.
    """
    plain = msgspec.to_builtins({"tool": tool_name, "arguments": arguments})
    return hashlib.sha256(msgspec.json.encode(plain, order="deterministic")).hexdigest()
