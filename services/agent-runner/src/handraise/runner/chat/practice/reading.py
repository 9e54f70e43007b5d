"""Reads a conversation as the practice model sees it: the request, the tools, and what came of its calls."""

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from handraise.runner.chat.base import ChatMessage
from handraise.runner.protocol.results import HEADER, PROBLEMS_HEADER

_FENCED = re.compile(r"<<<fence ([0-9a-f]+) [^<>\n]*>>>\n(.*?)\n<<<end fence \1>>>", re.DOTALL)
_KEPT = re.compile("\x00(\\d+)\x00")
_HEAD = re.compile(r"^\[\d+\] (\S+): (\w+)$", re.MULTILINE)
_ASKS = re.compile(r"^(?:[^\n]{1,120}) asks:\n", re.MULTILINE)
_TOOL = re.compile(r"^- (\w+) \((?:read|proposed|asks a person)\): ", re.MULTILINE)
_PERSON = re.compile(r"^Person: (.+?) \(@([\w.-]+)\)", re.MULTILINE)
_TIME = re.compile(r"^Time: (\S+), a \w+, zone (\S+)$", re.MULTILINE)
_OPTION = re.compile(r"^The person answered: (.*) \(one of the options you offered\)$", re.MULTILINE)


class Seen(msgspec.Struct, frozen=True):
    """One result as it was told. `words` are a person's own; `said` is what stood outside the fence."""

    tool: str
    status: str
    said: str
    data: Any = None
    words: str = ""
    chosen: bool = False


class Situation(msgspec.Struct, frozen=True):
    """Everything that a rule may look at."""

    request: str
    person: str
    handle: str
    now: datetime
    tools: frozenset[str]
    results: tuple[Seen, ...]


def read(messages: Sequence[ChatMessage]) -> Situation:
    """Return the situation that the messages tell; whatever they leave out is empty."""
    system = "\n".join(message.content for message in messages if message.role == "system")
    spoken = [message.content for message in messages if message.role == "user"]
    results_from = len(spoken)
    request = ""
    for place in range(len(spoken) - 1, -1, -1):
        if not spoken[place].startswith((HEADER, PROBLEMS_HEADER)):
            marked = _ASKS.search(_FENCED.sub("", spoken[place]))
            if marked or not request:
                request, results_from = _request(spoken[place]), place + 1
            if marked:
                break
    taught, _, now = system.rpartition("\n# Now\n")
    person = _PERSON.search(now)
    return Situation(
        request=request,
        person=person[1] if person else "",
        handle=person[2] if person else "",
        now=_moment(now),
        tools=_tools(taught),
        results=tuple(_settled(seen for told in spoken[results_from:] for seen in _results(told))),
    )


@lru_cache(maxsize=64)
def _tools(taught: str) -> frozenset[str]:
    # The same words for every round of an agent, so they are read once.
    return frozenset(_TOOL.findall(taught))


def _request(content: str) -> str:
    bare = _FENCED.sub("", content)
    marks = list(_ASKS.finditer(bare))
    return (bare[marks[0].end() :] if marks else bare).strip()


def _moment(system: str) -> datetime:
    told = _TIME.search(system)
    if told is None:
        return datetime.now(UTC)
    moment = datetime.fromisoformat(told[1])
    try:
        return moment.astimezone(ZoneInfo(told[2]))
    except (ZoneInfoNotFoundError, ValueError):
        return moment


def _results(told: str) -> list[Seen]:
    if not told.startswith(HEADER):
        return []
    kept: list[str] = []

    def keep(found: re.Match[str]) -> str:
        kept.append(found[2])
        return f"\x00{len(kept) - 1}\x00"

    flat = _FENCED.sub(keep, told.replace("\x00", ""))
    heads = list(_HEAD.finditer(flat))
    ends = [head.start() for head in heads[1:]] + [len(flat)]
    return [_seen(head, flat[head.end() : end], kept) for head, end in zip(heads, ends, strict=True)]


def _seen(head: re.Match[str], told: str, kept: list[str]) -> Seen:
    told = told.partition(PROBLEMS_HEADER)[0]
    inside = [kept[int(place[1])] for place in _KEPT.finditer(told)]
    said = " ".join(_KEPT.sub("", told).split())
    option = _OPTION.search(told)
    words = option[1] if option else inside[0] if inside and head[2] in ("answered", "rejected") else ""
    data: Any = None
    if inside and not words:
        try:
            data = json.loads(inside[0])
        except ValueError:
            data = inside[0]
    return Seen(tool=head[1], status=head[2], said=said, data=data, words=words, chosen=option is not None)


def _settled(results: Any) -> list[Seen]:
    """Let the outcome of a proposal take the place of the note that it was proposed."""
    settled: list[Seen] = []
    for seen in results:
        waiting = [
            place for place, old in enumerate(settled) if old.status == "proposed" and old.tool == seen.tool
        ]
        if waiting and seen.status != "proposed":
            settled[waiting[0]] = seen
        else:
            settled.append(seen)
    return settled
