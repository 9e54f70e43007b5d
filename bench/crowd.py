"""Fills a database with workspaces of any size: people, places, work and talk, by COPY.

Members of a small workspace are in as many places as those of a large one, and as much is said in each: what
differs is how much there is beside that.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any
from uuid import UUID

import asyncpg
import msgspec

CHANNELS_OF = 10  # that a member is in, beside #general
PROJECTS_OF = 3
GROUPS_OF = 4  # conversations
MOST_COMMON = 3_000  # different bodies, and as many words
_CHUNK = 2_000  # rows of one piece of COPY


class Size(msgspec.Struct, frozen=True):
    """How much there is of everything."""

    members: int
    channels: int
    projects: int
    tasks: int
    messages: int

    def over(self, by: int) -> "Size":
        """Return a workspace that many times smaller."""
        return Size(*(max(1, getattr(self, name) // by) for name in self.__struct_fields__))


class Crowd:
    """One workspace's ids, which follow from its number: nothing has to be remembered to look something up."""

    def __init__(self, number: int, size: Size) -> None:
        self.number = number
        self.size = size
        self.workspace = self.id("workspace", 0)
        self.teams = max(2, size.projects // 10)
        self.conversations = size.members * GROUPS_OF // 2
        self.docs = size.projects * 5
        self.in_channels = size.messages * 8 // 10
        self.in_conversations = size.messages // 10
        self.in_tasks = size.messages - self.in_channels - self.in_conversations

    def id(self, kind: str, number: int) -> UUID:
        """Return the id of the nth of a kind."""
        return UUID(int=(self.number << 112) | (_KINDS[kind] << 96) | number)

    def channels_of(self, member: int) -> list[int]:
        """Return the channels a member is in: #general, which is 0, and others by chance."""
        rest = range(1, self.size.channels)
        return [0, *random.Random(member).sample(rest, min(CHANNELS_OF, len(rest)))]

    def projects_of(self, member: int) -> list[int]:
        """Return the projects a member is in; of the first they are an admin."""
        return random.Random(-1 - member).sample(
            range(self.size.projects), min(PROJECTS_OF, self.size.projects)
        )

    def conversation_of(self, member: int) -> int:
        """Return a conversation the member is in."""
        return member % self.conversations


_KINDS = {
    kind: n
    for n, kind in enumerate(
        (
            "workspace",
            "member",
            "team",
            "project",
            "task",
            "channel",
            "conversation",
            "message",
            "doc",
            "agent",
        ),
        1,
    )
}
_dice = random.Random(7)
_WORDS = ["".join(_dice.choices("abcdefghiklmnoprstuvwz", k=_dice.randint(3, 9))) for _ in range(MOST_COMMON)]
# As in speech: few words are said often, most seldom.
_BODIES = [
    " ".join(_dice.choices(_WORDS, weights=[1 / (n + 3) for n in range(MOST_COMMON)], k=_dice.randint(4, 14)))
    for _ in range(MOST_COMMON)
]


def word(rank: int) -> str:
    """Return the word that is said the nth most often."""
    return _WORDS[rank]


async def fill(dsn: str, crowds: Sequence[Crowd]) -> None:
    """Load all of it as the owner, and have the planner know what is there.

    The indexes of what is searched are built after, at once: that is quicker than a million small changes.
    """
    connection = await asyncpg.connect(dsn, command_timeout=600)
    try:
        indexes = await connection.fetch(
            """SELECT indexname, indexdef FROM pg_indexes WHERE tablename IN ('messages', 'tasks')
               AND indexname NOT LIKE 'pk%' AND indexname NOT LIKE 'uq%'"""
        )
        for index in indexes:
            await connection.execute(f"DROP INDEX {index['indexname']}")
        for crowd in crowds:
            await _people(connection, crowd)
        streams = [_messages(crowd, half) for crowd in crowds for half in range(2)]
        await asyncio.gather(
            *(_copy(dsn, "messages", _MESSAGE, rows) for rows in streams),
            *(_copy(dsn, "tasks", _TASK, _tasks(crowd)) for crowd in crowds),
        )
        await asyncio.gather(*(_build(dsn, [index["indexdef"]]) for index in indexes))
        await connection.execute("ANALYZE")
    finally:
        await connection.close()


async def _build(dsn: str, statements: Sequence[str]) -> None:
    connection = await asyncpg.connect(dsn, command_timeout=600)
    try:
        await connection.execute("SET maintenance_work_mem = '256MB'")
        for statement in statements:
            await connection.execute(statement)
    finally:
        await connection.close()


async def _copy(dsn: str, table: str, columns: list[str], rows: Iterator[str]) -> None:
    connection = await asyncpg.connect(dsn, command_timeout=600)

    async def pieces() -> AsyncIterator[bytes]:
        piece: list[str] = []
        for row in rows:
            piece.append(row)
            if len(piece) == _CHUNK:
                yield "".join(piece).encode()
                piece.clear()
        yield "".join(piece).encode()

    try:
        await connection.copy_to_table(table, source=pieces(), columns=columns)
    finally:
        await connection.close()


_MESSAGE = ["id", "workspace_id", "surface", "place_id", "author_id", "body", "created_at"]
_TASK = ["id", "workspace_id", "project_id", "number", "title", "description", "assignee_id", "due_at"]


def _messages(crowd: Crowd, half: int) -> Iterator[str]:
    """Yield every second message, oldest first, spread over the places by chance."""
    dice = random.Random(half)
    size = crowd.size
    ends = (crowd.in_channels, crowd.in_channels + crowd.in_conversations)
    for n in range(half, size.messages, 2):
        if n < ends[0]:
            surface, place = "channel_thread", crowd.id("channel", int(dice.random() * size.channels))
        elif n < ends[1]:
            surface, place = "group", crowd.id("conversation", int(dice.random() * crowd.conversations))
        else:
            surface, place = "task", crowd.id("task", int(dice.random() * size.tasks))
        author = crowd.id("member", int(dice.random() * size.members))
        body = f"{_BODIES[int(dice.random() * MOST_COMMON)]} n{n % 100_000}"
        at = f"2026-{1 + n % 11:02d}-{1 + n // 11 % 28:02d} {n % 24:02d}:{n // 24 % 60:02d}:{n // 1440 % 60:02d}Z"
        yield f"{crowd.id('message', n)}\t{crowd.workspace}\t{surface}\t{place}\t{author}\t{body}\t{at}\n"


def _tasks(crowd: Crowd) -> Iterator[str]:
    dice = random.Random(3)
    size = crowd.size
    for n in range(size.tasks):
        project, number = n % size.projects, 1 + n // size.projects
        who = crowd.id("member", int(dice.random() * size.members))
        body = _BODIES[n % MOST_COMMON]
        yield (
            f"{crowd.id('task', n)}\t{crowd.workspace}\t{crowd.id('project', project)}\t{number}\t{body[:60]}\t"
            f"{_BODIES[n * 7 % MOST_COMMON]}\t{who}\t2027-{1 + n % 12:02d}-{1 + n % 28:02d} 10:00Z\n"
        )


async def _people(connection: asyncpg.Connection, crowd: Crowd) -> None:
    """Write everything but tasks and messages."""
    size, ws = crowd.size, crowd.workspace
    await connection.execute(
        "INSERT INTO workspaces (id, slug, name) VALUES ($1, $2, $3)", ws, f"crowd-{crowd.number}", "Crowd"
    )
    dice = random.Random(crowd.number)

    async def put(table: str, columns: str, rows: Iterator[tuple[Any, ...]]) -> None:
        await connection.copy_records_to_table(
            table, records=((*row, ws) for row in rows), columns=[*columns.split(), "workspace_id"]
        )

    names = [f"{word(n % 900).title()} {word(900 + n * 31 % 2_000).title()}" for n in range(size.members)]
    await put(
        "members",
        "id name handle email role timezone",
        (
            (
                crowd.id("member", n),
                name,
                f"m{n}",
                f"m{n}@{crowd.number}",
                "admin" if n == 0 else "member",
                "UTC",
            )
            for n, name in enumerate(names)
        ),
    )
    await put("agents", "id handle name", iter([(crowd.id("agent", 0), "ray", "Ray")]))
    await put("teams", "id name", ((crowd.id("team", n), f"Team {n}") for n in range(crowd.teams)))
    await put(
        "team_members",
        "team_id member_id role",
        (
            (
                crowd.id("team", n % crowd.teams),
                crowd.id("member", n),
                "admin" if n < crowd.teams else "member",
            )
            for n in range(size.members)
        ),
    )
    await put(
        "projects",
        "id team_id key name last_task",
        (
            (crowd.id("project", n), crowd.id("team", n % crowd.teams), f"P{n}", f"Project {n}", 1_000)
            for n in range(size.projects)
        ),
    )
    await put(
        "project_members",
        "project_id member_id role",
        (
            (crowd.id("project", p), crowd.id("member", n), "member" if place else "admin")
            for n in range(size.members)
            for place, p in enumerate(crowd.projects_of(n))
        ),
    )
    kinds = ("public", "public", "private", "announcement")
    await put(
        "channels",
        "id name kind",
        (
            (crowd.id("channel", n), f"channel-{n}" if n else "general", kinds[n % 4])
            for n in range(size.channels)
        ),
    )
    await put(
        "channel_members",
        "channel_id member_id role",
        (
            (crowd.id("channel", c), crowd.id("member", n), "admin" if n == c % size.members else "member")
            for n in range(size.members)
            for c in crowd.channels_of(n)
        ),
    )
    await put(
        "conversations",
        "id kind name",
        ((crowd.id("conversation", n), "group", f"group {n}") for n in range(crowd.conversations)),
    )
    await put(
        "conversation_members",
        "conversation_id member_id",
        (
            (crowd.id("conversation", n), crowd.id("member", member))
            for n in range(crowd.conversations)
            for member in {n % size.members, n * 7 % size.members, (n * 13 + 1) % size.members}
        ),
    )
    visibilities = ("project", "team", "workspace", "private", "project")
    await put(
        "docs",
        "id project_id team_id owner_id title body visibility",
        (
            (
                crowd.id("doc", n),
                crowd.id("project", n // 5),
                crowd.id("team", n // 5 % crowd.teams),
                crowd.id("member", int(dice.random() * size.members)),
                _BODIES[n % MOST_COMMON][:60],
                "\n\n".join(dice.choices(_BODIES, k=12)),
                visibilities[n % 5],
            )
            for n in range(crowd.docs)
        ),
    )
