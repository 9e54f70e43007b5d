"""A local server that plays the wire format of an OpenAI-compatible endpoint, its faults included."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Played:
    """What the endpoint sends back to one request. `hang` keeps the connection open and says no more."""

    status: int = 200
    body: bytes = b""
    content_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()
    hang: bool = False
    drip: bool = False
    hang_up: bool = False


@dataclass
class Provider:
    """The endpoint: plays one `Played` a request, the last one for ever, and keeps what it was sent."""

    url: str
    playing: list[Played] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)

    def plays(self, *played: Played) -> None:
        """Set what the coming requests get."""
        self.playing[:] = played


def completion(
    content: object = "Hello.", *, finish: str | None = "stop", usage: object = ..., **message: object
) -> Played:
    """Return a chat completion as OpenAI writes it."""
    body: dict[str, object] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_772_000_000,
        "model": "served-model",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": content, **message},
                "finish_reason": finish,
            }
        ],
    }
    if usage is ...:
        body["usage"] = {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14}
    elif usage is not None:
        body["usage"] = usage
    return Played(body=json.dumps(body).encode())


def failure(status: int, message: str = "no", *, code: str | None = None, **headers: str) -> Played:
    """Return an error as OpenAI writes it. Header names are given with underscores."""
    body = {"error": {"message": message, "type": "error", "param": None, "code": code}}
    named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return Played(status, json.dumps(body).encode(), headers=named)


@asynccontextmanager
async def running_provider() -> AsyncIterator[Provider]:
    """Serve on a free port of this machine until the block ends."""
    provider = Provider(url="")
    open_tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        open_tasks.add(task)
        try:
            while await _one(provider, reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            open_tasks.discard(task)
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    provider.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    try:
        yield provider
    finally:
        server.close()
        for task in list(open_tasks):
            task.cancel()
        await asyncio.gather(*open_tasks, return_exceptions=True)
        await server.wait_closed()


async def _one(provider: Provider, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    """Answer one request; return whether the connection stays."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    lines = head.split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    provider.paths.append(lines[0].split(" ")[1])
    provider.keys.append(headers.get("authorization", ""))
    provider.requests.append(json.loads(body))
    played = provider.playing.pop(0) if len(provider.playing) > 1 else provider.playing[0]
    if played.hang_up:
        return False
    if played.hang:
        await asyncio.Event().wait()
    extra = "".join(f"{name}: {value}\r\n" for name, value in played.headers)
    kind = f"content-type: {played.content_type}\r\n" if played.content_type else ""
    length = len(played.body) + (1 if played.drip else 0)
    writer.write(
        f"HTTP/1.1 {played.status} X\r\n{kind}content-length: {length}\r\n{extra}\r\n".encode() + played.body
    )
    await writer.drain()
    if played.drip:
        await asyncio.Event().wait()
    return True
