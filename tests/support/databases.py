"""Databases for tests: migrated once into a template, then copied, so that each test has its own."""

import asyncio
import os
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, TypeVar
from urllib.parse import urlsplit, urlunsplit

import asyncpg
import msgspec

from handraise.workspace.database import SERVICES, prepare, service_dsn

T = TypeVar("T")

PASSWORDS = {service: f"{service}-of-the-tests" for service in SERVICES}
"""Roles belong to a whole server, so every database of a session has the same."""

_numbers = count(1)


class DatabaseForTest(msgspec.Struct, frozen=True):
    """One migrated database that nobody else uses."""

    owner_dsn: str
    """The owner may do everything. The embedded server's is a superuser, whom row-level security does not bind."""

    def dsn(self, service: str) -> str:
        """Return the address under which a service connects, with its own role and no more rights."""
        return service_dsn(self.owner_dsn, service, PASSWORDS[service])


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end from a plain function, whether or not a loop runs in this thread."""
    results: list[T] = []
    failures: list[BaseException] = []

    def target() -> None:
        try:
            results.append(asyncio.run(work))
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=target)
    thread.start()
    thread.join()
    if failures:
        raise failures[0]
    return results[0]


@contextmanager
def template(server_dsn: str) -> Iterator[str]:
    """Migrate a new database to be copied from, with the services' roles. Lends its owner's address."""
    dsn = _named(server_dsn, f"handraise_template_{os.getpid()}")
    run(_create(server_dsn, dsn, "template1"))
    try:
        run(prepare(dsn, PASSWORDS))
        yield dsn
    finally:
        run(_drop(server_dsn, dsn))


@contextmanager
def copy_of(server_dsn: str, template_dsn: str) -> Iterator[DatabaseForTest]:
    """Lend a copy of the template; dropped after, whoever is still connected."""
    dsn = _named(server_dsn, f"handraise_test_{os.getpid()}_{next(_numbers)}")
    run(_create(server_dsn, dsn, _name(template_dsn)))
    try:
        yield DatabaseForTest(dsn)
    finally:
        run(_drop(server_dsn, dsn))


async def _create(server_dsn: str, dsn: str, source: str) -> None:
    connection = await asyncpg.connect(server_dsn)
    try:
        await connection.execute(f'CREATE DATABASE "{_name(dsn)}" TEMPLATE "{source}" STRATEGY file_copy')
    finally:
        await connection.close()


async def _drop(server_dsn: str, dsn: str) -> None:
    connection = await asyncpg.connect(server_dsn)
    try:
        await connection.execute(f'DROP DATABASE IF EXISTS "{_name(dsn)}" WITH (FORCE)')
    finally:
        await connection.close()


def _named(dsn: str, name: str) -> str:
    return urlunsplit(urlsplit(dsn)._replace(path=f"/{name}"))


def _name(dsn: str) -> str:
    return urlsplit(dsn).path.lstrip("/")
