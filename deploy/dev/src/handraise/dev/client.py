"""Speaks with a running Handraise over HTTP as one person, and waits by its event stream, never by the clock."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import httpx
import msgspec

from handraise.dev.state import Person

T = TypeVar("T")
Json = dict[str, Any]


class Routes:
    """Every address this client knows, so that one place follows when they move."""

    SESSION = "/api/session"
    ME = "/api/me"
    CHANNELS = "/api/channels"
    EVENTS = "/api/events"
    REQUESTS = "/api/requests"

    @staticmethod
    def messages(channel_id: str) -> str:
        return f"/api/channels/{channel_id}/messages"

    @staticmethod
    def thread(channel_id: str, thread_id: str) -> str:
        return f"/api/channels/{channel_id}/threads/{thread_id}"

    @staticmethod
    def job(job_id: str) -> str:
        return f"/api/jobs/{job_id}"

    @staticmethod
    def task(task_id: str) -> str:
        return f"/api/tasks/{task_id}"

    @staticmethod
    def request(request_id: str, verb: str) -> str:
        return f"/api/requests/{request_id}/{verb}"

    @staticmethod
    def action(action_id: str, verb: str) -> str:
        return f"/api/actions/{action_id}/{verb}"


CSRF_HEADER = "X-CSRF-Token"
ENDED = ("done", "stopped", "failed")


class Posted(msgspec.Struct, frozen=True):
    """What the gateway said of a message it took."""

    message_id: str
    thread_id: str | None
    job_id: str | None
    request_id: str | None = None

    @property
    def root(self) -> str:
        """The thread it belongs to, or would begin."""
        return self.thread_id or self.message_id

    @property
    def job(self) -> str:
        """The job it started. Raises RuntimeError when it started none."""
        if self.job_id is None:
            raise RuntimeError("the message started no job")
        return self.job_id


class Refused(RuntimeError):
    """The gateway answered with a problem. `status` is HTTP's, `problem` its body."""

    def __init__(self, status: int, problem: Json) -> None:
        super().__init__(f"{status}: {problem.get('detail') or problem.get('title') or problem}")
        self.status = status
        self.problem = problem


class Client:
    """One person, signed in. Made by `signed_in`."""

    def __init__(self, http: httpx.AsyncClient, person: Person) -> None:
        self.http = http
        self.person = person
        self._changes = 0
        self._changed = asyncio.Condition()
        self._channels: dict[str, str] = {}

    async def get(self, path: str, **parameters: str) -> Any:
        """Read. Raises Refused."""
        return _body(await self.http.get(path, params=parameters))

    async def send(self, path: str, content: Json | None = None) -> Any:
        """Write. Raises Refused."""
        return _body(await self.http.post(path, json=content or {}))

    async def channel_id(self, name: str) -> str:
        """Return the id of the channel of this name."""
        if name not in self._channels:
            listed = await self.get(Routes.CHANNELS)
            self._channels = {channel["name"]: channel["id"] for channel in listed}
        return self._channels[name]

    async def post(self, channel: str, body: str, thread_id: str | None = None) -> Posted:
        """Write into a channel."""
        content = {"body": body} | ({"thread_id": thread_id} if thread_id else {})
        answer = await self.send(Routes.messages(await self.channel_id(channel)), content)
        return msgspec.convert(answer, Posted)

    async def thread(self, channel: str, thread_id: str) -> list[Json]:
        """Return the messages of a thread, oldest first."""
        found = await self.get(Routes.thread(await self.channel_id(channel), thread_id))
        messages: list[Json] = found["messages"]
        return messages

    async def job(self, job_id: str) -> Json:
        """Return a job."""
        job: Json = await self.get(Routes.job(job_id))
        return job

    async def task(self, task_id: str) -> Json:
        """Return a task."""
        task: Json = await self.get(Routes.task(task_id))
        return task

    async def open_requests(self, job_id: str | None = None) -> list[Json]:
        """Return what waits for this person, of one job or of all."""
        requests = await self.get(Routes.REQUESTS, status="open")
        return [request for request in requests if job_id in (None, request["job_id"])]

    async def answer(self, request_id: str, *, option: str | None = None, text: str | None = None) -> Any:
        """Answer a question with one of its options, or in words of one's own."""
        content = {"option": option} if option is not None else {"text": text or ""}
        return await self.send(Routes.request(request_id, "answer"), content)

    async def decline(self, request_id: str) -> Any:
        """Leave a question unanswered; the work goes on without."""
        return await self.send(Routes.request(request_id, "decline"))

    async def cancel(self, request_id: str) -> Any:
        """Stop the work that asked."""
        return await self.send(Routes.request(request_id, "cancel"))

    async def confirm(self, action_id: str) -> Any:
        """Say yes to a proposed action."""
        return await self.send(Routes.action(action_id, "confirm"))

    async def reject(self, action_id: str, reason: str = "") -> Any:
        """Say no to a proposed action."""
        return await self.send(Routes.action(action_id, "reject"), {"reason": reason})

    async def until(self, look: Callable[[], Awaitable[T | None]], within: float = 20.0) -> T:
        """Return what `look` finds, looking once now and again after each event. Raises TimeoutError."""
        async with asyncio.timeout(within):
            while True:
                seen = self._changes
                found = await look()
                if found is not None:
                    return found
                async with self._changed:
                    await self._changed.wait_for(lambda seen=seen: self._changes > seen)  # type: ignore[misc]

    async def until_asked(self, job_id: str, but: Collection[str] = (), within: float = 20.0) -> Json:
        """Return an open request of the job, once there is one whose id is not in `but`.

        Name there what was just decided: the broker takes a decision before the database shows it. Raises
        TimeoutError, or RuntimeError when the job ended instead.
        """

        async def look() -> Json | None:
            requests = [r for r in await self.open_requests(job_id) if r["id"] not in but]
            if not requests and (await self.job(job_id))["status"] in ENDED:
                raise RuntimeError(f"the job ended without asking: {await self.job(job_id)}")
            return requests[0] if requests else None

        return await self.until(look, within)

    async def until_job(self, job_id: str, statuses: Collection[str] = ENDED, within: float = 20.0) -> Json:
        """Return the job, once it has one of these statuses. Raises TimeoutError."""

        async def look() -> Json | None:
            job = await self.job(job_id)
            return job if job["status"] in statuses else None

        return await self.until(look, within)

    async def listen(self) -> None:
        """Follow the event stream for good; a lost stream is opened again and counts as a change."""
        while True:
            with contextlib.suppress(httpx.TransportError, Refused):
                async with self.http.stream(
                    "GET", Routes.EVENTS, timeout=httpx.Timeout(5, read=60)
                ) as stream:
                    if stream.status_code != 200:
                        await stream.aread()
                        _body(stream)
                    await self._note()
                    async for line in stream.aiter_lines():
                        if line.startswith("data:"):
                            await self._note()
            await asyncio.sleep(0.1)  # the gateway is away: no event can come

    async def _note(self) -> None:
        async with self._changed:
            self._changes += 1
            self._changed.notify_all()


@asynccontextmanager
async def signed_in(url: str, person: Person) -> AsyncIterator[Client]:
    """Sign in with cookie and CSRF token, listen to events, and sign out at the end."""
    async with httpx.AsyncClient(base_url=url, timeout=15) as http:
        session = _body(
            await http.post(Routes.SESSION, json={"email": person.email, "password": person.password})
        )
        http.headers[CSRF_HEADER] = session["csrf"]
        client = Client(http, person)
        listening = asyncio.create_task(client.listen())
        try:
            yield client
        finally:
            listening.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await listening
            with contextlib.suppress(httpx.TransportError):
                await http.delete(Routes.SESSION)


def _body(response: httpx.Response) -> Any:
    try:
        body = response.json() if response.content else {}
    except ValueError:
        body = {"detail": response.text[:500]}
    if response.is_error:
        raise Refused(response.status_code, body if isinstance(body, dict) else {"detail": str(body)})
    return body
