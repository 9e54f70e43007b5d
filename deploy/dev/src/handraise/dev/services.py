"""Our four services as processes: their environment, their output, their health."""

import http.client
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from handraise.dev import process

START_ORDER = ("permissions", "runner", "notifier", "gateway")

Echo = Callable[[str, str], None]
"""Is told a service's name and one line it wrote."""


class ServiceProcess:
    """One service of ours. Start, stop and kill it from the main thread."""

    def __init__(self, name: str, env: Mapping[str, str], log: Path, echo: Echo | None = None) -> None:
        self.name = name
        self.health_port = int(env["HANDRAISE_HEALTH_PORT"])
        self._env = env
        self._log = log
        self._echo = echo
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: threading.Thread | None = None

    @property
    def pid(self) -> int | None:
        """Its process, if it runs."""
        return self._process.pid if self._process is not None and self.returncode is None else None

    @property
    def returncode(self) -> int | None:
        """How it ended; None while it runs or before it ever did."""
        return self._process.poll() if self._process is not None else None

    def start(self) -> None:
        """Start it. It is up once `answers` says so."""
        if self.pid is not None:
            raise RuntimeError(f"{self.name} runs already")
        self._close_output()
        program = [sys.executable, "-m", f"handraise.{self.name}"]
        with self._log.open("ab") as log:
            self._process = process.spawn(
                program,
                output=subprocess.PIPE if self._echo else log,
                death_signal=signal.SIGKILL,  # a crash of the stack is one of its services: no half-dead rest
                env=self._env,
            )
        if self._echo:
            self._reader = threading.Thread(target=self._follow, daemon=True)
            self._reader.start()

    def answers(self) -> bool:
        """Say whether it is ready for work."""
        return self.pid is not None and _ok(self.health_port, "/readyz")

    def ask_to_stop(self) -> None:
        """Ask it to finish what it does and end."""
        if self._process is not None and self.pid is not None:
            self._process.send_signal(signal.SIGTERM)

    def stop(self, within: float = 5.0) -> bool:
        """End it, by force after `within` seconds. True: it ended by itself."""
        ended = self._process is None or process.stop(self._process, signal.SIGTERM, within)
        self._close_output()
        return ended

    def kill(self) -> None:
        """SIGKILL it and everything it started."""
        if self._process is not None:
            process.kill(self._process)
        self._close_output()

    def log_end(self) -> str:
        """Return the last it wrote, for whoever must find out why it is not up."""
        return self._log.read_text(errors="replace")[-3000:] if self._log.exists() else ""

    def _close_output(self) -> None:
        if self._reader is not None:
            self._reader.join(2)
            self._reader = None
        if self._process is not None and self._process.stdout is not None:
            self._process.stdout.close()

    def _follow(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        assert self._echo is not None
        with self._log.open("ab", buffering=0) as log:
            for line in self._process.stdout:
                log.write(line)
                self._echo(self.name, line.decode(errors="replace").rstrip("\n"))


class Addresses(msgspec.Struct, frozen=True):
    """Where services find what they need and listen themselves."""

    nats_url: str
    database_urls: dict[str, str]
    """By service: each has its own role."""
    gateway_port: int
    health_ports: dict[str, int]


def environment(service: str, addresses: Addresses, own: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of one service: ours, without what only another one needs, and its addresses.

    `own` goes on top: settings that a test or a person chose.
    """
    given = {name: value for name, value in os.environ.items() if not _is_anothers(name, service)}
    env = given | {
        "DATABASE_URL": addresses.database_urls[service],
        "NATS_URL": addresses.nats_url,
        "HANDRAISE_HEALTH_PORT": str(addresses.health_ports[service]),
        "HANDRAISE_LOG": os.environ.get("HANDRAISE_LOG", "console"),
        "PYTHONUNBUFFERED": "1",
    }
    if service == "gateway":
        env |= {
            "HANDRAISE_HOST": os.environ.get("HANDRAISE_HOST", "127.0.0.1"),
            "HANDRAISE_PORT": str(addresses.gateway_port),
        }
    return env | dict(own or {})


def _is_anothers(name: str, service: str) -> bool:
    if name == "MODEL_API_KEY":
        return service != "runner"
    if name.startswith("MODEL_"):
        return service not in ("runner", "gateway")  # the gateway only says which model it is
    return name in {
        "DATABASE_URL",
        "TEST_DATABASE_URL",
        "HANDRAISE_HOST",
        "HANDRAISE_PORT",
        "HANDRAISE_STATE",
    }


def _ok(port: int, path: str) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
