"""Story 1: “find my task about the login bug and mark it as done”. It reads, proposes, and a person confirms."""

import pytest

from tests.integration.stories.conftest import TOLD
from tests.support.records import Records
from tests.support.stack import House
from tests.support.talk import Talk, tools_of

WISH = "@ray find my task about the login bug and mark it as done"

pytestmark = pytest.mark.usefixtures("as_loaded")


async def test_reads_run_by_themselves_and_the_write_waits_for_a_click(stack: House) -> None:
    async with stack.as_("ada") as ada:
        talk = await Talk.begin(ada, WISH)
        proposal = await talk.until_asked()
        job = await ada.job(talk.job)
        assert job["status"] == "parked"
        assert tools_of(job)[-1] == "update_task_status"
        assert {c["status"] for r in job["rounds"][:-1] for c in r["calls"]} == {"ran"}
        assert proposal["kind"] == "approval"
        assert proposal["tool"] == "update_task_status"
        assert proposal["arguments"] == {"task_id": TOLD, "status": "done"}
        assert (await ada.task(TOLD))["status"] == "in_progress"

        await ada.confirm(proposal["action_id"])
        job = await talk.until_ended()
        assert job["status"] == "done"
        assert (await ada.task(TOLD))["status"] == "done"
        receipt = job["requests"][0]["receipt"]
        assert receipt["title"] == "Marked “Tell customers about the login bug” done"
        assert receipt["ids"]["task"] == TOLD
        [final] = await talk.bodies("final")
        assert "marked “tell customers about the login bug” done" in final.casefold()
        # The card with its receipt stands in the thread, once.
        cards = [m for m in await talk.said() if m["request_id"] == proposal["id"]]
        assert [card["kind"] for card in cards] == ["proposal"]


async def test_a_rejected_proposal_changes_nothing_and_the_agent_says_so(stack: House) -> None:
    async with stack.as_("ada") as ada:
        talk = await Talk.begin(ada, WISH)
        proposal = await talk.until_asked()
        await ada.reject(proposal["action_id"], "not before Friday")
        job = await talk.until_ended()
        assert job["status"] == "done"
        assert (await ada.task(TOLD))["status"] == "in_progress"
        assert job["requests"][0]["action_status"] == "rejected"
        assert job["requests"][0]["reason"] == "not before Friday"
        [final] = await talk.bodies("final")
        assert "nothing was changed" in final.casefold()


async def test_the_whole_way_stands_in_the_audit_in_order(stack: House, owner: Records) -> None:
    async with stack.as_("ada") as ada:
        talk = await Talk.begin(ada, WISH)
        proposal = await talk.until_asked()
        await ada.confirm(proposal["action_id"])
        await talk.until_ended()
    assert await owner.audit(talk.job) == [
        ("job:start", "allowed"),
        ("action:propose", "allowed"),
        ("action:confirm", "allowed"),
        ("task:status", "allowed"),
        ("job:done", "allowed"),
    ]
