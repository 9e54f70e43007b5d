"""Keeps one pull request standing at the broker, so that a message is handed over the moment it is there.

FastStream fetches in batches with nats-py, which waits for the rest of a batch until its time-out: a lone
message would lie for seconds. Here the request names how many workers are free, is renewed as they become
free, and every message goes to a worker at once; so none ever waits in this process unattended.
"""

import asyncio
import json
from collections.abc import Callable, Coroutine
from typing import Any

import faststream.nats.subscriber.factory
from faststream.nats.subscriber.usecases.stream_pull_subscriber import ConcurrentPullStreamSubscriber
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

_EXPIRES = 30_000_000_000  # nanoseconds a request stands
_HEARTBEAT = 2_000_000_000  # nanoseconds between the broker's signs of life while it stands
_SILENCE = 4.5  # seconds without either after which the request counts as lost


class StandingPull(ConcurrentPullStreamSubscriber):
    """FastStream's concurrent pull subscriber with another way of asking.

    With `take` set, messages go to it as they come, past FastStream's own parsing, logging and acking: all of
    that is `consume`'s business. Then stopping waits for what is in work, as FastStream would.
    """

    take: Callable[[Msg], Coroutine[Any, Any, None]] | None = None

    async def stop(self) -> None:
        """Stop asking, and wait for what is in work as long as the broker's grace lasts."""
        await super().stop()
        busy: set[asyncio.Task[Any]] = getattr(self, "_busy", set())
        if busy:
            await asyncio.wait(busy, timeout=self._outer_config.graceful_timeout)

    async def _consume_pull(self, cb: Callable[[Msg], Coroutine[Any, Any, Any]]) -> None:
        pull = self.subscription
        assert pull
        asked = 0  # messages asked for and not yet here
        busy: set[asyncio.Task[Any]] = set()
        self._busy = busy
        freed = asyncio.Event()

        def done(task: "asyncio.Task[Any]") -> None:
            busy.discard(task)
            freed.set()

        while self.running:
            free = self.max_workers - len(busy) - asked
            if free > 0 and (asked == 0 or free >= self.max_workers // 2):
                asked += free
                request = {"batch": free, "expires": _EXPIRES, "idle_heartbeat": _HEARTBEAT}
                await pull._nc.publish(pull._nms, json.dumps(request).encode(), pull._deliver)
            if asked == 0:
                freed.clear()
                await freed.wait()
                continue
            message = _here(pull._sub)
            if message is None:
                try:
                    message = await pull._sub.next_msg(_SILENCE)
                except TimeoutError:
                    asked = 0
                    continue
            status = (message.headers or {}).get("Status") if not message.reply else None
            if status == "100":
                continue
            if status is not None:
                # The request has ended: so many of its messages will not come.
                asked = max(0, asked - int((message.headers or {}).get("Nats-Pending-Messages", asked)))
                continue
            asked = max(0, asked - 1)
            task = asyncio.create_task(self.take(message) if self.take else self.consume(message))
            busy.add(task)
            task.add_done_callback(done)


def _here(subscription: Subscription) -> Msg | None:
    """Take a message that has arrived already: waiting with a time-out costs a task and a timer each."""
    queue = subscription._pending_queue
    if queue.empty():
        return None
    message = queue.get_nowait()
    subscription._pending_size -= len(message.data)
    return message


def install() -> None:
    """Have FastStream build this class wherever a pull subscriber has several workers."""
    faststream.nats.subscriber.factory.ConcurrentPullStreamSubscriber = StandingPull  # type: ignore[attr-defined]
