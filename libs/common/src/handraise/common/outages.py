"""Tells an outage, which passes and is nobody's fault, from an error, which comes again with the same message."""

import socket
from collections.abc import Iterator

import asyncpg
from nats.errors import (
    ConnectionClosedError,
    ConnectionReconnectingError,
    NoRespondersError,
    NoServersError,
    OutboundBufferLimitError,
)
from nats.js.errors import NoStreamResponseError, ServiceUnavailableError

_AWAY = (
    ConnectionError,
    TimeoutError,
    socket.gaierror,
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.TooManyConnectionsError,
    ConnectionClosedError,
    ConnectionReconnectingError,
    NoServersError,
    NoRespondersError,
    OutboundBufferLimitError,
    NoStreamResponseError,
    ServiceUnavailableError,
)


def is_outage(error: BaseException) -> bool:
    """Say whether the database or the bus was away, however deep in the error's causes that stands."""
    return any(isinstance(one, _AWAY) or _lost(one) for one in _chain(error))


def _lost(error: BaseException) -> bool:
    # asyncpg says it with the same class as for a wrong call.
    return isinstance(error, asyncpg.InterfaceError) and "clos" in str(error)


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: list[BaseException] = []
    left: list[BaseException | None] = [error]
    while left and len(seen) < 16:
        one = left.pop()
        if one is None or any(one is other for other in seen):
            continue
        seen.append(one)
        yield one
        left += [one.__cause__, getattr(one, "orig", None)]
        if not one.__suppress_context__:
            left.append(one.__context__)
