"""The way out: one connection a service, publishing with deterministic ids and the present trace."""

import asyncio
from contextlib import suppress
from typing import Any

import nats
import structlog
from nats.aio.client import Client
from nats.errors import ConnectionReconnectingError
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.api import PubAck

from handraise.common import telemetry
from handraise.common.bus.messages import Live, encode
from handraise.common.bus.subjects import live

_log = structlog.get_logger()


class Bus:
    """A service's connection for publishing and asking. Made by `connect`, closed by `close`."""

    def __init__(self, connection: Client) -> None:
        self.connection = connection
        self.jetstream: JetStreamContext = connection.jetstream(timeout=5)
        self.closed = asyncio.Event()  # set when the connection is gone for good

    @classmethod
    async def connect(cls, url: str, name: str) -> "Bus":
        """Connect, and reconnect for ever after. Raises nats errors when the first try fails."""
        closed: asyncio.Event | None = None

        async def on_error(error: Exception) -> None:
            _log.warning("bus", error=str(error) or type(error).__name__)

        async def on_closed() -> None:
            if closed:
                closed.set()

        connection = await nats.connect(
            url,
            name=name,
            max_reconnect_attempts=-1,
            reconnect_time_wait=0.25,
            error_cb=on_error,
            closed_cb=on_closed,
            pending_size=8 * 1024 * 1024,
        )
        bus = cls(connection)
        closed = bus.closed
        return bus

    async def close(self) -> None:
        """Flush and close. A broker that is away by then keeps no service from ending in good order."""
        if not self.connection.is_closed:
            with suppress(NatsError, OSError):
                await (
                    self.connection.drain()
                ) if self.connection.is_connected else await self.connection.close()

    async def publish(
        self, subject: str, message: Any, *, id: str, headers: dict[str, str] | None = None
    ) -> PubAck:
        """Store a message in its stream, once for each `id`, and return the stream's receipt.

        Raises nats errors when no stream took it; the caller's own message must then not be acknowledged.
        """
        carried = {**telemetry.headers(), **(headers or {}), "Nats-Msg-Id": id}
        return await self.jetstream.publish(subject, encode(message), headers=carried)

    async def tell(self, message: Live) -> None:
        """Tell open pages. Nothing keeps it: whoever was not there asks anew when they come back."""
        await self.connection.publish(
            live(message.workspace_id), encode(message), headers=telemetry.headers()
        )

    async def ping(self) -> None:
        """Ask the server for a sign of life. Raises when there is none."""
        if not self.connection.is_connected:  # a flush would succeed, having nobody to flush to
            raise ConnectionReconnectingError
        await self.connection.flush(timeout=2)
