"""One function a subject: answer checks, and forget what a membership event makes stale."""

import asyncio

import msgspec
import structlog
from nats.aio.msg import Msg
from opentelemetry.trace import SpanKind

from handraise.common import telemetry
from handraise.common.ids import parse_id
from handraise.common.judge import Checks, Rulings
from handraise.permissions.bench import Bench
from handraise.permissions.cache import FactsCache

_log = structlog.get_logger()
_decoder = msgspec.json.Decoder(Checks)
_encoder = msgspec.json.Encoder()


class Handlers:
    """What the service does with what arrives."""

    def __init__(self, bench: Bench, cache: FactsCache) -> None:
        self._bench = bench
        self._cache = cache
        self._at_work: set[asyncio.Task[None]] = set()

    async def check(self, message: Msg) -> None:
        """Answer a request for rulings, several requests at once: one that waits holds up no other."""
        task = asyncio.create_task(self._answer(message))
        self._at_work.add(task)
        task.add_done_callback(self._at_work.discard)

    async def membership(self, message: Msg) -> None:
        """Forget the workspace in whose membership something changed: `evt.<workspace>.membership.<id>`."""
        workspace_id = parse_id(message.subject.split(".")[1])
        if workspace_id is None:
            _log.warning("membership event of no workspace", subject=message.subject)
            return
        self._cache.drop(workspace_id)

    async def finish(self) -> None:
        """Wait until all that was taken is answered."""
        if self._at_work:
            await asyncio.wait(self._at_work)

    async def _answer(self, message: Msg) -> None:
        with telemetry.span("process judge.check", SpanKind.SERVER, message.headers):
            await message.respond(_encoder.encode(await self._judge(message.data)))

    async def _judge(self, body: bytes) -> Rulings:
        # Whoever asks must hear that there is no ruling: without one nothing is written.
        try:
            checks = _decoder.decode(body).checks
        except msgspec.MsgspecError as error:
            return Rulings(error=f"the checks can't be read: {error}")
        try:
            rulings = await self._bench.check_all(checks)
        except Exception as error:
            _log.error("could not judge", exc_info=error)
            return Rulings(error="what the ruling stands on can't be read from the database now")
        return Rulings(rulings)
