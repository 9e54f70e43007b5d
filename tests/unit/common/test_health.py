"""The health door says what does not work, and stands open whatever knocks."""

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest

from handraise.common import health
from handraise.common.health import HealthServer, Probe, unready


async def fine() -> None:
    """Work."""


async def broken() -> None:
    raise RuntimeError("the disk is full")


async def mute() -> None:
    raise RuntimeError


async def hangs() -> None:
    await asyncio.Event().wait()


@pytest.fixture
async def probes() -> dict[str, Probe]:
    return {"nats": fine}


@pytest.fixture
async def url(probes: dict[str, Probe]) -> AsyncIterator[str]:
    server = HealthServer("127.0.0.1", 0, probes)
    await server.start()
    yield f"http://127.0.0.1:{server.port}"
    await server.stop()


async def test_faults_are_told_with_their_reasons_and_none_waits_for_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(health, "_WITHIN", 0.05)
    told = await unready({"a": fine, "b": broken, "c": mute, "d": hangs, "e": hangs})
    assert told == ["b: the disk is full", "c: RuntimeError", "d: TimeoutError", "e: TimeoutError"]
    assert await unready({"a": fine}) == []


async def test_it_is_alive_and_ready_until_a_probe_fails(url: str, probes: dict[str, Probe]) -> None:
    async with httpx.AsyncClient(base_url=url) as http:
        assert (await http.get("/healthz")).text == "ok\n"
        assert (await http.get("/readyz")).status_code == 200
        probes["postgres"] = broken
        unready = await http.get("/readyz")
        assert (unready.status_code, unready.text) == (503, "postgres: the disk is full\n")
        assert (await http.get("/healthz")).status_code == 200  # it is no reason to restart it


async def test_figures_are_there_and_nothing_else_is(url: str) -> None:
    async with httpx.AsyncClient(base_url=url) as http:
        assert "process_cpu_seconds_total" in (await http.get("/metrics")).text
        assert (await http.get("/etc/passwd")).status_code == 404
        assert (await http.post("/readyz")).status_code == 405
        assert (await http.get("/readyz?verbose=1")).status_code == 200


@pytest.mark.parametrize(
    "sent", [b"", b"\r\n\r\n", b"GET\r\n\r\n", b"\x16\x03\x01\x02" * 300, b"x" * 200_000]
)
async def test_nonsense_ends_that_connection_and_no_other(
    sent: bytes, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "_WITHIN", 0.2)
    reader, writer = await asyncio.open_connection("127.0.0.1", int(url.rpartition(":")[2]))
    writer.write(sent)
    if not sent:
        writer.write_eof()
    answer = b""
    try:
        answer = await asyncio.wait_for(reader.read(), 5)
    except ConnectionResetError:
        answer = b""
    assert answer == b"" or answer.startswith(b"HTTP/1.1 4")
    writer.close()
    async with httpx.AsyncClient(base_url=url) as http:
        assert (await http.get("/healthz")).status_code == 200
