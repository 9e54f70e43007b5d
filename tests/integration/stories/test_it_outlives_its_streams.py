"""A database that is restored without its streams: what is open there can still be answered."""

import nats

from handraise.common.bus import subjects
from handraise.common.ids import UUID
from tests.support.stack import House
from tests.support.talk import Talk


async def test_a_question_that_the_broker_has_lost_is_parked_again_by_its_answer(stack: House) -> None:
    connection = await nats.connect(stack.nats_url)
    async with stack.as_("ada") as ada:
        talk = await Talk.begin(ada, "@ray ask me: Which colour? red, green or blue")
        question = await talk.until_asked()
        await connection.jetstream().purge_stream("PARK", subject=subjects.park(UUID(question["id"])))
        await ada.answer(question["id"], option="green")
        job = await talk.until_ended()
        assert job["final"] == "You chose green."
    await connection.close()
