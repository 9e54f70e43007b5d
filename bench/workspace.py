"""Every read of a workspace, small and large side by side: `python -m bench.workspace [--members 10000]`.

The large one has 10,000 members, 2,000 channels, 200,000 tasks and 2,000,000 messages; the small one, in the
same database, a hundredth of each. No read may take more than three times as long in the large one.
"""

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import uvloop
from sqlalchemy.ext.asyncio import AsyncConnection

from bench.crowd import Crowd, Size, fill, word
from handraise.dev.postgres import EmbeddedPostgres
from handraise.workspace.database import SERVICES, Database, prepare, service_dsn
from handraise.workspace.tools import REGISTRY, validate
from handraise.workspace.views import conversations, doc_pages, home, places, projects, tasks, threads
from handraise.workspace.views.search import search
from handraise.workspace.views.search_terms import query_of

LOAD_WITHIN = 180.0  # seconds
GROWTH = 3.0
LARGE = Size(members=10_000, channels=2_000, projects=2_000, tasks=200_000, messages=2_000_000)

Read = Callable[[Database, Crowd, int], Awaitable[object]]
PASSWORDS = dict.fromkeys(SERVICES, "bench")


def tool(name: str, arguments: Callable[[Crowd, int], dict[str, Any]]) -> Read:
    """Return a read tool as somebody's agent calls it."""

    async def run(db: Database, crowd: Crowd, member: int) -> object:
        found = REGISTRY[name]
        assert found.run is not None
        given = validate(found, arguments(crowd, member))
        return await found.run(db, crowd.workspace, crowd.id("member", member), given)

    return run


def page(view: Callable[[AsyncConnection, UUID, Crowd, int], Awaitable[object]]) -> Read:
    """Return what a page loads: the side bar, and then what stands in the middle."""

    async def run(db: Database, crowd: Crowd, member: int) -> object:
        who = crowd.id("member", member)
        async with db.read(crowd.workspace) as connection:
            await places.places(connection, who)
            return await view(connection, who, crowd, member)

    return run


async def _home(connection: AsyncConnection, who: UUID, _: Crowd, __: int) -> object:
    return [await home.needs(connection, who), await home.aside(connection, who)]


async def _live_search(connection: AsyncConnection, who: UUID, crowd: Crowd, member: int) -> object:
    query = query_of(f"{word(40 + member % 100)} {word(member % 20)[:2]}")
    assert query is not None
    return await search(connection, crowd.workspace, who, query)


def _channel(crowd: Crowd, member: int) -> UUID:
    return crowd.id("channel", crowd.channels_of(member)[1])


def _project(crowd: Crowd, member: int) -> UUID:
    return crowd.id("project", crowd.projects_of(member)[0])


def _task(crowd: Crowd, member: int) -> UUID:
    return crowd.id("task", crowd.projects_of(member)[0])  # its first


def _doc(crowd: Crowd, member: int) -> UUID:
    return crowd.id("doc", crowd.projects_of(member)[0] * 5)


def _group(crowd: Crowd, member: int) -> str:
    return str(crowd.id("conversation", crowd.conversation_of(member)))


READS: dict[str, Read] = {
    "list_my_tasks": tool("list_my_tasks", lambda _, __: {}),
    "list_projects": tool("list_projects", lambda _, __: {}),
    "list_project_tasks": tool("list_project_tasks", lambda c, m: {"project_id": str(_project(c, m))}),
    "get_project": tool("get_project", lambda c, m: {"project_id": str(_project(c, m))}),
    "list_teams": tool("list_teams", lambda _, __: {}),
    "search_workspace, common": tool("search_workspace", lambda _, m: {"query": word(m % 10)}),
    "search_workspace, seldom": tool("search_workspace", lambda _, m: {"query": word(1_000 + m % 1_000)}),
    "search_workspace, two words": tool(
        "search_workspace", lambda _, m: {"query": f"{word(20 + m % 10)} {word(200 + m % 100)}"}
    ),
    "search_workspace, a key": tool("search_workspace", lambda c, m: {"query": f"P{c.projects_of(m)[0]}-7"}),
    "summarize_channel": tool("summarize_channel", lambda c, m: {"channel": str(_channel(c, m))}),
    "summarize_channel, #general": tool("summarize_channel", lambda _, __: {"channel": "general"}),
    "summarize_dm": tool("summarize_group", lambda c, m: {"group": _group(c, m)}),
    "summarize_group": tool("summarize_group", lambda c, m: {"group": f"group {c.conversation_of(m)}"}),
    "read_doc": tool("read_doc", lambda c, m: {"doc_id": str(_doc(c, m))}),
    "find_people": tool("find_people", lambda _, m: {"query": word(m % 90)}),
    "find_people, two letters": tool("find_people", lambda _, m: {"query": word(m % 90)[:2]}),
    "page: Home": page(_home),
    "page: channel": page(lambda cx, who, c, m: threads.stream(cx, who, _channel(c, m))),
    "page: #general": page(lambda cx, who, c, m: threads.stream(cx, who, c.id("channel", 0))),
    "page: group": page(lambda cx, who, c, m: conversations.conversation(cx, who, UUID(_group(c, m)))),
    "page: project": page(lambda cx, who, c, m: projects.project_page(cx, who, _project(c, m))),
    "page: task": page(lambda cx, who, c, m: tasks.task_page(cx, who, _task(c, m))),
    "page: my tasks": page(lambda cx, who, c, m: tasks.tasks_of(cx, who)),
    "page: doc": page(lambda cx, who, c, m: doc_pages.doc_page(cx, who, _doc(c, m))),
    "page: search": page(_live_search),
}


async def measured(db: Database, crowd: Crowd, read: Read, times: int) -> list[float]:
    """Return how long it took each of some members, in milliseconds, in order. None of them is the admin."""
    dice = random.Random(5)
    who = [dice.randrange(1, crowd.size.members) for _ in range(times)]
    for member in who[:5]:
        await read(db, crowd, member)
    took = []
    for member in who:
        began = time.perf_counter()
        await read(db, crowd, member)
        took.append((time.perf_counter() - began) * 1000)
    return sorted(took)


async def run(dsn: str, size: Size, times: int) -> bool:
    """Load, measure, print; say whether all of it is within bounds."""
    await prepare(dsn, PASSWORDS)
    large, small = Crowd(1, size), Crowd(2, size.over(100))
    began = time.perf_counter()
    await fill(dsn, (large, small))
    loaded = time.perf_counter() - began
    print(
        f"loaded {size.messages:,} messages, {size.tasks:,} tasks, {size.members:,} members: {loaded:.0f} s\n"
    )
    db = await Database.open(service_dsn(dsn, "runner", "bench"), size=2)
    good = loaded < LOAD_WITHIN
    print(f"{'milliseconds':32} {'small p50':>9} {'p95':>7} {'large p50':>9} {'p95':>7} {'growth':>7}")
    try:
        for name, read in READS.items():
            little, much = [await measured(db, crowd, read, times) for crowd in (small, large)]
            growth = statistics.median(much) / statistics.median(little)
            good = good and growth <= GROWTH
            figures = f"{_p(little, 50):9.2f} {_p(little, 95):7.2f} {_p(much, 50):9.2f} {_p(much, 95):7.2f}"
            print(f"{name:32} {figures} {growth:6.1f}x{'  TOO MUCH' if growth > GROWTH else ''}", flush=True)
    finally:
        await db.close()
    return good


def _p(took: list[float], percent: int) -> float:
    return took[min(len(took) - 1, len(took) * percent // 100)]


def main() -> int:
    """Load a database of one's own, measure, and throw it away."""
    options = argparse.ArgumentParser()
    options.add_argument("--members", type=int, default=LARGE.members)
    options.add_argument("--times", type=int, default=60)
    given = options.parse_args()
    size = LARGE.over(max(1, LARGE.members // given.members))
    with tempfile.TemporaryDirectory(prefix="handraise-bench-") as folder:
        Path(folder).chmod(0o711)
        server = EmbeddedPostgres(Path(folder) / "postgres", fast=True)
        try:
            return 0 if uvloop.run(run(server.start().dsn, size, given.times)) else 1
        finally:
            server.stop()


if __name__ == "__main__":
    sys.exit(main())
