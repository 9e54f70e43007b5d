"""What stood on a surface before a job began, as far as its person may read it."""

from collections.abc import Sequence

from sqlalchemy import func, literal, select

from handraise.workspace import gates
from handraise.workspace.database import Database
from handraise.workspace.jobs import JobState
from handraise.workspace.schema import agents, channels, conversations, members, messages, projects, tasks
from handraise.workspace.words import MessageKind, Surface

_LIMIT = 20  # messages
_TALK = (MessageKind.TEXT, MessageKind.FINAL, MessageKind.ANSWER)


class SurfaceContext:
    """Reads it, one gated statement each."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def before(self, job: JobState) -> Sequence[tuple[str, str]]:
        """Return (author, text) of earlier messages that the job's person may read, oldest first."""
        place = job.place
        if place.surface == Surface.CHANNEL_THREAD and place.thread_id == job.message_id:
            return ()  # the job's own message began the thread
        gate = _GATES[Surface(place.surface)](job)
        name = func.coalesce(members.c.name, literal("@") + agents.c.handle, literal("somebody"))
        statement = (
            select(name, messages.c.body)
            .outerjoin(members, members.c.id == messages.c.author_id)
            .outerjoin(agents, agents.c.id == messages.c.agent_id)
            .where(
                messages.c.place_id == place.place_id,
                messages.c.id != job.message_id,
                messages.c.created_at < job.created_at,
                messages.c.kind.in_([k.value for k in _TALK]),
                gate,
            )
            .order_by(messages.c.created_at.desc(), messages.c.id.desc())
            .limit(_LIMIT)
        )
        if place.thread_id:
            statement = statement.where(
                (messages.c.thread_id == place.thread_id) | (messages.c.id == place.thread_id)
            )
        async with self._db.read(job.workspace_id) as connection:
            rows = (await connection.execute(statement)).all()
            told = [(str(author), str(body)) for author, body in reversed(rows)]
            if place.surface == Surface.TASK:
                task = (await connection.execute(_task(job))).first()
                if task:
                    told.insert(
                        0,
                        ("This task", f"{task[0]}-{task[1]} {task[2]} (id {task[3]}, {task[4]}). {task[5]}"),
                    )
        return told


def _task(job: JobState):  # type: ignore[no-untyped-def]
    return (
        select(projects.c.key, tasks.c.number, tasks.c.title, tasks.c.id, tasks.c.status, tasks.c.description)
        .join(projects, projects.c.id == tasks.c.project_id)
        .where(tasks.c.id == job.place.place_id, gates.may_read_task(job.member_id))
    )


_GATES = {
    Surface.CHANNEL_THREAD: lambda job: (
        select(channels.c.id)
        .where(channels.c.id == messages.c.place_id, gates.may_read_channel(job.member_id))
        .exists()
    ),
    Surface.DM: lambda job: (
        select(conversations.c.id)
        .where(conversations.c.id == messages.c.place_id, gates.may_read_conversation(job.member_id))
        .exists()
    ),
    Surface.TASK: lambda job: (
        select(tasks.c.id)
        .where(tasks.c.id == messages.c.place_id, gates.may_read_task(job.member_id))
        .exists()
    ),
}
_GATES[Surface.GROUP] = _GATES[Surface.DM]
