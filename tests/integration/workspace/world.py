"""Workspaces to test on: people, places and work, put straight into the tables as their owner."""

import random
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta
from itertools import chain
from typing import Any
from uuid import UUID

import asyncpg
import msgspec
from sqlalchemy import event

from handraise.common.ids import new_id
from handraise.workspace.database import Database
from handraise.workspace.words import (
    ChannelKind,
    ConversationKind,
    MemberRole,
    MemberStatus,
    Role,
    Visibility,
)
from tests.support.databases import DatabaseForTest

JSON = ("arguments", "preview", "receipt")


class World:
    """One workspace that is being furnished. Every `add_*` returns the new row's id."""

    def __init__(self, connection: asyncpg.Connection, workspace_id: UUID) -> None:
        self._connection = connection
        self.id = workspace_id

    async def put(self, table: str, **values: Any) -> UUID:
        """Insert a row, with an id where the table has one."""
        row = {"workspace_id": self.id, **values}
        names = ", ".join(row)
        marks = ", ".join(f"${n}" for n in range(1, len(row) + 1))
        given = [msgspec.json.encode(v).decode() if k in JSON else v for k, v in row.items()]
        await self._connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", *given)
        id: UUID = row.get("id", self.id)
        return id

    async def value(self, sql: str, *given: Any) -> Any:
        """Fetch one value, as the owner set to this workspace."""
        return await self._connection.fetchval(sql, *given)

    async def run(self, sql: str, *given: Any) -> None:
        """Execute, as the owner set to this workspace."""
        await self._connection.execute(sql, *given)

    async def member(
        self, name: str, role: str = MemberRole.MEMBER, status: str = MemberStatus.ACTIVE
    ) -> UUID:
        handle = f"{name.lower()}{new_id().hex[-6:]}"
        return await self.put(
            "members",
            id=new_id(),
            name=name,
            handle=handle,
            email=f"{handle}@example.org",
            role=role,
            status=status,
            timezone="Europe/Berlin",
        )

    async def team(self, name: str) -> UUID:
        return await self.put("teams", id=new_id(), name=name)

    async def project(
        self, key: str, name: str, *, admins: Sequence[UUID] = (), members: Sequence[UUID] = ()
    ) -> UUID:
        id = await self.put("projects", id=new_id(), key=key, name=name, last_task=117)
        await self.join("project", id, admins, members)
        return id

    async def task(self, project_id: UUID, number: int, title: str, **values: Any) -> UUID:
        return await self.put(
            "tasks", id=new_id(), project_id=project_id, number=number, title=title, **values
        )

    async def channel(
        self,
        name: str,
        kind: str = ChannelKind.PUBLIC,
        *,
        admins: Sequence[UUID] = (),
        members: Sequence[UUID] = (),
    ) -> UUID:
        id = await self.put("channels", id=new_id(), name=name, kind=kind)
        await self.join("channel", id, admins, members)
        return id

    async def join(self, what: str, id: UUID, admins: Sequence[UUID], members: Sequence[UUID]) -> None:
        """Make members of a team, project or channel."""
        for role, people in ((Role.ADMIN, admins), (Role.MEMBER, members)):
            for person in people:
                await self.put(f"{what}_members", **{f"{what}_id": id, "member_id": person, "role": role})

    async def conversation(self, kind: str, members: list[UUID], **values: Any) -> UUID:
        id = await self.put("conversations", id=new_id(), kind=kind, **values)
        for person in members:
            await self.put("conversation_members", conversation_id=id, member_id=person)
        return id

    async def message(self, surface: str, place_id: UUID, body: str, **values: Any) -> UUID:
        return await self.put(
            "messages", id=new_id(), surface=surface, place_id=place_id, body=body, **values
        )

    async def doc(self, owner_id: UUID, visibility: str, title: str = "Plan", **values: Any) -> UUID:
        return await self.put(
            "docs", id=new_id(), owner_id=owner_id, visibility=visibility, title=title, **values
        )

    async def reminder(self, member_id: UUID, text: str, **values: Any) -> UUID:
        due_at = datetime.now(UTC) + timedelta(days=365)
        given = {"due_at": due_at, "zone": "Europe/Berlin", **values}
        return await self.put("reminders", id=new_id(), member_id=member_id, text=text, **given)

    async def agent(self, handle: str = "ray") -> UUID:
        return await self.put("agents", id=new_id(), handle=f"{handle}{new_id().hex[-6:]}", name=handle)

    async def job(self, member_id: UUID, **values: Any) -> UUID:
        return await self.put(
            "jobs",
            **{
                "id": new_id(),
                "agent_id": new_id(),
                "member_id": member_id,
                "surface": "dm",
                "place_id": new_id(),
                "message_id": new_id(),
                "prompt": "do it",
                "fence": "f",
                **values,
            },
        )

    async def request(self, job_id: UUID, member_id: UUID, kind: str, call: int = 0) -> UUID:
        id: UUID = await self._connection.fetchval(
            """INSERT INTO requests (id, workspace_id, job_id, round, call, kind, agent_id, member_id, surface,
                 place_id, text, expires_at)
               VALUES ($1, $2, $3, 1, $4, $5, $1, $6, 'dm', $1, 'Which?', now() + interval '1 hour') RETURNING id""",
            new_id(),
            self.id,
            job_id,
            call,
            kind,
            member_id,
        )
        return id

    async def action(self, job_id: UUID, request_id: UUID, tool: str, arguments: dict[str, Any]) -> UUID:
        return await self.put(
            "actions",
            id=new_id(),
            job_id=job_id,
            request_id=request_id,
            tool=tool,
            arguments=arguments,
            digest="-",
            preview={},
        )

    async def counts(self) -> dict[str, Any]:
        """Count the rows that a write could add, add up the versions it could count up, digest who is in what."""
        row = await self._connection.fetchrow(
            """SELECT (SELECT count(*) FROM tasks WHERE workspace_id = $1) AS tasks,
                     (SELECT sum(version) FROM tasks WHERE workspace_id = $1) AS changes,
                     (SELECT count(*) FROM messages WHERE workspace_id = $1) AS messages,
                     (SELECT count(*) FROM docs WHERE workspace_id = $1) AS docs,
                     (SELECT sum(version) FROM docs WHERE workspace_id = $1) AS editions,
                     (SELECT count(*) FROM doc_revisions WHERE workspace_id = $1) AS revisions,
                     (SELECT count(*) FROM conversations WHERE workspace_id = $1) AS conversations,
                     (SELECT count(*) FROM projects WHERE workspace_id = $1) AS projects,
                     (SELECT count(*) FROM channels WHERE workspace_id = $1) AS channels,
                     (SELECT count(*) FROM teams WHERE workspace_id = $1) AS teams,
                     (SELECT count(*) FROM reminders WHERE workspace_id = $1 AND status = 'set') AS reminders,
                     (SELECT md5(string_agg(member_id::text || role, ',' ORDER BY member_id, role)) FROM (
                       SELECT member_id, role FROM team_members WHERE workspace_id = $1
                       UNION ALL SELECT member_id, role FROM project_members WHERE workspace_id = $1
                       UNION ALL SELECT member_id, role FROM channel_members WHERE workspace_id = $1
                       UNION ALL SELECT id, role || status FROM members WHERE workspace_id = $1
                     ) m) AS memberships,
                     (SELECT sum(last_task) FROM projects WHERE workspace_id = $1) AS numbers""",
            self.id,
        )
        assert row is not None
        return dict(row)


@asynccontextmanager
async def new_world(database: DatabaseForTest, name: str = "Acme") -> AsyncIterator[World]:
    """Lend a workspace of the test's own in `database`."""
    connection = await asyncpg.connect(database.owner_dsn)
    try:
        id = new_id()
        await connection.execute("SELECT set_config('handraise.workspace', $1, false)", str(id))
        await connection.execute(
            "INSERT INTO workspaces (id, slug, name) VALUES ($1, $2, $3)", id, f"acme-{id.hex}", name
        )
        yield World(connection, id)
    finally:
        await connection.close()


class Random(msgspec.Struct):
    """What a random workspace holds."""

    people: list[UUID]
    subjects: dict[str, list[UUID]]  # kind to ids


async def furnish(world: World, seed: int) -> Random:
    """Fill a workspace with every kind of person, place and work, related at random."""
    dice = random.Random(seed)
    people = [
        await world.member(
            f"P{n}",
            list(MemberRole)[n % 3],
            MemberStatus.DEACTIVATED if n % 4 == 3 else MemberStatus.ACTIVE,
        )
        for n in range(9)
    ]

    def some() -> tuple[list[UUID], list[UUID]]:
        chosen = dice.sample(people, dice.randint(0, 6))
        cut = dice.randint(0, len(chosen))
        return chosen[:cut], chosen[cut:]

    made: dict[str, list[UUID]] = {
        k: [] for k in ("team", "project", "task", "channel", "conversation", "doc")
    }
    for n in range(2):
        team = await world.team(f"Team {n}")
        await world.join("team", team, *some())
        made["team"].append(team)
    for n in range(3):
        admins, members = some()
        project = await world.project(f"P{n}", f"Project {n}", admins=admins, members=members)
        made["project"].append(project)
        made["task"].append(await world.task(project, 1, "A task"))
    for n, kind in enumerate([*ChannelKind, *ChannelKind]):
        admins, members = some()
        made["channel"].append(await world.channel(f"c{n}", kind, admins=admins, members=members))
    for n in range(3):
        made["conversation"].append(
            await world.conversation(ConversationKind.GROUP, [*chain(*some())], name=f"g{n}")
        )
        made["conversation"].append(await world.conversation(ConversationKind.DM, dice.sample(people, 2)))
    for visibility in Visibility:
        for _ in range(3):
            made["doc"].append(
                await world.doc(
                    dice.choice(people),
                    visibility,
                    project_id=dice.choice([None, *made["project"]]),
                    team_id=dice.choice([None, *made["team"]]),
                )
            )
    return Random(people, made)


@contextmanager
def statements_of(db: Database) -> Iterator[list[str]]:
    """Collect what `read` and `write` send in the block: each statement, and where a transaction begins and ends."""
    sent: list[str] = []
    engine = db.engine.sync_engine

    def on_statement(_: Any, __: Any, statement: str, *___: Any) -> None:
        sent.append(statement)

    def on_begin(connection: Any) -> None:
        if connection.get_execution_options().get("isolation_level") != "AUTOCOMMIT":
            sent.append("BEGIN")

    def on_commit(_: Any) -> None:
        sent.append("COMMIT")

    hooks: dict[str, Callable[..., Any]] = {
        "before_cursor_execute": on_statement,
        "begin": on_begin,
        "commit": on_commit,
    }
    for name, hook in hooks.items():
        event.listen(engine, name, hook)
    try:
        yield sent
    finally:
        for name, hook in hooks.items():
            event.remove(engine, name, hook)
