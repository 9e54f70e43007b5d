"""What a model's reply is made of once it is read."""

from typing import Any

import msgspec


class Call(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One tool call, as the model wrote it: the tool may be unknown, the arguments unfit."""

    tool: str
    args: dict[str, Any] = {}


class Problem(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that looks like a call and could not be read as one; told back to the model."""

    excerpt: str
    reason: str


class Reply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A reply, taken apart. `text` is the prose without calls, thinking and echoed data."""

    text: str
    calls: tuple[Call, ...] = ()
    problems: tuple[Problem, ...] = ()
