"""Starting and ending child processes so that none outlives the one that started it."""

import os
import pwd
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

import msgspec
import psutil

_SHIM = Path(__file__).with_name("_shim.py")


class User(msgspec.Struct, frozen=True):
    """Whom a child runs as."""

    uid: int
    gid: int


def unprivileged_user() -> User | None:
    """Return the user that servers which refuse root must drop to; None when we are not root."""
    if os.geteuid() != 0:
        return None
    entry = pwd.getpwnam("nobody")
    return User(entry.pw_uid, entry.pw_gid)


def spawn(
    program: Sequence[str | Path],
    *,
    output: int | IO[bytes],
    death_signal: signal.Signals,
    user: User | None = None,
    env: Mapping[str, str] | None = None,
    keep_fds: Sequence[int] = (),
) -> "subprocess.Popen[bytes]":
    """Start `program` (an absolute path and its arguments) in a session of its own.

    On Linux the kernel sends it `death_signal` when the *thread* that called this ends: call it from the
    main thread. Elsewhere what is left behind is found through its store's lock at the next start.
    """
    uid, gid = (user.uid, user.gid) if user else (-1, -1)
    binding = map(str, (os.getpid(), int(death_signal), uid, gid))
    return subprocess.Popen(
        [sys.executable, "-I", "-S", _SHIM, *binding, *map(str, program)],
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        env=env,
        pass_fds=keep_fds,
        start_new_session=True,
    )


def stop(process: "subprocess.Popen[bytes]", with_signal: signal.Signals, within: float) -> bool:
    """Ask the process to end; kill it and its descendants after `within` seconds. True: it ended itself."""
    process.send_signal(with_signal)
    try:
        process.wait(within)
    except subprocess.TimeoutExpired:
        kill(process)
        return False
    return True


def kill(process: "subprocess.Popen[bytes]") -> None:
    """SIGKILL the process and every descendant at once, as a power cut would, and reap it."""
    kill_tree(process.pid)
    process.wait()


def kill_tree(pid: int) -> None:
    """SIGKILL a process and its descendants. The root goes first, so that it starts no replacement."""
    try:
        root = psutil.Process(pid)
        family = [root, *root.children(recursive=True)]
    except psutil.NoSuchProcess:
        return
    for member in family:
        try:
            member.kill()
        except psutil.NoSuchProcess:
            continue


def started_at(pid: int) -> float | None:
    """Return when the process began, in seconds since 1970: with its pid it names it for good. None: gone."""
    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else process.create_time()
    except psutil.NoSuchProcess:
        return None


def mentioning(path: Path) -> list[int]:
    """Return the pids of processes that were started with exactly `path` among their arguments."""
    return [
        process.pid
        for process in psutil.process_iter(["cmdline"])
        if process.pid != os.getpid() and str(path) in (process.info["cmdline"] or ())
    ]
