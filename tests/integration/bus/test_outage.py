"""An outage is no fault of a message: it is waited for in place, and costs no delivery."""

import asyncio

import asyncpg
import pytest
from nats.errors import NoServersError
from sqlalchemy.exc import DBAPIError

from handraise.common.bus import consume
from handraise.common.bus.consume import Delivery
from handraise.common.bus.messages import Run
from handraise.common.bus.publish import Bus
from handraise.common.outages import is_outage
from tests.integration.bus.conftest import Subscribe, new_run, send


def _wrapped(error: Exception) -> Exception:
    try:
        try:
            raise error
        except Exception as inner:
            raise RuntimeError("deep") from inner
    except RuntimeError as outer:
        return outer


OUTAGES = [
    ConnectionRefusedError(),
    TimeoutError(),
    asyncpg.CannotConnectNowError("the database system is starting up"),
    asyncpg.InterfaceError("connection is closed"),
    NoServersError(),
    DBAPIError("SELECT 1", None, asyncpg.AdminShutdownError("terminating")),
]


@pytest.mark.parametrize("error", OUTAGES, ids=lambda error: type(error).__name__)
def test_an_outage_is_known_however_deep_it_stands(error: Exception) -> None:
    assert is_outage(error)
    assert is_outage(_wrapped(error))


@pytest.mark.parametrize(
    "error",
    [
        ValueError("closed"),
        asyncpg.UniqueViolationError("twice"),
        asyncpg.InterfaceError("the server expects 2 arguments for this query, 1 was passed"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_error_of_ours_is_no_outage(error: Exception) -> None:
    assert not is_outage(error)
    assert not is_outage(_wrapped(error))


async def test_a_message_met_by_an_outage_is_handled_when_it_is_over_in_the_same_delivery(
    bus: Bus, take: Subscribe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consume, "_LONGEST_WAIT", 0.05)
    monkeypatch.setattr(consume, "MAX_DELIVER", 1)  # one delivery given back would be its last
    tries: list[int] = []
    done = asyncio.Event()

    async def handle(_: Run, delivery: Delivery) -> None:
        tries.append(delivery.deliveries)
        if len(tries) < 4:
            raise _wrapped(asyncpg.CannotConnectNowError("the database system is starting up"))
        done.set()

    await take(handle)
    await send(bus, new_run())
    await asyncio.wait_for(done.wait(), 20)
    assert tries == [1, 1, 1, 1]
    assert (await bus.jetstream.stream_info("DLQ")).state.messages == 0
