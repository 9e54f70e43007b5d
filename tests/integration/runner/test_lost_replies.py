"""A statement that was done while its reply was lost is done once, and what follows from it is still told."""

from typing import Any

import pytest

from handraise.dev.client import Client
from handraise.workspace.jobs import JobStore
from tests.support.scripted import ScriptedChat, asks, calls
from tests.support.talk import Talk


def lose_the_reply(monkeypatch: pytest.MonkeyPatch, stage: str) -> list[str]:
    """Have the stage's first statement done twice: its connection broke after the commit, and it was tried again."""
    lost: list[str] = []
    real = getattr(JobStore, stage)

    async def twice(self: JobStore, *args: Any, **named: Any) -> Any:
        if not lost:
            lost.append(stage)
            await real(self, *args, **named)
        return await real(self, *args, **named)

    monkeypatch.setattr(JobStore, stage, twice)
    return lost


@pytest.mark.parametrize("stage", ["keep_round", "park", "finish"])
async def test_a_job_goes_on_where_the_reply_of_its_own_write_was_lost(
    stage: str, ada: Client, chat: ScriptedChat, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat.plays(calls(("list_my_tasks", {})), asks("Which?", "a", "b"), "So it stands.")
    lost = lose_the_reply(monkeypatch, stage)
    talk = await Talk.begin(ada, "@ray paint it")
    question = await talk.until_asked()
    await ada.answer(question["id"], option="a")
    job = await talk.until_ended()
    assert lost == [stage]
    assert (job["status"], job["final"], len(job["rounds"])) == ("done", "So it stands.", 3)
    assert len(await talk.bodies("question")) == 1
    assert await talk.bodies("final") == ["So it stands."]
