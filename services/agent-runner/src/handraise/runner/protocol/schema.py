"""Fits a call's arguments to a tool's JSON schema where a value has the wrong type but one meaning only."""

import re
from collections.abc import Mapping
from typing import Any

_INTEGER = re.compile(r"-?\d{1,18}", re.ASCII)
_NUMBER = re.compile(r"-?\d{1,18}(?:\.\d{1,18})?", re.ASCII)
_BOOLEANS = {"true": True, "false": False}


def fit_args(args: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return `args` with numbers, booleans and texts turned into the type that `schema` names.

    Only lossless turns: "50" for an integer, 118 for a text, "true" for a boolean, one value for an array
    of such values. What does not fit stays as it is, for the schema's check to name.
    """
    properties = schema.get("properties", {})
    return {name: _fit(value, properties.get(name, {})) for name, value in args.items()}


def _fit(value: Any, schema: Mapping[str, Any]) -> Any:
    wanted = schema.get("type")
    if wanted == "array":
        items = schema.get("items", {})
        if isinstance(value, list):
            return [_fit(item, items) for item in value]
        return [_fit(value, items)] if isinstance(value, str | int | float) else value
    if wanted == "string":
        if isinstance(value, bool):
            return "true" if value else "false"
        return str(value) if isinstance(value, int | float) else value
    if not isinstance(value, str):
        if wanted == "integer" and isinstance(value, float) and value.is_integer():
            return int(value)
        return value
    spelled = value.strip()
    if wanted == "integer" and _INTEGER.fullmatch(spelled):
        return int(spelled)
    if wanted == "number" and _NUMBER.fullmatch(spelled):
        return float(spelled) if "." in spelled else int(spelled)
    if wanted == "boolean" and spelled.lower() in _BOOLEANS:
        return _BOOLEANS[spelled.lower()]
    return value
