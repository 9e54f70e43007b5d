"""The one folder that a stack keeps everything in, and the secrets it drew at its first start."""

import fcntl
import os
import secrets
import shutil
from pathlib import Path
from typing import TypeVar

import msgspec

from handraise.dev.services import START_ORDER

T = TypeVar("T")


class Secrets(msgspec.Struct, frozen=True):
    """What is drawn once and never shown."""

    database_passwords: dict[str, str]


class Person(msgspec.Struct, frozen=True):
    """Somebody one can sign in as to try things."""

    name: str
    email: str
    password: str
    role: str
    """What they may do, in words."""


class Running(msgspec.Struct, frozen=True):
    """What runs, for tests, the demo and the benchmarks. In `stack.json` while the stack is up."""

    url: str
    pid: int
    ports: dict[str, int]
    """The gateway's port under `gateway`; the others' health ports under their names; `nats`, `postgres`."""
    pids: dict[str, int]
    nats_url: str
    database_url: str
    """The owner's address."""
    people: tuple[Person, ...]


class Child(msgspec.Struct, frozen=True):
    """A process that the stack started, named for good by when it began."""

    pid: int
    started: float


class Prepared(msgspec.Struct, frozen=True):
    """What was done to the servers of this folder, and what came of it."""

    recipe: str
    database_url: str
    service_urls: dict[str, str]
    """Each service's own address of the database."""


class State:
    """The paths within the state folder. Everything in it is private to whoever runs the stack."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        self.logs = self.folder / "logs"
        self._lock: int | None = None

    @classmethod
    def of_environment(cls) -> "State":
        """Return the folder named by HANDRAISE_STATE, else `.state` where we are."""
        return cls(Path(os.environ.get("HANDRAISE_STATE") or ".state"))

    def make(self) -> None:
        """Make the folders. Others may pass through, since a database that refuses root runs as nobody."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if os.geteuid() == 0:
            self.folder.chmod(0o711)
        self.logs.mkdir(mode=0o700, exist_ok=True)

    def lock(self) -> bool:
        """Take the folder for this process until it ends. False: a living stack has it."""
        self.make()
        fd = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            return False
        self._lock = fd
        return True

    def unlock(self) -> None:
        """Let others have the folder."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def secrets(self) -> Secrets:
        """Return the folder's secrets, drawn the first time."""
        file = self.folder / "secrets.json"
        if not file.exists():
            drawn = Secrets(
                database_passwords={service: secrets.token_urlsafe(24) for service in START_ORDER},
            )
            _write(file, drawn)
        return msgspec.json.decode(file.read_bytes(), type=Secrets)

    def write_running(self, running: Running) -> None:
        """Say what runs."""
        _write(self.folder / "stack.json", running)

    def running(self) -> Running | None:
        """Read what runs, or what ran last if that was killed."""
        return _read(self.folder / "stack.json", Running)

    def forget_running(self) -> None:
        """Say that nothing runs."""
        (self.folder / "stack.json").unlink(missing_ok=True)

    def write_prepared(self, prepared: Prepared) -> None:
        """Note that the servers are fit for the services."""
        _write(self.folder / "prepared.json", prepared)

    def prepared(self) -> Prepared | None:
        """Read what the servers were last made fit for."""
        return _read(self.folder / "prepared.json", Prepared)

    def write_children(self, children: dict[str, Child]) -> None:
        """Note every service started, so that whoever comes after a kill can stop what is left."""
        _write(self.folder / "children.json", children)

    def children(self) -> dict[str, Child]:
        """Read which services were started last."""
        return _read(self.folder / "children.json", dict[str, Child]) or {}

    def log(self, name: str) -> Path:
        """Return where `name` writes."""
        return self.logs / f"{name}.log"

    def rotate_logs(self) -> None:
        """Begin new logs and keep those of the run before."""
        for log in self.logs.glob("*.log"):
            log.replace(log.with_suffix(".log.1"))

    def empty(self) -> None:
        """Delete everything kept."""
        shutil.rmtree(self.folder, ignore_errors=True)


def _write(file: Path, value: object) -> None:
    """Replace the file at once, readable by its owner alone."""
    new = file.with_suffix(".new")
    new.touch(mode=0o600)
    new.write_bytes(msgspec.json.format(msgspec.json.encode(value), indent=2))
    new.replace(file)


def _read(file: Path, type_: type[T]) -> T | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=type_)
    except (FileNotFoundError, msgspec.DecodeError):
        return None
