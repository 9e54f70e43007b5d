"""Jobs: what agents did and do, as a timeline each; stopping one, and starting one anew."""

from typing import Any
from uuid import UUID

from litestar import Response, get, post
from litestar.response import Template

from handraise.gateway import jobs as job_control
from handraise.gateway.pages.forms import Form, settled
from handraise.gateway.pages.timeline import job_view
from handraise.gateway.pages.toasts import Toast
from handraise.gateway.pages.visit import PageRequest, Visit, present
from handraise.workspace.views import jobs as views


@get("/jobs")
async def jobs(request: PageRequest, part: str | None = None) -> Template:
    """List the jobs that the reader may see."""
    visit = Visit(request)
    async with visit.read() as connection:
        found = await views.job_lines(connection, visit.who.member_id)
        if part == "list":
            return visit.part("jobs", jobs=found)
        return await visit.page(connection, "jobs", here="jobs", jobs=found)


@get("/jobs/{job_id:uuid}")
async def job(request: PageRequest, job_id: UUID, part: str | None = None) -> Template:
    """Show a job as a timeline."""
    visit = Visit(request)
    async with visit.read() as connection:
        found = present(await views.job_page(connection, visit.who.member_id, job_id))
        laid_out = job_view(found, visit.who.member_id, visit.times)
        if part == "timeline":
            return visit.part("job", job=laid_out)
        return await visit.page(connection, "job", here="jobs", topics=[f"job-{job_id}"], job=laid_out)


@post("/jobs/{job_id:uuid}/stop")
async def stop(request: PageRequest, job_id: UUID) -> Response[Any]:
    """Stop a job wherever it stands."""
    form = await Form.of(request)
    visit = Visit(request)

    async def stopped() -> Toast:
        await job_control.stop(visit.gateway, visit.who, job_id)
        return Toast("Stopping.", "Nothing more is done after the step it is in.")

    return await settled(request, form, stopped())


@post("/jobs/{job_id:uuid}/retry")
async def retry(request: PageRequest, job_id: UUID) -> Response[Any]:
    """Start the work of a failed or stopped job anew, and follow it."""
    form = await Form.of(request)
    visit = Visit(request)
    target = form.back

    async def started() -> None:
        nonlocal target
        target = f"/jobs/{(await job_control.retry(visit.gateway, visit.who, job_id)).job_id}"

    return await settled(request, form, started(), target=lambda: target)


routes = [jobs, job, stop, retry]
