"""Stopping a job wherever it stands, and starting a failed one anew."""

from uuid import UUID

from handraise.common.bus import subjects
from handraise.common.bus.messages import Run
from handraise.common.ids import derive
from handraise.common.problems import Problem, not_found
from handraise.common.questions import Answer, Outcome
from handraise.gateway import answering, talking
from handraise.gateway.state import Gateway, Signed
from handraise.gateway.talking import Posted
from handraise.gateway.unseen import may_read
from handraise.workspace.policy import Act, SubjectKind
from handraise.workspace.words import JobStatus, Surface


async def stop(gateway: Gateway, who: Signed, job_id: UUID) -> str:
    """Stop a job. Noted in the database first, so that it holds when no runner has the job.

    Raises Problem 404, 403, or 409 `already_ended`.
    """
    job = await gateway.store.job(who.workspace_id, job_id)
    if job is None:
        raise not_found("job")
    try:
        await gateway.permit(who, Act.JOB_STOP, SubjectKind.JOB, job_id)
    except Problem as problem:
        place = job.place
        if problem.status == 403 and not await may_read(gateway, who, Surface(place.surface), place.place_id):
            raise not_found("job") from None
        raise
    stood = await gateway.store.stop(who.workspace_id, job_id, who.member_id)
    if stood is None:
        raise Problem(409, "already_ended", "This work has ended already; there is nothing to stop.")
    status, waiting = stood
    if status is not JobStatus.PARKED or not await _cancelled_one(gateway, who, waiting):
        await gateway.bus.connection.publish(subjects.ctl_job(job_id), b"stop")
    return "stopping"


async def _cancelled_one(gateway: Gateway, who: Signed, waiting: list[UUID]) -> bool:
    """Cancel one of a parked job's requests: that wakes it, and it finds that it is to stop.

    Of those that were answered just now each wakes it as well, so losing a race to an answer is no harm.
    """
    for request_id in waiting:
        try:
            await answering.outcome(gateway, who, request_id, Answer(Outcome.CANCEL, None, ""), via="job")
        except Problem as problem:
            if problem.code != "already_answered":
                raise
        else:
            return True
    return False


async def retry(gateway: Gateway, who: Signed, job_id: UUID) -> Posted:
    """Start the work of a job that failed or was stopped anew, as whoever retries it and started it.

    Raises Problem 404, 403, or 409 `not_ended`.
    """
    job = await gateway.store.job(who.workspace_id, job_id)
    if job is None or job.member_id != who.member_id:
        raise not_found("job")
    if job.status not in (JobStatus.FAILED, JobStatus.STOPPED):
        raise Problem(
            409,
            "not_ended",
            f"This work is {job.status.value}; only failed or stopped work can be tried again.",
        )
    right = talking.RIGHTS[Surface(job.place.surface)]
    await gateway.permit(who, right[0], right[1], job.place.place_id)
    run = Run(
        workspace_id=who.workspace_id,
        job_id=derive(job_id, "retry"),
        message_id=job.message_id,
        agent_id=job.agent_id,
        member_id=who.member_id,
        place=job.place,
        body=job.prompt,
        at=gateway.clock(),
    )
    await talking.start(gateway, run)
    return Posted(job.message_id, job.place.thread_id, run.job_id)
