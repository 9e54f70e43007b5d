"""What a person writes: stored once, handed to the agent it speaks to, or taken as the answer it is."""

import secrets
from uuid import UUID

import msgspec
from sqlalchemy import func, select

from handraise.common.bus import subjects
from handraise.common.bus.live import topics
from handraise.common.bus.messages import Live, Place, Run
from handraise.common.ids import derive, new_id
from handraise.common.problems import Problem, not_found
from handraise.common.questions import EmptyReply, match, parse
from handraise.gateway import answering, texts
from handraise.gateway.agents import Agent, speaks_to_somebody_else
from handraise.gateway.state import Gateway, Signed
from handraise.workspace.jobs import Said
from handraise.workspace.policy import Act, SubjectKind
from handraise.workspace.schema import messages, requests
from handraise.workspace.words import JobStatus, Surface

# What somebody must be allowed to do to write on a surface.
RIGHTS = {
    Surface.CHANNEL_THREAD: (Act.CHANNEL_POST, SubjectKind.CHANNEL),
    Surface.TASK: (Act.TASK_COMMENT, SubjectKind.TASK),
    Surface.DM: (Act.DM_SEND, SubjectKind.CONVERSATION),
    Surface.GROUP: (Act.GROUP_POST, SubjectKind.CONVERSATION),
}


class Posted(msgspec.Struct, frozen=True):
    """What became of a message."""

    message_id: UUID
    thread_id: UUID | None
    job_id: UUID | None = None
    request_id: UUID | None = None  # the question it answered


async def post(
    gateway: Gateway,
    who: Signed,
    surface: Surface,
    place_id: UUID,
    thread_id: UUID | None,
    body: str,
    message_id: UUID | None = None,
) -> Posted:
    """Post a message as a person; the same `message_id` is posted once, however often it is sent.

    Raises Problem: 422 for a text that can't be posted, 403 with the missing right, 409 `which_question`
    when it could answer several, 409 `message_id_taken` when that id is of something else, 503 while the
    permissions service or the bus can't be reached.
    """
    check_text(body)
    right = RIGHTS.get(surface)
    if right is None:
        raise not_found("place")
    await gateway.permit(who, right[0], right[1], place_id)
    place = Place(surface.value, place_id, thread_id)
    if message_id and (before := await _posted_before(gateway, who, place, body, message_id)):
        return before
    message_id = message_id or new_id()
    answered = await _as_answer(gateway, who, place, body, message_id)
    if answered:
        return answered
    agent = await _agent(gateway, who, surface, place_id, body)
    if agent:
        return await _to_agent(gateway, who, place, body, message_id, agent)
    await _say(gateway, who, place, body, message_id, right[0])
    return Posted(message_id, thread_id or _own_thread(place, message_id))


def check_text(body: str) -> None:
    """Raise Problem 422 for a text that is empty, too long, or that no database can hold."""
    if not any(character.isprintable() and not character.isspace() for character in body):
        raise Problem(422, "empty_message", "Write something first: the message is empty.")
    texts.check(body, "message")


async def _posted_before(
    gateway: Gateway, who: Signed, place: Place, body: str, message_id: UUID
) -> Posted | None:
    """Return what became of a message that is sent again. Raises Problem 409 when its id is another's."""
    m = messages.c
    async with gateway.db.read(who.workspace_id) as connection:
        found = await connection.execute(
            select(
                m.author_id,
                m.surface,
                m.place_id,
                m.thread_id,
                m.body,
                m.request_id,
                func.coalesce(m.job_id, requests.c.job_id).label("job_id"),
            )
            .select_from(messages.outerjoin(requests, requests.c.id == m.request_id))
            .where(m.id == message_id)
        )
        row = found.first()
    if row is None:
        return None
    own = _own_thread(place, message_id)
    same = (row.author_id, row.surface, row.place_id, row.thread_id or own, row.body)
    if same != (who.member_id, place.surface, place.place_id, place.thread_id or own, body):
        raise Problem(
            409,
            "message_id_taken",
            "This message_id was used for another message. Send this one with an id of its own.",
        )
    return Posted(message_id, place.thread_id or own, row.job_id, row.request_id)


async def _as_answer(
    gateway: Gateway, who: Signed, place: Place, body: str, message_id: UUID
) -> Posted | None:
    """Take a reply as the answer to the question that waits in the same thread, if one does."""
    if place.surface == Surface.CHANNEL_THREAD and place.thread_id is None:
        return None
    if speaks_to_somebody_else(body):
        return None
    waiting = await gateway.store.open_questions(who.workspace_id, place, who.member_id)
    if not waiting:
        return None
    try:
        matched = [(row, match(parse(row["text"]), body)) for row in waiting]
    except EmptyReply:
        return None  # a quotation and nothing else: talk, not an answer
    if len(matched) > 1:
        exact = [(row, answer) for row, answer in matched if answer.option is not None]
        if len(exact) != 1:
            asked = [parse(row["text"]).text for row in waiting]
            raise Problem(
                409,
                "which_question",
                "Several questions wait here and this could answer more than one. Answer on the card you mean.",
                title="Which question do you mean?",
                questions=asked,
            )
        matched = exact
    row, answer = matched[0]
    await answering.outcome(gateway, who, row["id"], answer, via="thread")
    await _say(gateway, who, place, body, message_id, RIGHTS[Surface(place.surface)][0], row["id"])
    return Posted(message_id, place.thread_id, row["job_id"], row["id"])


async def _agent(gateway: Gateway, who: Signed, surface: Surface, place_id: UUID, body: str) -> Agent | None:
    if surface is Surface.DM:
        return await gateway.agents.partner(who.workspace_id, place_id)
    return await gateway.agents.mentioned(who.workspace_id, body)


async def _to_agent(
    gateway: Gateway, who: Signed, place: Place, body: str, message_id: UUID, agent: Agent
) -> Posted:
    thread_id = place.thread_id or _own_thread(place, message_id)
    run = Run(
        workspace_id=who.workspace_id,
        job_id=derive(message_id, "job", who.workspace_id.hex),
        message_id=message_id,
        agent_id=agent.id,
        member_id=who.member_id,
        place=msgspec.structs.replace(place, thread_id=thread_id),
        body=body,
        at=gateway.clock(),
    )
    await start(gateway, run)
    return Posted(message_id, thread_id, run.job_id)


async def start(gateway: Gateway, run: Run) -> None:
    """Start a job: first on the bus, which keeps it whatever happens to us, then in the database.

    The command carries the message, so a runner stores both when we do not get to it.
    """
    subject = subjects.cmd_run(run.workspace_id, run.job_id)
    await gateway.bus.publish(subject, run, id=f"run.{run.job_id}")
    await gateway.store.job_in(run, secrets.token_hex(12), status=JobStatus.QUEUED)
    await gateway.bus.tell(_live(run, "started", run.job_id, run.member_id))


async def _say(
    gateway: Gateway,
    who: Signed,
    place: Place,
    body: str,
    message_id: UUID,
    act: Act,
    request_id: UUID | None = None,
) -> None:
    said = Said(
        id=message_id,
        workspace_id=who.workspace_id,
        place=place,
        author_id=who.member_id,
        body=body,
        at=gateway.clock(),
        request_id=request_id,
    )
    await gateway.store.say(said, act)
    await gateway.bus.tell(_live(said, "posted", None, None))


def _live(of: Run | Said, kind: str, job_id: UUID | None, member_id: UUID | None) -> Live:
    home = ("home",) if member_id else ()
    return Live(
        workspace_id=of.workspace_id,
        kind=kind,
        topics=(*home, *topics(of.place)),
        place=of.place,
        members=(member_id,) if member_id else (),
        job_id=job_id,
        message_id=of.message_id if isinstance(of, Run) else of.id,
    )


def _own_thread(place: Place, message_id: UUID) -> UUID | None:
    """A message in a channel begins its own thread."""
    return message_id if place.surface == Surface.CHANNEL_THREAD else None
