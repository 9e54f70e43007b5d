"""A real Postgres and a real NATS for tests: an address that is given wins, then Docker, then the wheels'."""

import http.client
import os
import shutil
import socket
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from handraise.dev.nats import EmbeddedNats
from handraise.dev.postgres import EmbeddedPostgres

_POSTGRES_IMAGE = os.environ.get("TEST_POSTGRES_IMAGE", "postgres:18-alpine")
_NATS_IMAGE = os.environ.get("TEST_NATS_IMAGE", "nats:2.15-alpine")


@contextmanager
def scratch() -> Iterator[Path]:
    """Lend a folder of our own that a server without rights may enter, unlike pytest's."""
    folder = Path(tempfile.mkdtemp(prefix="handraise-test-"))
    folder.chmod(0o711)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def postgres_server() -> Iterator[str]:
    """Lend the owner's address of a Postgres that may be used freely."""
    given = os.environ.get("TEST_DATABASE_URL") or os.environ.get("DATABASE_URL")
    if given:
        yield given
        return
    if docker_answers():
        with _postgres_container() as dsn:
            yield dsn
        return
    with scratch() as folder:
        server = EmbeddedPostgres(folder / "postgres", fast=True)
        try:
            yield server.start().dsn
        finally:
            server.stop()


@contextmanager
def nats_server() -> Iterator[str]:
    """Lend the address of a NATS with JetStream that all tests of the session share."""
    given = os.environ.get("NATS_URL")
    if given:
        yield given
        return
    if docker_answers():
        with _nats_container() as url:
            yield url
        return
    with own_nats() as server:
        yield server.start().url


@contextmanager
def own_nats(*, sync_always: bool = False) -> Iterator[EmbeddedNats]:
    """Lend a nats-server of one's own on an empty store, not started yet; stopped and deleted after."""
    with scratch() as folder:
        server = EmbeddedNats(folder / "nats", sync_always=sync_always)
        try:
            yield server
        finally:
            server.stop()


def docker_answers() -> bool:
    """Ask the Docker engine's local socket for a sign of life, for a second at most."""
    host = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock")
    path = host.removeprefix("unix://")
    if path == host or not Path(path).exists():
        return False
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(1)
        try:
            connection.connect(path)
            connection.sendall(b"GET /_ping HTTP/1.0\r\n\r\n")
            answer = http.client.HTTPResponse(connection)
            answer.begin()
        except (OSError, http.client.HTTPException):
            return False
        return answer.status == 200


@contextmanager
def _postgres_container() -> Iterator[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the library's own affairs
        from testcontainers.core.container import DockerContainer
        from testcontainers.core.wait_strategies import LogMessageWaitStrategy

        ready = LogMessageWaitStrategy("database system is ready to accept connections", times=2)
        container = DockerContainer(_POSTGRES_IMAGE, ports=[5432], _wait_strategy=ready)
        container.with_envs(POSTGRES_USER="owner", POSTGRES_PASSWORD="owner", POSTGRES_DB="handraise")
        container.with_command("postgres -c fsync=off -c synchronous_commit=off")
        with container:
            address = f"{container.get_container_host_ip()}:{container.get_exposed_port(5432)}"
            yield f"postgresql://owner:owner@{address}/handraise"


@contextmanager
def _nats_container() -> Iterator[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from testcontainers.core.container import DockerContainer
        from testcontainers.core.wait_strategies import LogMessageWaitStrategy

        ready = LogMessageWaitStrategy("Server is ready")
        container = DockerContainer(_NATS_IMAGE, ports=[4222], _wait_strategy=ready)
        container.with_command("-js -sd /data")
        with container:
            yield f"nats://{container.get_container_host_ip()}:{container.get_exposed_port(4222)}"
