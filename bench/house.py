"""The whole house for a bench: real servers with fsync on, the four services, a workspace, traces taken in."""

import asyncio
import contextlib
import os
import secrets
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec

from handraise.common.bus import topology
from handraise.dev import sample
from handraise.dev.nats import EmbeddedNats
from handraise.dev.postgres import EmbeddedPostgres
from handraise.dev.store import free_port
from handraise.workspace.database import SERVICES, prepare, service_dsn


class House(msgspec.Struct, frozen=True):
    """Where it is."""

    owner_dsn: str
    nats_url: str
    port: int
    pids: dict[str, int]


@asynccontextmanager
async def house() -> AsyncIterator[House]:
    """Run it all, with every law on: row-level security, audit, traces sampled at 0.1, metrics."""
    with tempfile.TemporaryDirectory(prefix="handraise-bench-") as folder:
        postgres = EmbeddedPostgres(Path(folder) / "postgres")
        nats = EmbeddedNats(Path(folder) / "nats", sync_always=True)
        sink = await asyncio.start_server(_swallow, "127.0.0.1", 0)
        children: dict[str, subprocess.Popen[bytes]] = {}
        try:
            database, broker = postgres.start(), nats.start()
            owner, bus = database.dsn, broker.url
            passwords = {service: secrets.token_urlsafe(16) for service in SERVICES}
            await prepare(owner, passwords)
            await topology.ensure(bus)
            await sample.load(owner)
            port = free_port()
            for service in ("permissions", "notifier", "runner", "gateway"):
                health = free_port()
                environment = {
                    **os.environ,
                    "DATABASE_URL": service_dsn(owner, service, passwords[service]),
                    "NATS_URL": bus,
                    "HANDRAISE_HEALTH_PORT": str(health),
                    "HANDRAISE_PORT": str(port),
                    "HANDRAISE_LOG": "json",
                    "OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{sink.sockets[0].getsockname()[1]}",
                    "OTEL_TRACES_SAMPLER_ARG": "0.1",
                }
                log = (Path(os.environ.get("HANDRAISE_BENCH_LOGS", folder)) / f"{service}.log").open("wb")
                children[service] = subprocess.Popen(
                    _command(service), env=environment, stdout=log, stderr=subprocess.STDOUT
                )
                await _until_ready(health)
            pids = {name: child.pid for name, child in children.items()}
            yield House(owner, bus, port, {**pids, "nats": broker.pid, "postgres": database.pid})
        finally:
            for child in children.values():
                child.terminate()
            for child in children.values():
                with contextlib.suppress(subprocess.TimeoutExpired):
                    child.wait(10)
            sink.close()
            nats.stop()
            postgres.stop()


def _command(service: str) -> list[str]:
    if os.environ.get("HANDRAISE_PROFILE") == service:
        return [sys.executable, "-m", "cProfile", "-o", f"{service}.prof", "-m", f"handraise.{service}"]
    return [sys.executable, "-m", f"handraise.{service}"]


async def _until_ready(port: int) -> None:
    deadline = time.monotonic() + 30
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=1) as answer:
                if answer.status == 200:
                    return
        except OSError:
            if time.monotonic() > deadline:
                raise
        await asyncio.sleep(0.05)


async def _swallow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Take in traces as a collector would, and forget them."""
    with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError, ValueError):
        while head := await reader.readuntil(b"\r\n\r\n"):
            lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
            await reader.readexactly(int(lengths[0].split(b":")[1]) if lengths else 0)
            writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n")
            await writer.drain()
    writer.close()
