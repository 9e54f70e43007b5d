"""What templates offer to whom, rendered without a database."""

from typing import Any
from uuid import UUID

import pytest

from handraise.gateway.pages.needs import AsideView
from handraise.gateway.pages.templating import environment
from handraise.gateway.state import Signed
from handraise.workspace.views.talk import Work
from handraise.workspace.words import JobStatus, Surface
from tests.unit.gateway.pages import ADA, BEN, JOB, PLACE, ROOT, TIMES, ago


def rendered(name: str, who: Signed, **context: Any) -> str:
    """Render a template as a visit would."""
    template = environment().get_template(name)
    return template.render(who=who, csrf="token", back="/", via="home", t=TIMES, **context)


def signed(member_id: UUID, role: str = "member") -> Signed:
    """Return somebody's session."""
    return Signed(
        member_id=member_id,
        workspace_id=UUID(int=1),
        workspace_name="Acme",
        name="Somebody",
        handle="somebody",
        role=role,
        timezone="Europe/Berlin",
        session_kind="cookie",
        csrf="token",
    )


RUNNING = Work(
    id=JOB,
    status=JobStatus.RUNNING,
    agent="ray",
    runs_as_id=ADA,
    runs_as="Ada",
    message_id=ROOT,
    prompt="@ray what happened in #release?",
    rounds=1,
    max_rounds=8,
    created_at=ago(minutes=1),
    started_at=ago(minutes=1),
    surface=Surface.CHANNEL_THREAD,
    place_id=PLACE,
    thread_id=None,
    place="#release",
)


@pytest.mark.parametrize(
    ("who", "offered"), [(signed(ADA), True), (signed(BEN, "admin"), True), (signed(BEN), False)]
)
def test_work_that_runs_is_stopped_by_whom_it_runs_as_and_by_admins(who: Signed, offered: bool) -> None:
    html = rendered("parts/aside.html", who, aside=AsideView((), (RUNNING,), ()))
    assert (f'action="/jobs/{JOB}/stop"' in html) is offered
    assert "What happened in #release?" in html
