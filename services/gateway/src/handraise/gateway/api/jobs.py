"""Jobs: how they stand, stopping them, trying a failed one again."""

from typing import Any
from uuid import UUID

from litestar import Request, get, post

from handraise.common.problems import not_found
from handraise.gateway import jobs
from handraise.gateway.api.requests import shaped
from handraise.gateway.api.shapes import Job, Posted, Round
from handraise.gateway.auth import signed
from handraise.gateway.state import gateway_of
from handraise.workspace.views import api as views


@get("/jobs/{job_id:uuid}", summary="A job", tags=["jobs"])
async def job(request: Request[Any, Any, Any], job_id: UUID) -> Job:
    """Return a job with its rounds and requests."""
    gateway, who = gateway_of(request), signed(request)
    async with gateway.db.read(who.workspace_id) as connection:
        row = await views.job(connection, who.member_id, job_id)
        if row is None:
            raise not_found("job")
        rounds = await views.rounds(connection, job_id)
        requests = await views.requests_of_job(connection, job_id)
    return Job(**row, rounds=tuple(Round(**r) for r in rounds), requests=tuple(shaped(r) for r in requests))


@post("/jobs/{job_id:uuid}/stop", status_code=202, summary="Stop a job", tags=["jobs"])
async def stop(request: Request[Any, Any, Any], job_id: UUID) -> dict[str, str]:
    """Stop a job, wherever it is: queued, at work, or waiting."""
    return {"status": await jobs.stop(gateway_of(request), signed(request), job_id)}


@post("/jobs/{job_id:uuid}/retry", status_code=202, summary="Try a failed job again", tags=["jobs"])
async def retry(request: Request[Any, Any, Any], job_id: UUID) -> Posted:
    """Start the work of a failed or stopped job anew, from its first message."""
    posted = await jobs.retry(gateway_of(request), signed(request), job_id)
    return Posted(
        message_id=posted.message_id, thread_id=posted.thread_id, job_id=posted.job_id, request_id=None
    )


routes = [job, stop, retry]
