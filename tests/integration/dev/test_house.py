"""The four services together, spoken with as the people of the sample workspace."""

import pytest

from tests.support.client import Refused, Routes, person, sample_id, signed_in
from tests.support.stack import House


async def test_who_speaks_with_the_agent_is_answered_in_the_thread(stack: House) -> None:
    async with stack.as_("ada") as ada:
        posted = await ada.post("release", "@ray hello!")
        job = await ada.until_job(posted.job)
        messages = await ada.thread("release", posted.root)
    assert job["status"] == "done"
    assert [(message["author"], message["agent"]) for message in messages] == [
        ("Ada Lindqvist", None),
        (None, "ray"),
    ]
    assert messages[-1]["body"] == job["final"]


async def test_a_guest_goes_only_where_she_was_let_in(stack: House) -> None:
    async with stack.as_("eve") as eve:
        channels = {channel["name"] for channel in await eve.get(Routes.CHANNELS)}
        with pytest.raises(Refused) as refused:
            await eve.task(str(sample_id("task", "ATL-118")))
    assert channels == {"general", "announcements"}
    assert refused.value.status == 404


async def test_nobody_gets_in_with_a_wrong_password(stack: House) -> None:
    ada = person("ada")
    wrong = type(ada)(name=ada.name, email=ada.email, password="ada-acts-first", role=ada.role)
    with pytest.raises(Refused) as refused:
        async with signed_in(stack.url, wrong):
            pytest.fail("she is in")
    assert refused.value.status == 401
