"""Reminders on their page: one's own, on one's own clock."""

import re
from uuid import uuid4

from tests.integration.gateway.browsing import browsing
from tests.support.stack import House


async def test_a_reminder_is_set_on_the_clock_of_whoever_sets_it_and_cancelled(stack: House) -> None:
    text = f"Call <them> {uuid4().hex}"
    async with browsing(stack, "chen") as chen:
        page = await chen.sent("/reminders", text=text, at="2027-06-01T09:00")
        assert "Set a reminder for Tue 1 Jun 2027, 09:00." in page
        assert 'datetime="2027-06-01T09:00:00+08:00"' in page
        assert text.replace("<them>", "&lt;them&gt;") in page
        found = re.search(r'action="(/reminders/[0-9a-f-]+/cancel)"', page)
        assert found
        async with browsing(stack, "ben") as ben:
            assert text.partition(" <")[2] not in await ben.page("/reminders")
            assert (await ben.post(found[1], back="/reminders")).status_code == 404
        page = await chen.sent(found[1], back="/reminders")
        assert found[1] not in page
        assert "cancelled, was for" in page
        assert "was cancelled already" in await chen.sent(found[1], back="/reminders")


async def test_a_time_that_is_past_or_none_is_told_and_the_words_are_kept(stack: House) -> None:
    async with browsing(stack, "ben") as ben:
        answer = await ben.post("/reminders", text="Too late", at="2020-01-01T09:00")
        assert answer.status_code == 409
        assert "is past" in answer.text
        assert 'value="Too late"' in answer.text
        assert 'value="2020-01-01T09:00"' in answer.text
        answer = await ben.post("/reminders", text="When", at="soon")
        assert answer.status_code == 422
        answer = await ben.post("/reminders", text=" ", at="2027-06-01T09:00")
        assert answer.status_code == 422
        assert "is empty" in answer.text
