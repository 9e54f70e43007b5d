"""Writes the sample workspace into a database, once."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from handraise.common.clock import utc_now
from handraise.dev.sample import content
from handraise.dev.sample.ids import WORKSPACE_ID, sample_id
from handraise.dev.sample.people import MEMBERS
from handraise.workspace.words import ConversationKind, MessageKind, Role, Surface

if TYPE_CHECKING:
    import asyncpg

Row = dict[str, Any]


async def load(owner_dsn: str, now: datetime | None = None) -> bool:
    """Load Acme as the database's owner, in one transaction. False: it was there already, nothing was touched.

    Moments are reckoned from `now`.
    """
    import asyncpg  # here, so that who only wants to know the people does not wait for it

    connection = await asyncpg.connect(owner_dsn)
    try:
        async with connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock(4242424243)")
            await connection.execute("SELECT set_config('handraise.workspace', $1, true)", str(WORKSPACE_ID))
            if await connection.fetchval("SELECT 1 FROM workspaces WHERE id = $1", WORKSPACE_ID):
                return False
            moment = now or utc_now()
            for table, rows in _tables(moment):
                await _insert(connection, table, rows)
        return True
    finally:
        await connection.close()


async def _insert(connection: "asyncpg.Connection", table: str, rows: list[Row]) -> None:
    columns = list(rows[0])
    places = ", ".join(f"${n}" for n in range(1, len(columns) + 1))
    statement = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places})"
    await connection.executemany(statement, [[row[column] for column in columns] for row in rows])


def _tables(now: datetime) -> Iterable[tuple[str, list[Row]]]:
    """Yield every table's rows, what is referred to before what refers."""
    yield "workspaces", [{"id": WORKSPACE_ID, "slug": "acme", "name": "Acme"}]
    for table, rows in (*_people(), *_projects(now), *_places(), ("messages", _messages(now))):
        yield table, [{**row, "workspace_id": WORKSPACE_ID} for row in rows]


def _people() -> Iterable[tuple[str, list[Row]]]:
    # Imported here: a start that finds the sample loaded does not pay for argon2.
    from handraise.common.passwords import hash_password

    members = [
        {
            "id": sample_id("member", member.handle),
            "email": member.email,
            "name": member.name,
            "handle": member.handle,
            "role": member.role,
            "timezone": member.timezone,
            "password_hash": hash_password(member.password) if member.password else None,
        }
        for member in MEMBERS
    ]
    team = sample_id("team", content.TEAM)
    agent = {
        "id": sample_id("agent", "ray"),
        "handle": "ray",
        "name": "Ray",
        "instructions": "You help the people of Acme with their tasks, docs and channels. Be brief.",
        "tools": list(content.AGENT_TOOLS),
    }
    yield "members", members
    yield "teams", [{"id": team, "name": content.TEAM}]
    yield "team_members", _memberships("team_id", team, content.TEAM_ADMINS, content.TEAM_MEMBERS)
    yield "agents", [agent]


def _projects(now: datetime) -> Iterable[tuple[str, list[Row]]]:
    projects, members = [], []
    for project in content.PROJECTS:
        project_id = sample_id("project", project.key)
        projects.append(
            {
                "id": project_id,
                "team_id": sample_id("team", content.TEAM),
                "key": project.key,
                "name": project.name,
                "description": project.description,
                "last_task": project.last_task,
            }
        )
        members += _memberships("project_id", project_id, project.admins, project.members)
    yield "projects", projects
    yield "project_members", members
    yield "tasks", [_task(task, now) for task in content.TASKS]
    yield "docs", [_doc(doc) for doc in content.DOCS]


def _task(task: content.Task, now: datetime) -> Row:
    project, number = task.key.split("-")
    return {
        "id": sample_id("task", task.key),
        "project_id": sample_id("project", project),
        "number": int(number),
        "title": task.title,
        "description": task.description,
        "status": task.status,
        "assignee_id": sample_id("member", task.assignee) if task.assignee else None,
        "due_at": now + timedelta(hours=task.due) if task.due is not None else None,
        "due_zone": "Europe/Berlin" if task.due is not None else None,
        "created_by": sample_id("member", task.by),
        "created_at": now - timedelta(days=6),
    }


def _doc(doc: content.Doc) -> Row:
    return {
        "id": sample_id("doc", doc.title),
        "project_id": sample_id("project", doc.project) if doc.project else None,
        "team_id": None if doc.project else sample_id("team", content.TEAM),
        "owner_id": sample_id("member", doc.owner),
        "title": doc.title,
        "body": doc.body,
        "visibility": doc.visibility,
    }


def _places() -> Iterable[tuple[str, list[Row]]]:
    everybody = [member.handle for member in MEMBERS]
    channels, members = [], []
    for channel in content.CHANNELS:
        channel_id = sample_id("channel", channel.name)
        channels.append(
            {"id": channel_id, "name": channel.name, "topic": channel.topic, "kind": channel.kind}
        )
        rest = channel.members or [handle for handle in everybody if handle not in channel.admins]
        members += _memberships("channel_id", channel_id, channel.admins, rest)
    yield "channels", channels
    yield "channel_members", members
    ada, ben, chen = (sample_id("member", handle) for handle in ("ada", "ben", "chen"))
    ray = sample_id("agent", "ray")
    with_ray, with_ben, group = (sample_id("conversation", name) for name in ("ada-ray", "ada-ben", "deploy"))
    yield (
        "conversations",
        [
            {
                "id": with_ray,
                "kind": ConversationKind.DM,
                "name": "",
                "agent_id": ray,
                "pair": f"{ada}:{ray}",
            },
            {
                "id": with_ben,
                "kind": ConversationKind.DM,
                "name": "",
                "agent_id": None,
                "pair": _pair(ada, ben),
            },
            {
                "id": group,
                "kind": ConversationKind.GROUP,
                "name": "API deploy",
                "agent_id": None,
                "pair": None,
            },
        ],
    )
    yield (
        "conversation_members",
        [
            {"conversation_id": conversation, "member_id": member}
            for conversation, people in ((with_ray, [ada]), (with_ben, [ada, ben]), (group, [ada, ben, chen]))
            for member in people
        ],
    )


def _messages(now: datetime) -> list[Row]:
    return [
        {
            "id": sample_id("message", message.name),
            "surface": Surface.CHANNEL_THREAD if message.place.startswith("#") else Surface.TASK,
            "place_id": sample_id("channel", message.place[1:])
            if message.place.startswith("#")
            else sample_id("task", message.place),
            "thread_id": sample_id("message", message.to) if message.to else None,
            "author_id": sample_id("member", message.author),
            "kind": MessageKind.TEXT,
            "body": message.body,
            "created_at": now - timedelta(hours=message.ago),
        }
        for message in content.MESSAGES
    ]


def _memberships(column: str, of: object, admins: Iterable[str], members: Iterable[str]) -> list[Row]:
    roles = [(handle, Role.ADMIN) for handle in admins] + [(handle, Role.MEMBER) for handle in members]
    return [{column: of, "member_id": sample_id("member", handle), "role": role} for handle, role in roles]


def _pair(one: object, other: object) -> str:
    return ":".join(sorted((str(one), str(other))))
