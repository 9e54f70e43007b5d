"""Story 5: an agent can never do more than its person could by hand, and says which right is missing."""

import pytest

from handraise.dev.client import Refused
from handraise.dev.sample import WORKSPACE_ID, sample_id
from tests.integration.stories.conftest import FIXED, TOLD
from tests.support.records import Records, announce_rights
from tests.support.stack import House
from tests.support.talk import Talk

WISH = "@ray find my task about the login bug and mark it as done"
MISSING = (
    "Only an admin of the project Atlas may change this task; Ben Okafor is a member. "
    "Ada Lindqvist is an admin."
)

pytestmark = pytest.mark.usefixtures("as_loaded")


async def test_whoever_lacks_the_right_is_told_which_one_in_the_thread(stack: House, owner: Records) -> None:
    async with stack.as_("ben") as ben:
        talk = await Talk.begin(ben, WISH)
        job = await talk.until_ended()
        assert job["requests"] == []
        [notice] = await talk.bodies("notice")
        assert notice == f"Not done: Mark “Fix login bug” done. {MISSING}"
        assert MISSING in (job["final"] or "")
        assert (await ben.task(FIXED))["status"] == "in_review"
        by_hand = await ben.http.patch(f"/api/tasks/{FIXED}", json={"status": "done"})
        assert by_hand.status_code == 403
        assert by_hand.json()["detail"] == MISSING
    rows = await owner.rows(
        "SELECT tag, verdict, reason FROM audit WHERE subject_id = $1::uuid AND actor_id = $2 ORDER BY at",
        FIXED,
        sample_id("member", "ben"),
    )
    assert rows
    assert {(row["tag"], row["verdict"], row["reason"]) for row in rows} == {
        ("task:status", "refused", MISSING)
    }


async def test_a_right_that_was_lost_since_the_proposal_refuses_its_confirmation(
    stack: House, owner: Records
) -> None:
    ada_id, atlas = sample_id("member", "ada"), sample_id("project", "ATL")
    change = "UPDATE project_members SET role = $3 WHERE project_id = $1 AND member_id = $2"
    async with stack.as_("ada") as ada:
        talk = await Talk.begin(ada, WISH)
        proposal = await talk.until_asked()
        try:
            await owner.run(change, atlas, ada_id, "member")
            await announce_rights(stack.nats_url, WORKSPACE_ID)
            with pytest.raises(Refused) as refused:
                await ada.confirm(proposal["action_id"])
        finally:
            await owner.run(change, atlas, ada_id, "admin")
            await announce_rights(stack.nats_url, WORKSPACE_ID)
        assert refused.value.status == 403
        assert "Only an admin of the project Atlas may change this task" in refused.value.problem["detail"]
        assert (await ada.task(TOLD))["status"] == "in_progress"
        # It is open still: whoever gets the right back may confirm it, or reject it as here.
        await ada.reject(proposal["action_id"])
        await talk.until_ended()
    refusals = await owner.value(
        "SELECT count(*) FROM audit WHERE subject_id = $1::uuid AND verdict = 'refused'", proposal["id"]
    )
    assert refusals == 1
