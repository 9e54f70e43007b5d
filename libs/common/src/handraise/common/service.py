"""The frame every service stands in: settings, logs, traces, health, signals, an orderly end."""

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import TypeVar

import structlog
import uvloop

from handraise.common import telemetry
from handraise.common.health import HealthServer, Probe
from handraise.common.settings import ServiceSettings, SettingsError, load

S = TypeVar("S", bound=ServiceSettings)
_log = structlog.get_logger()


class Running:
    """What a service's start gets to register itself with."""

    def __init__(self, stack: AsyncExitStack) -> None:
        self.stack = stack  # what is entered here is left in reverse when the service ends
        self.probes: dict[str, Probe] = {}
        self.stopping = asyncio.Event()

    def on_stop(self, close: Callable[[], Awaitable[object]]) -> None:
        """Have `close` awaited at the end, last registered first."""
        self.stack.push_async_callback(close)


Start = Callable[[S, Running], Awaitable[None]]


def main(name: str, kind: type[S], start: Start[S]) -> None:
    """Run a service until a signal: read its settings, `start` it, answer health probes, stop it in order.

    Ends the process: 0 after a signal, 2 for settings that can't be used, 1 when it could not start or
    lost what it needs for good.
    """
    try:
        settings = load(kind)
    except SettingsError as error:
        sys.stderr.write(f"handraise-{name}: {error}\n")
        sys.exit(2)
    telemetry.set_up(name, settings)
    sys.exit(uvloop.run(_run(name, settings, start)))


async def _run(name: str, settings: S, start: Start[S]) -> int:
    loop = asyncio.get_running_loop()
    async with AsyncExitStack() as stack:
        running = Running(stack)
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, running.stopping.set)
        stack.callback(telemetry.shut_down)
        health = HealthServer(settings.handraise_health_host, settings.handraise_health_port, running.probes)
        try:
            await start(settings, running)
            await health.start()
        except Exception as error:
            _log.error("could not start", reason=f"{type(error).__name__}: {error}", exc_info=error)
            return 1
        stack.push_async_callback(health.stop)
        _log.info("ready", health=f"{settings.handraise_health_host}:{health.port}")
        await running.stopping.wait()
        _log.info("stopping")
    return 0
