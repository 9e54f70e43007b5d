"""The marks that structure text between Handraise and a model, spelled in one place for writer and reader.

Whatever the reader takes for a mark, the fence must neutralise; a property test holds the two together.
"""

import re

CALL_NAMES = ("tool_call", "tool_calls", "function_call", "function_calls")
THINKING_NAMES = ("think", "thinking", "thought", "reasoning")

_calls = "|".join(sorted(CALL_NAMES, key=len, reverse=True))
_thinking = "|".join(sorted(THINKING_NAMES, key=len, reverse=True))
_name = r"[A-Za-z_][\w.\-:/]{0,63}"

MARK = re.compile(
    rf"""
      <<<fence\ (?P<fence>[0-9a-f]{{8,64}})\ [^<>\n]{{0,80}}>>>
    | <<<end\ fence\ (?P<fence_end>[0-9a-f]{{8,64}})>>>
    | <\s{{0,4}}(?P<thinking>{_thinking})\s{{0,4}}>
    | <\s{{0,4}}/\s{{0,4}}(?P<thinking_end>{_thinking})\s{{0,4}}>
    | <\s{{0,4}}(?P<call>{_calls})\s{{0,4}}>
    | <\s{{0,4}}/\s{{0,4}}(?P<close>{_calls}|function|parameter)\s{{0,4}}>
    | <\s{{0,4}}function(?:\s{{0,4}}=\s{{0,4}}|\s{{1,4}}name\s{{0,4}}=\s{{0,4}})
      ["']?(?P<function>{_name})["']?\s{{0,4}}>
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
THINKING_END = re.compile(rf"<\s{{0,4}}/\s{{0,4}}(?:{_thinking})\s{{0,4}}>", re.IGNORECASE | re.ASCII)
PARAMETER = re.compile(
    rf"""<\s{{0,4}}parameter(?:\s{{0,4}}=\s{{0,4}}|\s{{1,4}}name\s{{0,4}}=\s{{0,4}})["']?({_name})["']?\s{{0,4}}>""",
    re.IGNORECASE | re.ASCII,
)
PARAMETER_END = re.compile(r"<\s{0,4}/\s{0,4}parameter\s{0,4}>", re.IGNORECASE | re.ASCII)
TOOL_NAME = re.compile(_name, re.ASCII)


def fence_open(boundary: str, kind: str) -> str:
    """Return the line that opens a fenced piece of data."""
    return f"<<<fence {boundary} {kind}>>>"


def fence_close(boundary: str) -> str:
    """Return the line that closes it."""
    return f"<<<end fence {boundary}>>>"
