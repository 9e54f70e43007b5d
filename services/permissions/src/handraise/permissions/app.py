"""Wires the permissions service: the only place that makes its connections."""

import nats
import structlog
from nats.aio.client import Client
from nats.errors import ConnectionReconnectingError

from handraise.common.judge import JUDGE_QUEUE, JUDGE_SUBJECT
from handraise.common.service import Running
from handraise.permissions.bench import Bench
from handraise.permissions.cache import FactsCache
from handraise.permissions.handlers import Handlers
from handraise.permissions.settings import PermissionsSettings
from handraise.workspace.database import Database

MEMBERSHIP = "evt.*.membership.*"
_log = structlog.get_logger()


async def start(settings: PermissionsSettings, running: Running) -> None:
    """Connect, listen for what makes facts stale, then answer checks."""
    db = await Database.open(
        settings.database_url, size=settings.handraise_db_connections, name="handraise-permissions"
    )
    running.on_stop(db.close)
    cache = FactsCache(settings.handraise_facts_ttl, settings.handraise_facts_kept)
    handlers = Handlers(Bench(db, cache), cache)
    connection = await _connect(settings.nats_url, cache)

    async def leave() -> None:
        # Takes no more, answers what was taken, and only then goes.
        if connection.is_connected:
            await checks.drain()  # type: ignore[no-untyped-call]
        await handlers.finish()
        await connection.drain() if connection.is_connected else await connection.close()

    # In every replica, while a check goes to one of them.
    await connection.subscribe(MEMBERSHIP, cb=handlers.membership)
    await connection.flush()
    checks = await connection.subscribe(JUDGE_SUBJECT, queue=JUDGE_QUEUE, cb=handlers.check)
    running.on_stop(leave)
    await connection.flush()

    async def ping() -> None:
        if not connection.is_connected:  # a flush would succeed, having nobody to flush to
            raise ConnectionReconnectingError
        await connection.flush(timeout=2)

    running.probes.update(postgres=db.ping, nats=ping)


async def _connect(url: str, cache: FactsCache) -> Client:
    async def on_error(error: Exception) -> None:
        _log.warning("bus", error=str(error) or type(error).__name__)

    async def on_lost() -> None:
        # Events of the time in between will never come.
        cache.suspend()

    async def on_back() -> None:
        cache.resume()

    return await nats.connect(
        url,
        name="handraise-permissions",
        max_reconnect_attempts=-1,
        reconnect_time_wait=0.25,
        error_cb=on_error,
        disconnected_cb=on_lost,
        reconnected_cb=on_back,
        pending_size=8 * 1024 * 1024,
    )
