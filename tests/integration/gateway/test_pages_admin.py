"""What admins alone may see and do, on their pages."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID, uuid4

import nats
from nats.js import JetStreamContext

from handraise.common.bus.messages import DeadLetter, encode
from handraise.dev.sample import WORKSPACE_ID
from tests.integration.gateway.browsing import browsing
from tests.support.stack import House

LIST = "/admin/dead-letters"


@asynccontextmanager
async def jetstream(stack: House) -> AsyncIterator[JetStreamContext]:
    connection = await nats.connect(stack.nats_url)
    try:
        yield connection.jetstream()
    finally:
        await connection.close()


async def a_letter(js: JetStreamContext, reason: str, workspace_id: UUID = WORKSPACE_ID) -> int:
    """Let a message of a workspace end with the dead letters; return its number."""
    subject = f"evt.{workspace_id}.nothing.{uuid4()}"
    letter = DeadLetter(
        subject=subject, reason=reason, deliveries=6, consumer="notifier", headers={}, body='{"<b>": 1}'
    )
    return (await js.publish(f"dlq.{subject}", encode(letter), stream="DLQ")).seq


async def test_an_admin_sees_why_a_message_was_not_handled_and_has_it_handled_again(stack: House) -> None:
    reason = f"no such place {uuid4().hex}"
    async with jetstream(stack) as js, browsing(stack, "ada") as ada:
        seq = await a_letter(js, reason)
        page = await ada.page(LIST)
        assert reason in page
        assert "delivered 6 times" in page
        assert "{&#34;&lt;b&gt;&#34;: 1}" in page
        page = await ada.sent(f"{LIST}/{seq}/replay", back=LIST)
        assert "Replayed." in page
        assert reason not in page
        assert "The letter is not on the list any more." in await ada.sent(f"{LIST}/{seq}/replay", back=LIST)


async def test_a_letter_of_another_workspace_is_not_there(stack: House) -> None:
    reason = f"of others {uuid4().hex}"
    async with jetstream(stack) as js, browsing(stack, "ada") as ada:
        seq = await a_letter(js, reason, uuid4())
        assert reason not in await ada.page(LIST)
        assert "Not replayed." in await ada.sent(f"{LIST}/{seq}/replay", back=LIST)
        assert (await js.get_msg("DLQ", seq)).data


async def test_dead_letters_are_for_admins_of_the_workspace_alone(stack: House) -> None:
    async with jetstream(stack) as js, browsing(stack, "ben") as ben:
        seq = await a_letter(js, f"hidden {uuid4().hex}")
        assert LIST not in await ben.page("/")
        answer = await ben.get(LIST)
        assert answer.status_code == 403
        assert "hidden" not in answer.text
        assert "Not permitted." in await ben.sent(f"{LIST}/{seq}/replay", back="/tasks")
        assert (await js.get_msg("DLQ", seq)).data
    async with browsing(stack, "ada") as ada:
        assert LIST in await ada.page("/")
        assert LIST in await ada.page("/more")
