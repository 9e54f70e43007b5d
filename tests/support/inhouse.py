"""A whole house inside the test's own event loop, wired by the services' own `start`, with a scripted model.

For tests that must say what the model writes, or stop one service at a chosen moment. NATS, Postgres and HTTP
are real.
"""

import asyncio
import contextlib
import secrets
import warnings
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import msgspec
import pytest
from litestar.exceptions import LitestarDeprecationWarning

from handraise.common.ids import new_id
from handraise.common.passwords import new_token, token_hash
from handraise.common.service import Running
from handraise.dev.client import Client
from handraise.dev.state import Person
from handraise.dev.store import free_port
from handraise.gateway.app import start as start_gateway
from handraise.gateway.settings import GatewaySettings
from handraise.notifier.app import start as start_notifier
from handraise.notifier.settings import NotifierSettings
from handraise.permissions.app import start as start_permissions
from handraise.permissions.settings import PermissionsSettings
from handraise.runner.app import start as start_runner
from handraise.runner.chat import Chat
from handraise.runner.settings import RunnerSettings
from handraise.workspace.tools import REGISTRY
from tests.integration.workspace.world import World
from tests.support.databases import DatabaseForTest

STARTS: dict[str, tuple[Any, Any]] = {
    "permissions": (start_permissions, PermissionsSettings),
    "runner": (start_runner, RunnerSettings),
    "notifier": (start_notifier, NotifierSettings),
    "gateway": (start_gateway, GatewaySettings),
}


class People(msgspec.Struct, frozen=True):
    """A small workspace: Ada may change the task, Ben may only read it, Eve is in nothing."""

    world: World
    ada: UUID
    ben: UUID
    eve: UUID
    agent: UUID
    atlas: UUID
    task: UUID
    channel: UUID

    @property
    def id(self) -> UUID:
        """The workspace."""
        return self.world.id


async def people_of(world: World, *, tools: list[str] | None = None, **agent: Any) -> People:
    """Furnish a workspace with three people, the agent `@ray`, a project with a task, and a channel."""
    ada, ben, eve = [await world.member(name) for name in ("Ada", "Ben", "Eve")]
    for id, handle in ((ada, "ada"), (ben, "ben"), (eve, "eve")):
        await world.run("UPDATE members SET handle = $2 WHERE id = $1", id, handle)
    ray = new_id()
    await world.put(
        "agents", id=ray, handle="ray", name="Ray", tools=list(REGISTRY) if tools is None else tools, **agent
    )
    atlas = await world.project("ATL", "Atlas", admins=[ada], members=[ben])
    task = await world.task(atlas, 117, "Fix login bug", status="in_review", assignee_id=ada)
    channel = await world.channel("release", admins=[ada], members=[ben])
    return People(world, ada, ben, eve, ray, atlas, task, channel)


class InHouse:
    """Four services that can be stopped and started one by one."""

    def __init__(self, database: DatabaseForTest, nats_url: str, stack: AsyncExitStack) -> None:
        self.database = database
        self.nats_url = nats_url
        self.port = free_port()
        self._stack = stack
        self._running: dict[str, AsyncExitStack] = {}

    @property
    def url(self) -> str:
        """Where the gateway is."""
        return f"http://127.0.0.1:{self.port}"

    async def start(self, *names: str, **settings: Any) -> None:
        """Start these services, or all."""
        for name in names or STARTS:
            begin, kind = STARTS[name]
            own = {"handraise_port": self.port} if name == "gateway" else {}
            stack = self._running[name] = AsyncExitStack()
            made = kind(
                database_url=self.database.dsn(name),
                nats_url=self.nats_url,
                handraise_db_connections=4,
                **own,
                **settings,
            )
            with warnings.catch_warnings():
                # How routes declare parameters is between the framework's two versions.
                warnings.simplefilter("ignore", LitestarDeprecationWarning)
                await begin(made, Running(stack))

    async def stop(self, *names: str) -> None:
        """Stop these services in good order, or all, the gateway first."""
        for name in names or list(reversed(self._running)):
            await self._running.pop(name).aclose()

    @asynccontextmanager
    async def as_(self, world: World, member_id: UUID) -> AsyncIterator[Client]:
        """Speak with the gateway as a member, over a session of their own."""
        token, csrf = f"{world.id.hex}.{new_token()}", secrets.token_hex(8)
        await world.put(
            "sessions",
            token_hash=token_hash(token),
            member_id=member_id,
            kind="cookie",
            csrf=csrf,
            expires_at=datetime.now(UTC) + timedelta(hours=1),
        )
        async with self.client(token, csrf) as client:
            yield client

    @asynccontextmanager
    async def client(self, token: str, csrf: str = "") -> AsyncIterator[Client]:
        """Speak with the gateway over a session that is there."""
        headers = {"X-CSRF-Token": csrf, "cookie": f"handraise_session={token}"}
        async with httpx.AsyncClient(base_url=self.url, timeout=15, headers=headers) as http:
            client = Client(http, Person("", "", "", ""))
            async with listening(client):
                yield client


@asynccontextmanager
async def listening(client: Client) -> AsyncIterator[None]:
    """Have the client follow its event stream within the block."""
    task = asyncio.create_task(client.listen())
    try:
        yield
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


@asynccontextmanager
async def inhouse(
    database: DatabaseForTest, nats_url: str, chat: Chat, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[InHouse]:
    """Lend a house whose runner speaks with `chat`. Nothing is started yet."""
    monkeypatch.setattr("handraise.runner.app.chat_from_settings", lambda *_: chat)
    async with AsyncExitStack() as stack:
        house = InHouse(database, nats_url, stack)
        try:
            yield house
        finally:
            await house.stop()
            for _ in range(5):  # connections that were closed just now are let go of in the loop's next turns
                await asyncio.sleep(0)
