"""The one-command stack survives what people and machines do to it: kills, second starts, taken ports."""

import http.client
import os
import queue
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from handraise.dev import process
from handraise.dev.services import START_ORDER
from handraise.dev.state import Running, State
from handraise.dev.store import free_port
from tests.support.servers import scratch

pytestmark = pytest.mark.crash

_COMMAND = [sys.executable, "-m", "handraise.dev"]


class StackProcess:
    """`python -m handraise.dev run` with its output at hand."""

    def __init__(self, folder: Path, port: int) -> None:
        self.state = State(folder)
        self._env = os.environ | {"HANDRAISE_STATE": str(folder), "HANDRAISE_PORT": str(port)}
        for given in ("NATS_URL", "DATABASE_URL"):
            self._env.pop(given, None)
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._reader: threading.Thread | None = None
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> Running:
        """Start it and wait for its address."""
        self.process = subprocess.Popen(
            [*_COMMAND, "run"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=self._env
        )
        self._lines = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, args=(self.process, self._lines))
        self._reader.start()
        self.await_line("ready after")
        running = self.state.running()
        assert running is not None
        return running

    def await_line(self, part: str, within: float = 60.0) -> str:
        """Return the next line that contains `part`."""
        deadline = time.monotonic() + within
        seen: list[str] = []
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                line = ""
            if not line:
                pytest.fail(f"no line with {part!r} in:\n{''.join(seen)}")
            seen.append(line)
            if part in line:
                return line

    def command(self, name: str) -> "subprocess.CompletedProcess[str]":
        """Run another command on the same folder to its end."""
        return subprocess.run([*_COMMAND, name], env=self._env, capture_output=True, text=True, timeout=60)

    def end(self, number: signal.Signals) -> int:
        """Send a signal and wait for the end."""
        if self.process is None:
            return 0
        self.process.send_signal(number)
        code = self.process.wait(30)
        assert self._reader is not None
        self._reader.join(10)
        return code

    @staticmethod
    def _read(process: "subprocess.Popen[str]", lines: "queue.SimpleQueue[str]") -> None:
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                lines.put(line)
        lines.put("")


@pytest.fixture
def stack_process() -> Iterator[StackProcess]:
    with scratch() as folder:
        stack = StackProcess(folder / "state", free_port())
        try:
            yield stack
        finally:
            stack.end(signal.SIGTERM)
            stack.command("clean")


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/readyz")
        return connection.getresponse().status == 200
    finally:
        connection.close()


def _alive(running: Running) -> list[str]:
    return [name for name, pid in running.pids.items() if process.started_at(pid) is not None]


def test_all_parts_answer_and_a_stop_leaves_nothing_within_five_seconds(stack_process: StackProcess) -> None:
    running = stack_process.start()
    assert sorted(running.pids) == sorted([*START_ORDER, "nats", "postgres"])
    assert all(_answers(running.ports[name]) for name in ("gateway", "runner", "permissions", "notifier"))
    began = time.monotonic()
    assert stack_process.end(signal.SIGTERM) == 0
    assert time.monotonic() - began < 5.5
    assert _alive(running) == []
    assert stack_process.state.running() is None


def test_after_a_kill_the_next_run_works_on_the_same_stores_and_address(stack_process: StackProcess) -> None:
    first = stack_process.start()
    stack_process.end(signal.SIGKILL)
    second = stack_process.start()
    assert (second.url, second.nats_url, second.database_url) == (
        first.url,
        first.nats_url,
        first.database_url,
    )
    assert not set(first.pids.values()) & set(second.pids.values())
    assert _alive(first) == []
    servers = [*process.mentioning(stack_process.state.folder / "nats" / "nats.conf")]
    assert servers == [second.pids["nats"]]


def test_a_second_run_says_where_the_first_one_is_and_leaves_it_alone(stack_process: StackProcess) -> None:
    running = stack_process.start()
    again = stack_process.command("run")
    assert again.returncode == 0
    assert running.url in again.stdout
    refused = stack_process.command("clean")
    assert refused.returncode == 1
    assert str(running.pid) in refused.stdout
    assert len(_alive(running)) == 6


def test_each_part_that_dies_is_started_again_where_it_was(stack_process: StackProcess) -> None:
    before = stack_process.start()
    for name in ("runner", "gateway", "nats", "postgres"):
        psutil.Process(before.pids[name]).kill()
        assert "started again in" in stack_process.await_line(f"{name} ended with -9")
        stack_process.await_line(f"{name} is back")
        now = stack_process.state.running()
        assert now is not None
        assert now.pids[name] != before.pids[name]
        assert now.ports == before.ports
        with socket.create_connection(("127.0.0.1", now.ports[name]), timeout=10) as connection:
            assert connection.getpeername()[1] == before.ports[name]


def test_a_taken_port_is_told_and_the_next_free_one_is_used() -> None:
    with scratch() as folder, socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        stack = StackProcess(folder / "state", port)
        try:
            running = stack.start()
            assert running.ports["gateway"] > port
            assert _answers(running.ports["gateway"])
        finally:
            stack.end(signal.SIGTERM)
            stack.command("clean")


def test_cleaning_after_a_kill_stops_what_is_left_and_empties_the_folder(stack_process: StackProcess) -> None:
    running = stack_process.start()
    stack_process.end(signal.SIGKILL)
    cleaned = stack_process.command("clean")
    assert cleaned.returncode == 0
    assert _alive(running) == []
    assert not stack_process.state.folder.exists()
