"""Live updates: one subscription of this process, fanned out to the event streams of those who may know.

A message of a stream carries the sequence of the event it follows from. Who comes back with `Last-Event-ID`
is told what happened since, from the stream of events, and then `sync`: read anew what is on your page.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any
from uuid import UUID

import msgspec
import structlog
from nats.aio.msg import Msg
from nats.js.api import ConsumerConfig, DeliverPolicy
from prometheus_client import Gauge

from handraise.common.bus.live import live_of
from handraise.common.bus.messages import Happened, Live, Place
from handraise.common.bus.publish import Bus
from handraise.workspace import gates
from handraise.workspace.database import Database
from handraise.workspace.schema import channels, conversations, tasks
from handraise.workspace.words import Surface

if TYPE_CHECKING:
    from handraise.gateway.state import Signed

_log = structlog.get_logger()
_live = msgspec.json.Decoder(Live)
_happened: msgspec.json.Decoder[Happened] = msgspec.json.Decoder(Happened)
_KEEP_ALIVE = 15.0  # seconds of silence after which a comment is sent
_WAITING = 1_000  # messages a slow reader may be behind; then it is told to read anew
_REMEMBERED = 50_000  # parked requests of which the place is known
_REPLAY = 500  # events that are told again at the most

streams_open = Gauge("handraise_event_streams", "Event streams that are open")


class Sent(msgspec.Struct, frozen=True):
    """One message of an event stream."""

    event: str
    data: str
    id: int | None = None


class _Reader:
    """One open stream."""

    def __init__(self, who: "Signed", topics: frozenset[str] | None) -> None:
        self.who = who
        self.topics = topics
        self.queue: asyncio.Queue[Live | None] = asyncio.Queue(_WAITING)
        self.behind = False

    def offer(self, message: Live | None) -> None:
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.behind = True


class Hub:
    """All open streams of this process."""

    def __init__(self, bus: Bus, db: Database) -> None:
        self._bus = bus
        self._db = db
        self._readers: dict[UUID, set[_Reader]] = {}
        self._seen: dict[tuple[UUID, UUID], bool] = {}  # member, place: may they read it
        self._stopped = False
        self._parked: dict[UUID, int] = {}  # request: where its message lies

    def parked_at(self, request_id: UUID) -> int | None:
        """Return where a request was parked, as far as this process heard."""
        return self._parked.get(request_id)

    async def listen(self) -> None:
        """Subscribe to what changes."""
        await self._bus.connection.subscribe("live.*", cb=self._told)

    def forget_rights(self) -> None:
        """Somebody's rights changed: ask again who may see what."""
        self._seen.clear()

    def stop(self) -> None:
        """End every stream, so that the server can stop."""
        self._stopped = True
        for readers in self._readers.values():
            for reader in readers:
                reader.offer(None)
                reader.behind = False

    async def _told(self, message: Msg) -> None:
        try:
            live = _live.decode(message.data)
        except msgspec.MsgspecError as error:
            _log.warning("unreadable live message", reason=str(error))
            return
        if live.seqs:
            self._remember(live)
        for reader in self._readers.get(live.workspace_id, ()):
            reader.offer(live)

    def _remember(self, live: Live) -> None:
        self._parked.update(zip(live.request_ids, live.seqs, strict=False))
        while len(self._parked) > _REMEMBERED:
            del self._parked[next(iter(self._parked))]

    async def stream(
        self, who: "Signed", topics: frozenset[str] | None, last_id: int | None
    ) -> AsyncIterator[Sent]:
        """Yield what `who` may know, until they leave or the process stops.

        With `topics`, one message a topic, named like it; without, one a change, named by its kind.
        """
        reader = _Reader(who, topics)
        self._readers.setdefault(who.workspace_id, set()).add(reader)
        streams_open.inc()
        try:
            newest = await self._newest(who.workspace_id)
            yield Sent("hello", "{}", newest)
            if last_id is not None:
                if newest > last_id:
                    async for event in self._missed(who.workspace_id, last_id):
                        for sent in await self._sent(reader, event):
                            yield sent
                yield Sent("sync", "{}", newest)
            while not self._stopped:
                try:
                    message = await asyncio.wait_for(reader.queue.get(), _KEEP_ALIVE)
                except TimeoutError:
                    yield Sent("", "")
                    continue
                if message is None:
                    return
                for sent in await self._sent(reader, message):
                    yield sent
                if reader.behind and reader.queue.empty():
                    reader.behind = False
                    yield Sent("sync", "{}")
        finally:
            streams_open.dec()
            self._readers[who.workspace_id].discard(reader)

    async def _sent(self, reader: _Reader, message: Live) -> list[Sent]:
        mine = reader.who.member_id in message.members
        if not mine and not (message.place and await self._may_see(reader.who, message.place)):
            return []
        id = message.seq or None
        data = msgspec.json.encode(message).decode()
        if reader.topics is None:
            return [Sent(message.kind, data, id)]
        return [Sent(topic, data, id) for topic in message.topics if topic in reader.topics]

    async def _may_see(self, who: "Signed", place: Place) -> bool:
        key = (who.member_id, place.place_id)
        if key not in self._seen:
            table, gate = _GATES[Surface(place.surface)]
            async with self._db.read(who.workspace_id) as connection:
                found = await connection.scalar(
                    table.select()
                    .with_only_columns(table.c.id)
                    .where(table.c.id == place.place_id, gate(who.member_id))
                )
            if len(self._seen) > 100_000:
                self._seen.clear()
            self._seen[key] = found is not None
        return self._seen[key]

    async def _newest(self, workspace_id: UUID) -> int:
        """Return the sequence of the newest event there is."""
        info = await self._bus.jetstream.stream_info("EVT")
        return int(info.state.last_seq)

    async def _missed(self, workspace_id: UUID, after: int) -> AsyncIterator[Live]:
        """Yield what happened in the workspace after an event, oldest first."""
        subscription = await self._bus.jetstream.pull_subscribe(
            f"evt.{workspace_id}.*.*",
            stream="EVT",
            config=ConsumerConfig(
                deliver_policy=DeliverPolicy.BY_START_SEQUENCE,
                opt_start_seq=after + 1,
                inactive_threshold=30.0,
                mem_storage=True,
            ),
        )
        try:
            told = 0
            while told < _REPLAY:
                info = await subscription.consumer_info()
                if not info.num_pending:
                    return
                for message in await subscription.fetch(min(info.num_pending, 100), timeout=2):
                    await message.ack()
                    told += 1
                    with contextlib.suppress(msgspec.MsgspecError):
                        live = live_of(_happened.decode(message.data), message.metadata.sequence.stream)
                        if live:
                            yield live
        finally:
            with contextlib.suppress(Exception):
                await subscription.unsubscribe()


_GATES: dict[Surface, Any] = {
    Surface.CHANNEL_THREAD: (channels, gates.may_read_channel),
    Surface.DM: (conversations, gates.may_read_conversation),
    Surface.GROUP: (conversations, gates.may_read_conversation),
    Surface.TASK: (tasks, gates.may_read_task),
}
