"""Reads a model's reply: prose, tool calls, and what could not be read, told with the reason.

One pass from left to right. Thinking and echoed data are skipped before anything in them can be a call,
and the JSON of a call is read as JSON, so tags inside its texts are only text. Never raises and never
invents: a call is taken whole or told back as a problem.
"""

import json
import re

from handraise.runner.protocol.jsonish import JsonishError, decode
from handraise.runner.protocol.marks import MARK, PARAMETER, PARAMETER_END, THINKING_END, fence_close
from handraise.runner.protocol.shapes import calls_of, named
from handraise.runner.protocol.values import Call, Problem, Reply

MAX_CHARS = 1_048_576
MAX_CALLS = 32
_EXCERPT = 160
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_LEAD_IN = re.compile(r"\s*(?:`{1,4}[ \t]*(?:json|tool_call|xml)?\s*)?", re.IGNORECASE | re.ASCII)
_BETWEEN = re.compile(r"[\s,;`]*")
_EMPTY_CODE = re.compile(r"(`{3,4})[a-z_]{0,12}\s*\1|(?<!`)`\s*`(?!`)", re.IGNORECASE)
_BLANKS = re.compile(r"\n[ \t]*(?:\n[ \t]*){2,}")
_BARE = re.compile(r"""\{\s*["'](?:tool|name|function)["']\s*:""")


def render_call(call: Call) -> str:
    """Return the text of a call that `parse_reply` reads back, whatever its arguments say."""
    spelled = json.dumps({"tool": call.tool, "args": call.args}, ensure_ascii=False)
    return f"<tool_call>{spelled.replace('<', chr(92) + 'u003c')}</tool_call>"


def parse_reply(text: str) -> Reply:
    """Take a reply apart. Pure, never raises; work grows with the length of `text`, at most 1 MiB of it."""
    scan = _Scan(_UNSTORABLE.sub("\ufffd", text[:MAX_CHARS]))
    scan.run()
    if len(text) > MAX_CHARS:
        scan.problem(text[MAX_CHARS:], "the reply is longer than 1 MiB; nothing after that was read")
    prose = _BLANKS.sub("\n\n", _EMPTY_CODE.sub("", "".join(scan.prose))).strip()
    if not scan.calls and not scan.problems and _bare_call(prose):
        scan.problem(
            prose, "this looks like a call without its tags; write it between <tool_call> and </tool_call>"
        )
        prose = ""
    return Reply(text=prose, calls=tuple(scan.calls), problems=tuple(scan.problems))


def _bare_call(prose: str) -> bool:
    """Tell whether the whole reply is one untagged call: asked again, for what was quoted looks the same."""
    body = prose.strip("` \n")
    body = body.removeprefix("json").lstrip()
    return body.startswith("{") and body.endswith("}") and _BARE.match(body) is not None


class _Scan:
    def __init__(self, text: str) -> None:
        self.text = text
        self.prose: list[str] = []
        self.calls: list[Call] = []
        self.problems: list[Problem] = []

    def problem(self, excerpt: str, reason: str) -> None:
        short = excerpt if len(excerpt) <= _EXCERPT else excerpt[:_EXCERPT] + "…"
        self.problems.append(Problem(excerpt=_UNSTORABLE.sub("\ufffd", short), reason=reason))

    def run(self) -> None:
        at = 0
        while mark := MARK.search(self.text, at):
            self.prose.append(self.text[at : mark.start()])
            if len(self.calls) + len(self.problems) >= MAX_CALLS:
                self.problem(
                    self.text[mark.start() :], f"only the first {MAX_CALLS} calls of a reply are read"
                )
                return
            if mark["thinking"]:
                end = THINKING_END.search(self.text, mark.end())
                if end is None:
                    self.problem(mark.group(), "the thinking is never closed, so nothing after it was read")
                    return
                at = end.end()
            elif mark["fence"]:
                closing = fence_close(mark["fence"])
                found = self.text.find(closing, mark.end())
                if found < 0:
                    self.problem(
                        mark.group(), "fenced data is repeated and never closed; nothing after it was read"
                    )
                    return
                at = found + len(closing)
            elif mark["thinking_end"] or mark["fence_end"]:
                # Some chat templates swallow the start: what stands before was not said to anybody.
                self.prose.clear()
                self.calls.clear()
                self.problems.clear()
                at = mark.end()
            elif mark["close"]:
                at = mark.end()
            else:
                at = self._block(mark)
        self.prose.append(self.text[at:])

    def _block(self, mark: re.Match[str]) -> int:
        """Read the call or calls that `mark` opens; return where prose goes on."""
        calls: list[Call] = []
        start = mark.start()
        try:
            at = self._function(mark, calls) if mark["function"] else self._tagged(mark, calls)
        except JsonishError as wrong:
            following = MARK.search(self.text, mark.end())
            at = following.start() if following else len(self.text)
            while following and mark["function"] and following["close"] == "parameter":
                at = following.end()
                following = MARK.search(self.text, at)
            self.problem(self.text[start:at], str(wrong))
            return at
        if calls and self._quoted(start):
            self.problem(
                self.text[start:at],
                "this call stands in a quotation (a line that starts with >), so it was not taken",
            )
        else:
            self.calls.extend(calls[: MAX_CALLS - len(self.calls)])
        return at

    def _quoted(self, at: int) -> bool:
        line = self.text[self.text.rfind("\n", 0, at) + 1 : at]
        return line.lstrip().startswith(">")

    def _tagged(self, mark: re.Match[str], calls: list[Call]) -> int:
        text = self.text
        following = MARK.search(text, mark.end())
        limit = following.start() if following else len(text)
        closed = following is not None and following["close"] is not None
        lead = _LEAD_IN.match(text, mark.end(), limit)
        start = lead.end() if lead else mark.end()
        if following and start == limit and (following["call"] or following["function"]):
            return limit
        if text[start : start + 1] not in ("{", "[") or start >= limit:
            brace = text.find("{", start, limit) if closed else -1
            if brace < 0:
                if text[mark.start() - 1 : mark.start()] == "`" and text[mark.end() : mark.end() + 1] == "`":
                    self.prose.append(mark.group())
                    return mark.end()
                raise JsonishError(
                    'no JSON object follows the tag; write {"tool": "...", "args": {...}} in it'
                )
            start = brace
        at = start
        while True:
            value, at = self._decode(at, limit, closed)
            calls.extend(calls_of(value))
            between = _BETWEEN.match(text, at)
            after = between.end() if between else at
            if text[after : after + 1] not in ("{", "[") or len(calls) >= MAX_CALLS:
                break
            at = after
            following = MARK.search(text, at)
            limit = following.start() if following else len(text)
            closed = following is not None and following["close"] is not None
        return self._tail(at)

    def _decode(self, at: int, limit: int, closed: bool) -> tuple[object, int]:
        """Decode strictly to wherever the JSON ends, else forgivingly up to the next mark."""
        try:
            return decode(self.text, at, len(self.text), complete=False, strictly=True)
        except JsonishError:
            return decode(self.text, at, max(limit, at), complete=closed)

    def _tail(self, at: int) -> int:
        """Check that nothing of a call was left over behind its JSON; return where prose goes on."""
        following = MARK.search(self.text, at)
        if following is not None and following["close"]:
            rest, end = self.text[at : following.start()], following.end()
        else:
            newline = self.text.find("\n", at)
            limit = following.start() if following else len(self.text)
            rest = self.text[at : limit if newline < 0 else min(newline, limit)]
            end = at
        left = rest.strip("\t\r\n `}];,")
        if left.startswith(('"', "{", "[")) or (end > at and "{" in left):
            raise JsonishError(
                "more follows the end of the call's JSON; check its brackets and write it again"
            )
        if end == at:
            end += len(rest) - len(rest.lstrip("\t\r `}];,"))
        return end

    def _function(self, mark: re.Match[str], calls: list[Call]) -> int:
        """Read `<function=name>` with JSON or with `<parameter=…>` texts in it."""
        text, at = self.text, _space(self.text, mark.end())
        if text.startswith("{", at):
            following = MARK.search(text, at)
            limit = following.start() if following else len(text)
            value, at = self._decode(at, limit, following is not None and following["close"] is not None)
            calls.append(named(mark["function"], value))
            return self._tail(at)
        args: dict[str, object] = {}
        while parameter := PARAMETER.match(text, at):
            end = PARAMETER_END.search(text, parameter.end())
            if end is None:
                raise JsonishError(
                    f"the parameter {parameter[1]!r} is never closed; write the whole call again"
                )
            if parameter[1] in args:
                raise JsonishError(f"the parameter {parameter[1]!r} stands twice; write it once")
            args[parameter[1]] = _parameter(text[parameter.end() : end.start()])
            at = _space(text, end.end())
        close = MARK.match(text, at)
        if close is None or not close["close"]:
            raise JsonishError("the call is cut off or holds something else than parameters; write it again")
        calls.append(named(mark["function"], args))
        return close.end()


def _space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _parameter(raw: str) -> object:
    """Return a parameter's value: JSON where it is an array or an object, else the text as it stands."""
    inner = raw.removeprefix("\n").removesuffix("\n")
    stripped = inner.strip()
    if stripped[:1] in ("[", "{"):
        try:
            value, after = decode(stripped, 0, len(stripped), complete=False)
        except JsonishError:
            return inner
        if after == len(stripped):
            return value
    return inner
