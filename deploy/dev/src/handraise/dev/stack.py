"""`make run`: NATS, Postgres and the four services on one machine, watched, until somebody says stop."""

import os
import queue
import signal
import time
from types import FrameType

from handraise.dev import console
from handraise.dev.runtime import DEFAULT_PORT, Runtime
from handraise.dev.services import START_ORDER
from handraise.dev.state import State
from handraise.dev.store import StoreBusy
from handraise.dev.supervise import BackOff

_LOOK = 0.2
"""Seconds between two looks at who still runs."""
_STOP_WITHIN = 5.0
_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run() -> int:
    """Run the stack of this folder in the foreground. Returns the exit code."""
    state = State.of_environment()
    if not state.lock():
        return _already_running(state)
    wanted: queue.SimpleQueue[str] = queue.SimpleQueue()

    def on_signal(number: int, _: FrameType | None) -> None:
        if not wanted.empty():
            raise KeyboardInterrupt  # asked twice: something hangs before anybody looks at the queue
        wanted.put(signal.Signals(number).name)

    for number in _STOP_SIGNALS:
        signal.signal(number, on_signal)
    try:
        return _Stack(state, wanted).run()
    finally:
        state.unlock()


def clean() -> int:
    """Stop what a killed stack left in this folder, and empty it. Refuses while a stack runs."""
    state = State.of_environment()
    if not state.folder.exists():
        console.say(f"{state.folder} is empty already")
        return 0
    if not state.lock():
        running = state.running()
        console.say(f"a stack runs here{f' (process {running.pid})' if running else ''}: stop it first")
        return 1
    runtime = Runtime(state)
    try:
        for name in runtime.stop_leftovers():
            console.say(f"stopped {name}, which a killed run had left")
        assert runtime.nats is not None
        assert runtime.postgres is not None
        runtime.nats.clear()
        runtime.postgres.clear()
    except StoreBusy as busy:
        console.say(str(busy))
        return 1
    state.empty()
    state.unlock()
    console.say(f"emptied {state.folder}")
    return 0


def _already_running(state: State) -> int:
    running = state.running()
    where = f"at {running.url} (process {running.pid})" if running else "here and is still starting"
    console.say(f"the stack runs already, {where}")
    return 0


class _Stack:
    def __init__(self, state: State, wanted: "queue.SimpleQueue[str]") -> None:
        self._state = state
        self._wanted = wanted
        self._began = time.monotonic()
        self._returning: set[str] = set()
        self._back_off = {name: BackOff() for name in (*START_ORDER, "nats", "postgres")}
        self._runtime = Runtime(
            state,
            nats_url=os.environ.get("NATS_URL") or None,
            database_url=os.environ.get("DATABASE_URL") or None,
            port=int(os.environ.get("HANDRAISE_PORT") or 0) or None,
            echo=console.line,
        )

    def run(self) -> int:
        code = 0
        try:
            self._start()
            self._watch()
        except KeyboardInterrupt:
            console.say("stopping at once")
            code = 130
        except (RuntimeError, OSError, ExceptionGroup) as error:
            console.say(f"could not go on: {error}")
            code = 1
        finally:
            self._stop()
        return code

    def _start(self) -> None:
        runtime = self._runtime
        self._state.forget_running()
        self._state.rotate_logs()
        for name in runtime.stop_leftovers():
            console.say(f"stopped {name}, which a killed run had left")
        runtime.start_servers()
        runtime.prepare()
        runtime.start_services()
        port = runtime.running().ports["gateway"]
        asked = int(os.environ.get("HANDRAISE_PORT") or DEFAULT_PORT)
        if port != asked:
            console.say(f"port {asked} is taken, the address has {port}")
        now = time.monotonic()
        for back_off in self._back_off.values():
            back_off.started(now)
        while self._wanted.empty() and not runtime.ready(START_ORDER):
            time.sleep(0.02)
        if not self._wanted.empty():
            return
        self._state.write_running(runtime.running())
        model = os.environ.get("MODEL_NAME") if os.environ.get("MODEL_BASE_URL") else None
        people = [
            someone for someone in runtime.running().people if someone.email[:3] in ("ada", "ben", "eve")
        ]
        console.welcome(runtime.url, people, model, time.monotonic() - self._began)

    def _watch(self) -> None:
        """Start again what ends, until a signal comes."""
        while True:
            try:
                name = self._wanted.get(timeout=_LOOK)
            except queue.Empty:
                self._look()
                continue
            console.say(f"stopping ({name})")
            return

    def _look(self) -> None:
        now = time.monotonic()
        for name, back_off in self._back_off.items():
            ended = self._runtime.ended(name)
            if ended is None:
                continue
            plan = back_off.ended(now)
            if plan is not None:
                console.say(f"{name} ended with {ended}, it is started again in {plan.after:g} s")
                self._returning.discard(name)
            if back_off.due(now):
                self._runtime.start_again(name)
                back_off.started(time.monotonic())
                self._returning.add(name)
        for name in [name for name in self._returning if self._runtime.answers(name)]:
            self._returning.remove(name)
            self._state.write_running(self._runtime.running())
            console.say(f"{name} is back")

    def _stop(self) -> None:
        for number in _STOP_SIGNALS:
            signal.signal(
                number, signal.SIG_IGN
            )  # asked once is enough, and half a stop is worse than a slow one
        forced = self._runtime.stop(_STOP_WITHIN)
        self._state.forget_running()
        for name in forced:
            console.say(f"{name} took too long and was killed")
        console.say("stopped")
