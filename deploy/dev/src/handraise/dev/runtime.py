"""NATS, Postgres and the four services of one state folder, started, stopped and killed as one wants.

The stack puts supervision and a console round it; tests, demo and benchmarks use it as it is. Everything is
called from the main thread.
"""

import os
import time
from collections.abc import Mapping, Sequence

from handraise.dev import prepare, process
from handraise.dev.nats import EmbeddedNats
from handraise.dev.postgres import EmbeddedPostgres
from handraise.dev.sample.people import PEOPLE
from handraise.dev.services import START_ORDER, Addresses, Echo, ServiceProcess, environment
from handraise.dev.state import Child, Running, State
from handraise.dev.store import free_port, port_is_free

DEFAULT_PORT = 8420


class NotReady(RuntimeError):
    """Something did not come up; the message says what, and the last it wrote."""


class Runtime:
    """All processes of one state folder.

    `nats_url` and `database_url` (the owner's) name servers that run elsewhere: those are never started nor
    stopped here. `settings` are environment variables for all services, on top of everything.
    """

    def __init__(
        self,
        state: State,
        *,
        nats_url: str | None = None,
        database_url: str | None = None,
        port: int | None = None,
        settings: Mapping[str, str] | None = None,
        echo: Echo | None = None,
        fast: bool = False,
    ) -> None:
        self.state = state
        self.nats = None if nats_url else EmbeddedNats(state.folder / "nats", sync_always=not fast)
        self.postgres = None if database_url else EmbeddedPostgres(state.folder / "postgres", fast=fast)
        self.services: dict[str, ServiceProcess] = {}
        self._nats_url = nats_url
        self._database_url = database_url
        self._port = port
        self._settings = settings
        self._echo = echo
        self._service_urls: dict[str, str] = {}
        self._pids: dict[str, int] = {}
        self._ports: dict[str, int] = {}

    @property
    def url(self) -> str:
        """Where people and programs find the gateway."""
        return f"http://127.0.0.1:{self._ports['gateway']}"

    @property
    def database_url(self) -> str:
        """The owner's address of the database."""
        if self._database_url is None:
            raise RuntimeError("the servers were not started yet")
        return self._database_url

    @property
    def nats_url(self) -> str:
        """The address of NATS."""
        if self._nats_url is None:
            raise RuntimeError("the servers were not started yet")
        return self._nats_url

    def start_servers(self) -> None:
        """Start NATS and Postgres, as far as they are ours. What runs already is left alone."""
        if self.nats is not None and not self.nats.runs:
            nats = self.nats.start()
            self._nats_url = nats.url
            self._pids["nats"], self._ports["nats"] = nats.pid, nats.port
        if self.postgres is not None and not self.postgres.runs:
            postgres = self.postgres.start()
            self._database_url = postgres.dsn
            self._pids["postgres"], self._ports["postgres"] = postgres.pid, postgres.port

    def prepare(self, *, sample: bool = True) -> None:
        """Make schema, roles and streams, and load the sample workspace, as far as it is missing."""
        self._service_urls = prepare.ensure(
            self.state,
            nats_url=self.nats_url,
            database_url=self.database_url,
            sample=sample,
            kept=self.nats is not None and self.postgres is not None,
        )

    def start_services(self, names: Sequence[str] = START_ORDER) -> None:
        """Start services without waiting for them."""
        if not self.services:
            self._make_services()
        for name in names:
            self.start_service(name)

    def start_service(self, name: str) -> None:
        """Start one service that does not run, and note it for whoever comes after a kill."""
        service = self.services[name]
        service.start()
        pid = service.pid or 0
        self._pids[name] = pid
        self.state.write_children(
            {
                other: Child(running.pid, process.started_at(running.pid) or 0.0)
                for other, running in self.services.items()
                if running.pid is not None
            }
        )

    def ready(self, names: Sequence[str] = START_ORDER) -> bool:
        """Say whether the services answer. Raises NotReady when one has ended."""
        for name in names:
            service = self.services[name]
            if service.returncode is not None:
                raise NotReady(f"{name} ended with {service.returncode}:\n{service.log_end()}")
            if not service.answers():
                return False
        return True

    def wait_until_ready(self, within: float = 60.0, names: Sequence[str] = START_ORDER) -> None:
        """Return once the services answer. Raises NotReady when one ended, or after `within` seconds."""
        deadline = time.monotonic() + within
        while not self.ready(names):
            if time.monotonic() > deadline:
                late = next(name for name in names if not self.services[name].answers())
                raise NotReady(f"{late} is not ready:\n{self.services[late].log_end()}")
            time.sleep(0.02)

    def ended(self, name: str) -> int | None:
        """Return how a service or server of ours ended; None while it runs or when it isn't ours."""
        if name == "nats":
            return self.nats.returncode if self.nats is not None else None
        if name == "postgres":
            return self.postgres.returncode if self.postgres is not None else None
        return self.services[name].returncode

    def answers(self, name: str) -> bool:
        """Say whether a service is ready for work, or a server runs: its start waits until it answers."""
        if name in ("nats", "postgres"):
            return self.ended(name) is None
        return self.services[name].answers()

    def start_again(self, name: str) -> None:
        """Start what ended, where it was."""
        if name in ("nats", "postgres"):
            self.start_servers()
        else:
            self.start_service(name)

    def stop(self, within: float = 5.0) -> list[str]:
        """Stop the gateway first, then the other services, then the servers; by force if it takes long.

        Returns what had to be forced.
        """
        forced = []
        deadline = time.monotonic() + within
        gateway = self.services.get("gateway")
        if gateway is not None and not gateway.stop(within * 0.3):
            forced.append("gateway")
        others = [service for name, service in self.services.items() if name != "gateway"]
        for service in others:
            service.ask_to_stop()
        forced += [
            service.name
            for service in others
            if not service.stop(max(0.05, deadline - within * 0.3 - time.monotonic()))
        ]
        self.stop_servers(max(0.3, (deadline - time.monotonic()) / 2))
        self.state.write_children({})
        return forced

    def stop_servers(self, within: float = 5.0) -> None:
        """Stop NATS and Postgres, as far as they are ours."""
        if self.nats is not None:
            self.nats.stop(within)
        if self.postgres is not None:
            self.postgres.stop(within)

    def kill(self) -> None:
        """SIGKILL everything at once, as a power cut would: services, then NATS and Postgres."""
        for service in self.services.values():
            service.kill()
        if self.nats is not None:
            self.nats.kill()
        if self.postgres is not None:
            self.postgres.kill()

    def stop_leftovers(self) -> list[str]:
        """Kill the services that a killed run of this folder left. Returns their names."""
        left = [
            (name, child)
            for name, child in self.state.children().items()
            if process.started_at(child.pid) == child.started
        ]
        for _, child in left:
            process.kill_tree(child.pid)
        while any(process.started_at(child.pid) == child.started for _, child in left):
            time.sleep(0.01)
        return [name for name, _ in left]

    def running(self) -> Running:
        """Describe what runs."""
        return Running(
            url=self.url,
            pid=os.getpid(),
            ports=dict(self._ports),
            pids=dict(self._pids),
            nats_url=self.nats_url,
            database_url=self.database_url,
            people=PEOPLE,
        )

    def _make_services(self) -> None:
        health = {name: free_port() for name in START_ORDER}
        port = self._gateway_port()
        addresses = Addresses(
            nats_url=self.nats_url,
            database_urls=self._service_urls,
            gateway_port=port,
            health_ports=health,
        )
        self._ports |= {name: health[name] for name in START_ORDER} | {"gateway": port}
        self._ports["gateway_health"] = health["gateway"]
        for name in START_ORDER:
            env = environment(name, addresses, self._settings)
            self.services[name] = ServiceProcess(name, env, self.state.log(name), self._echo)

    def _gateway_port(self) -> int:
        if self._port == 0:
            return free_port()
        port = self._port or DEFAULT_PORT
        while not port_is_free(port):
            port += 1
        return port
