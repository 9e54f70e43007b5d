"""The embedded servers keep what they were given, keep their port, and never run twice on one store."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import nats
import psutil
import pytest

from handraise.dev import process
from handraise.dev.nats import EmbeddedNats
from handraise.dev.postgres import EmbeddedPostgres
from handraise.dev.store import StoreBusy
from tests.support.databases import DatabaseForTest
from tests.support.servers import scratch


@pytest.fixture
def folder() -> Iterator[Path]:
    with scratch() as path:
        yield path


async def _write(dsn: str) -> None:
    connection = await asyncpg.connect(dsn)
    await connection.execute("CREATE TABLE kept (word text); INSERT INTO kept VALUES ('still here')")
    await connection.close()


async def _read(dsn: str) -> str:
    connection = await asyncpg.connect(dsn)
    word: str = await connection.fetchval("SELECT word FROM kept")
    await connection.close()
    return word


async def test_postgres_keeps_committed_rows_and_its_port_over_a_kill(folder: Path) -> None:
    server = EmbeddedPostgres(folder / "postgres")
    first = server.start()
    await _write(first.dsn)
    server.kill()
    second = server.start()
    try:
        assert second.dsn == first.dsn
        assert second.pid != first.pid
        assert await _read(second.dsn) == "still here"
    finally:
        server.stop()
    assert not psutil.pid_exists(second.pid)


async def test_postgres_lets_nobody_in_without_the_password(folder: Path) -> None:
    server = EmbeddedPostgres(folder / "postgres", fast=True)
    running = server.start()
    try:
        with pytest.raises(asyncpg.InvalidPasswordError):
            await asyncpg.connect(running.dsn.replace("handraise_owner:", "handraise_owner:x"))
    finally:
        server.stop()


async def test_nats_keeps_acknowledged_messages_and_its_port_over_a_kill(folder: Path) -> None:
    server = EmbeddedNats(folder / "nats")
    first = server.start()
    client = await nats.connect(first.url)
    await client.jetstream().add_stream(name="KEPT", subjects=["kept"])
    await client.jetstream().publish("kept", b"still here")
    await client.close()
    server.kill()
    second = server.start()
    try:
        assert second.url == first.url
        client = await nats.connect(second.url)
        message = await client.jetstream().get_msg("KEPT", 1)
        await client.close()
        assert message.data == b"still here"
    finally:
        server.stop()


def test_nats_refuses_a_client_without_the_password(nats_url: str) -> None:
    host, _, port = nats_url.rpartition("@")[2].partition(":")
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        lines = connection.makefile("rb")
        assert lines.readline().startswith(b"INFO ")
        connection.sendall(b'CONNECT {"verbose":false}\r\nPING\r\n')
        assert lines.readline() == b"-ERR 'Authorization Violation'\r\n"


@pytest.mark.parametrize("server", [EmbeddedPostgres, EmbeddedNats])
def test_a_second_server_on_a_store_in_use_is_refused(
    server: type[EmbeddedPostgres] | type[EmbeddedNats], folder: Path
) -> None:
    first = server(folder / "store")
    pid = first.start().pid
    try:
        with pytest.raises(StoreBusy):
            server(folder / "store").start()
        assert psutil.pid_exists(pid)
    finally:
        first.stop()


_LAUNCH = """
import signal, sys
from pathlib import Path
from handraise.dev import process
from handraise.dev.nats import EmbeddedNats
from handraise.dev.postgres import EmbeddedPostgres
if sys.argv[3] == "unbound":
    bound = process.spawn
    process.spawn = lambda *given, **how: bound(*given, **(how | {"death_signal": 0}))
server = {"postgres": EmbeddedPostgres, "nats": EmbeddedNats}[sys.argv[1]](Path(sys.argv[2]))
print(server.start().pid, flush=True)
signal.pause()
"""


def _launch(kind: str, folder: Path, binding: str = "bound") -> "tuple[subprocess.Popen[str], int]":
    launcher = subprocess.Popen(
        [sys.executable, "-c", _LAUNCH, kind, str(folder), binding], stdout=subprocess.PIPE, text=True
    )
    assert launcher.stdout is not None
    return launcher, int(launcher.stdout.readline())


def _end(launcher: "subprocess.Popen[str]") -> None:
    launcher.kill()
    launcher.communicate()


@pytest.mark.parametrize("kind", ["postgres", "nats"])
def test_a_store_in_use_by_another_process_is_refused(kind: str, folder: Path) -> None:
    launcher, pid = _launch(kind, folder / "store")
    try:
        with pytest.raises(StoreBusy, match=str(launcher.pid)):
            (EmbeddedPostgres if kind == "postgres" else EmbeddedNats)(folder / "store").start()
        assert psutil.pid_exists(pid)
    finally:
        _end(launcher)


@pytest.mark.parametrize("kind", ["postgres", "nats"])
@pytest.mark.crash
def test_what_a_killed_launcher_left_is_replaced(kind: str, folder: Path) -> None:
    launcher, left = _launch(kind, folder / "store", binding="unbound")  # as where no kernel tells of a death
    _end(launcher)
    assert process.started_at(left)
    server = (EmbeddedPostgres if kind == "postgres" else EmbeddedNats)(folder / "store")
    running = server.start()
    try:
        assert running.pid != left
        assert process.started_at(left) is None
    finally:
        server.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's death")
@pytest.mark.parametrize("kind", ["postgres", "nats"])
@pytest.mark.crash
def test_a_server_ends_with_the_process_that_launched_it(kind: str, folder: Path) -> None:
    launcher, pid = _launch(kind, folder / "store")
    server = psutil.Process(pid)
    _end(launcher)
    server.wait(10)
    assert process.started_at(pid) is None


def test_clearing_a_store_leaves_nothing_of_it(folder: Path) -> None:
    server = EmbeddedNats(folder / "nats")
    server.start()
    with pytest.raises(StoreBusy):
        server.clear()
    server.stop()
    server.clear()
    assert not (folder / "nats").exists()


async def test_a_database_of_ones_own_is_migrated_and_binds_each_service_to_its_role(
    database: DatabaseForTest,
) -> None:
    connection = await asyncpg.connect(database.dsn("runner"))
    try:
        assert await connection.fetchval("SELECT current_user") == "handraise_runner"
        assert await connection.fetchval("SELECT count(*) FROM workspaces") == 0
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await connection.execute("DELETE FROM audit")
    finally:
        await connection.close()
