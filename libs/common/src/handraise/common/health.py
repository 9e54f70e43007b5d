"""The health door of a service: /healthz, /readyz and /metrics, for whoever starts, watches and restarts it."""

import asyncio
from collections.abc import Awaitable, Callable

import structlog
from prometheus_client import REGISTRY
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

Probe = Callable[[], Awaitable[None]]
_log = structlog.get_logger()
_WITHIN = 2.0  # seconds a probe may take


async def unready(probes: dict[str, Probe]) -> list[str]:
    """Return what does not work, each with its reason; empty when the service can do its work."""

    async def ask(name: str, probe: Probe) -> str | None:
        try:
            await asyncio.wait_for(probe(), _WITHIN)
        except Exception as error:
            return f"{name}: {str(error) or type(error).__name__}"
        return None

    answers = await asyncio.gather(*(ask(n, p) for n, p in probes.items()))
    return [a for a in answers if a]


class HealthServer:
    """Answers GET on three paths. Not for the outside: it binds to the loopback unless told otherwise."""

    def __init__(self, host: str, port: int, probes: dict[str, Probe]) -> None:
        self._host, self._port, self._probes = host, port, probes
        self._server: asyncio.Server | None = None

    @property
    def port(self) -> int:
        """The port it listens on, also where any was asked for."""
        assert self._server is not None
        return int(self._server.sockets[0].getsockname()[1])

    async def start(self) -> None:
        """Listen. Raises OSError when the port is taken."""
        self._server = await asyncio.start_server(self._serve, self._host, self._port)

    async def stop(self) -> None:
        """Stop listening."""
        if self._server:
            self._server.close()
            await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), _WITHIN)
            method, _, rest = head.partition(b" ")
            status, kind, body = await self._answer(method, rest.split(b" ", 1)[0].split(b"?", 1)[0])
            lines = f"HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\nconnection: close\r\n"
            writer.write(lines.encode() + b"\r\n" + body)
            await writer.drain()
        except (TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
            pass  # a caller that says nothing sensible gets nothing
        finally:
            writer.close()

    async def _answer(self, method: bytes, path: bytes) -> tuple[str, str, bytes]:
        text = "text/plain; charset=utf-8"
        if method != b"GET":
            return "405 Method Not Allowed", text, b"GET only\n"
        if path == b"/healthz":
            return "200 OK", text, b"ok\n"
        if path == b"/readyz":
            faults = await unready(self._probes)
            if faults:
                return "503 Service Unavailable", text, ("\n".join(faults) + "\n").encode()
            return "200 OK", text, b"ready\n"
        if path == b"/metrics":
            return "200 OK", CONTENT_TYPE_LATEST, generate_latest(REGISTRY)
        return "404 Not Found", text, b"not found\n"
