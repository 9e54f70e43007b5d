"""A bare HTTP/1.1 client, so that the bench measures the house and not its own client library."""

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any


class Wire:
    """One kept-alive connection."""

    def __init__(self, host: str, port: int, headers: dict[str, str]) -> None:
        self._host, self._port = host, port
        self._headers = "".join(f"{k}: {v}\r\n" for k, v in headers.items())
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def open(self) -> "Wire":
        """Connect."""
        self._reader, self._writer = await asyncio.open_connection(self._host, self._port)
        return self

    def close(self) -> None:
        """Hang up."""
        if self._writer:
            self._writer.close()

    async def call(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Send a request, return status and the JSON that comes back."""
        await self._send(method, path, body)
        status, headers = await self._head()
        return status, await self._body(headers)

    async def events(self, path: str) -> AsyncIterator[tuple[str, dict[str, Any]]]:
        """Yield the name and data of each message of an event stream."""
        await self._send("GET", path, None)
        await self._head()
        assert self._reader
        name = ""
        while line := await self._reader.readline():
            text = line.rstrip(b"\r\n")
            if text.startswith(b"event: "):
                name = text[7:].decode()
            elif text.startswith(b"data: "):
                yield name, json.loads(text[6:])

    async def _send(self, method: str, path: str, body: Any) -> None:
        assert self._writer
        content = b"" if body is None else json.dumps(body).encode()
        kind = "content-type: application/json\r\n" if content else ""
        head = (
            f"{method} {path} HTTP/1.1\r\nhost: {self._host}:{self._port}\r\n{self._headers}{kind}"
            f"content-length: {len(content)}\r\n\r\n"
        )
        self._writer.write(head.encode() + content)

    async def _head(self) -> tuple[int, dict[str, str]]:
        assert self._reader
        lines = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {k.lower(): v for k, _, v in (line.partition(": ") for line in lines[1:] if line)}
        return int(lines[0].split()[1]), headers

    async def _body(self, headers: dict[str, str]) -> Any:
        assert self._reader
        content = await self._reader.readexactly(int(headers.get("content-length", "0")))
        return json.loads(content) if content else None
