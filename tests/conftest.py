"""Fixtures on real parts: no test fakes NATS or Postgres.

What a fixture needs is imported in it, so that tests which need no server do not wait for its client.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import hypothesis
import pytest

from tests.support.summary import pytest_sessionfinish, pytest_terminal_summary

if TYPE_CHECKING:
    from handraise.dev.nats import EmbeddedNats
    from tests.support.databases import DatabaseForTest
    from tests.support.stack import House

__all__ = ["pytest_sessionfinish", "pytest_terminal_summary"]

# A busy machine is no defect: an example may take as long as it takes.
hypothesis.settings.register_profile(
    "patient", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("patient")


@pytest.fixture(scope="session")
def postgres_dsn() -> Iterator[str]:
    """The owner's address of a Postgres server that the session shares."""
    from tests.support import servers

    with servers.postgres_server() as dsn:
        yield dsn


@pytest.fixture(scope="session")
def template_dsn(postgres_dsn: str) -> Iterator[str]:
    """A migrated, empty database. To be copied, never connected to."""
    from tests.support import databases

    with databases.template(postgres_dsn) as dsn:
        yield dsn


@pytest.fixture
def database(postgres_dsn: str, template_dsn: str) -> Iterator[DatabaseForTest]:
    """A migrated, empty database of the test's own."""
    from tests.support import databases

    with databases.copy_of(postgres_dsn, template_dsn) as copy:
        yield copy


@pytest.fixture(scope="module")
def module_database(postgres_dsn: str, template_dsn: str) -> Iterator[DatabaseForTest]:
    """A migrated database that the tests of one module share."""
    from tests.support import databases

    with databases.copy_of(postgres_dsn, template_dsn) as copy:
        yield copy


@pytest.fixture(scope="session")
def shared_nats_url() -> Iterator[str]:
    """The address of a NATS that the session shares: use subjects and streams of your own."""
    from tests.support import servers

    with servers.nats_server() as url:
        yield url


@pytest.fixture
def nats_server() -> Iterator[EmbeddedNats]:
    """A nats-server of the test's own on an empty store, not started yet. It may be stopped and killed."""
    from tests.support import servers

    with servers.own_nats() as server:
        yield server


@pytest.fixture
def nats_url(nats_server: EmbeddedNats) -> str:
    """The address of the test's own running nats-server, with nothing in it."""
    return nats_server.start().url


@pytest.fixture
def bus_url(nats_url: str) -> str:
    """The address of the test's own running nats-server, with our streams and consumers."""
    from handraise.common.bus import topology
    from tests.support import databases

    databases.run(topology.ensure(nats_url))
    return nats_url


@pytest.fixture(scope="session")
def stack() -> Iterator[House]:
    """The four services as processes, with the sample workspace. Shared by the session: leave it running."""
    from tests.support.stack import house

    with house(fast=True) as shared:
        yield shared


@pytest.fixture
def fresh_stack() -> Iterator[Callable[..., House]]:
    """Make houses of the test's own, that keep what they acknowledged over any kill: `fresh_stack()`.

    Takes environment variables for the services as keyword arguments.
    """
    from tests.support.stack import house

    with ExitStack() as houses:
        yield lambda **settings: houses.enter_context(house(settings))
