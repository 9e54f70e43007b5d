"""The whole house for tests: four real service processes on servers of their own."""

import contextlib
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager

from handraise.dev.client import Client, signed_in
from handraise.dev.runtime import Runtime
from handraise.dev.sample import person
from handraise.dev.state import State
from tests.support.servers import scratch


class House:
    """A running Handraise with the sample workspace, that may be killed in part or whole."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime

    @property
    def url(self) -> str:
        """Where the gateway is, the same after every restart."""
        return self.runtime.url

    @property
    def nats_url(self) -> str:
        """The address of its NATS."""
        return self.runtime.nats_url

    @property
    def database_url(self) -> str:
        """The owner's address of its database."""
        return self.runtime.database_url

    @asynccontextmanager
    async def as_(self, handle: str) -> AsyncIterator[Client]:
        """Speak with it as one of the sample's people: `async with house.as_("ada") as ada`."""
        async with signed_in(self.url, person(handle)) as client:
            yield client

    def pid(self, name: str) -> int | None:
        """Return a service's process; None while it does not run."""
        return self.runtime.services[name].pid

    def kill(self, name: str) -> None:
        """SIGKILL one service, or `nats` or `postgres`."""
        if name == "nats":
            assert self.runtime.nats is not None
            self.runtime.nats.kill()
        elif name == "postgres":
            assert self.runtime.postgres is not None
            self.runtime.postgres.kill()
        else:
            self.runtime.services[name].kill()

    def kill_all(self) -> None:
        """SIGKILL every process: services, NATS, Postgres."""
        self.runtime.kill()

    def start(self, name: str) -> None:
        """Start again what was killed or stopped, and wait until it is ready for work."""
        self.runtime.start_again(name)
        if name in self.runtime.services:
            self.runtime.wait_until_ready(names=[name])

    def restart(self, name: str) -> None:
        """Stop one service in good order and start it again."""
        self.runtime.services[name].stop()
        self.start(name)

    def start_all(self) -> None:
        """Start everything that does not run on the same stores, and wait until all is ready for work."""
        self.runtime.start_servers()
        self.runtime.start_services(
            [name for name, service in self.runtime.services.items() if service.pid is None]
        )
        self.runtime.wait_until_ready()


@contextmanager
def house(settings: Mapping[str, str] | None = None, *, fast: bool = False) -> Iterator[House]:
    """Lend a house with the sample workspace on new stores. `fast` gives up crash safety."""
    with scratch() as folder:
        runtime = Runtime(State(folder / "state"), port=0, settings=settings, fast=fast)
        runtime.state.make()
        try:
            runtime.start_servers()
            runtime.prepare()
            runtime.start_services()
            runtime.wait_until_ready()
            yield House(runtime)
        finally:
            with contextlib.suppress(ProcessLookupError):
                runtime.stop()
