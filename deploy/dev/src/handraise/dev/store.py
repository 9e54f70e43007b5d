"""The folder an embedded server keeps its data in, and the lock that lets only one server use it.

The server inherits the lock, so the kernel holds it until the last process of the server is gone, whatever
became of the launcher. Who finds the lock taken knows that something really runs there.
"""

import fcntl
import os
import signal
import socket
import time
from pathlib import Path

import msgspec
import psutil

from handraise.dev import process

_held: set[Path] = set()
"""The stores that this very process holds."""


class StoreBusy(RuntimeError):
    """Another living launcher runs a server on this store."""


class _Holder(msgspec.Struct, frozen=True):
    """What the lock file says about who took the lock last."""

    launcher: int
    launcher_started: float
    port: int


class Store:
    """One server's folder. `marker` is the path that the server's command line carries, to find it by."""

    def __init__(self, folder: Path, marker: Path) -> None:
        self.folder = folder.absolute()
        self._marker = marker
        self._lock = self.folder / "lock"
        self._fd: int | None = None

    @property
    def lock_fd(self) -> int:
        """The descriptor that the server has to inherit."""
        if self._fd is None:
            raise RuntimeError(f"the store {self.folder} is not locked")
        return self._fd

    @property
    def last_port(self) -> int | None:
        """The port that the last server on this store listened on."""
        holder = self._holder()
        return holder.port if holder and holder.port else None

    def lock(self, within: float = 15.0) -> None:
        """Take the lock, stopping first what a dead launcher left behind.

        Raises StoreBusy when the launcher lives, or when what it left can't be stopped `within` seconds.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        fd = os.open(self._lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        deadline = time.monotonic() + within
        asked = False
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                holder = self._holder()
                if self.folder in _held or (holder and _lives(holder)):
                    os.close(fd)
                    raise StoreBusy(f"{_name(holder)} runs a server on {self.folder}") from None
                if time.monotonic() > deadline:
                    os.close(fd)
                    raise StoreBusy(f"what was left running on {self.folder} can't be stopped") from None
                self._stop_leftovers(hard=asked and time.monotonic() > deadline - within / 2)
                asked = True
                time.sleep(0.03)
        self._fd = fd
        _held.add(self.folder)
        self.note_port(self.last_port or 0)

    def note_port(self, port: int) -> None:
        """Write down who holds the lock and where its server listens."""
        mine = _Holder(os.getpid(), process.started_at(os.getpid()) or 0.0, port)
        os.pwrite(self.lock_fd, msgspec.json.encode(mine).ljust(200), 0)

    def release(self) -> None:
        """Let go of our share of the lock; a server that still runs keeps its own."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None
            _held.discard(self.folder)

    def _holder(self) -> _Holder | None:
        try:
            return msgspec.json.decode(self._lock.read_bytes(), type=_Holder)
        except (FileNotFoundError, msgspec.DecodeError):
            return None

    def _stop_leftovers(self, *, hard: bool) -> None:
        for pid in process.mentioning(self._marker):
            if hard:
                process.kill_tree(pid)
            else:
                try:
                    psutil.Process(pid).send_signal(signal.SIGINT)
                except psutil.NoSuchProcess:
                    continue


def _lives(holder: _Holder) -> bool:
    # What this very process once launched and let go of is only still on its way out.
    return holder.launcher != os.getpid() and process.started_at(holder.launcher) == holder.launcher_started


def _name(holder: _Holder | None) -> str:
    return f"process {holder.launcher}" if holder else "another process"


def trim(log: Path, limit: int = 5_000_000) -> None:
    """Put a server's log aside once it is longer than `limit` bytes; the one before that is forgotten."""
    if log.exists() and log.stat().st_size > limit:
        log.replace(log.with_suffix(".log.1"))


def port_is_free(port: int, host: str = "127.0.0.1") -> bool:
    """Say whether a server could listen on `port` now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
        return True


def free_port() -> int:
    """Return a port nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
