"""One piece of work as a person follows it over HTTP: what they wrote, what is asked, how it ends."""

from typing import Any

from handraise.dev.client import Client

Json = dict[str, Any]


class Talk:
    """A thread that somebody began with an agent. Waits for events, never for time."""

    def __init__(self, client: Client, channel: str, root: str, job: str) -> None:
        self.client = client
        self.channel = channel
        self.root = root
        self.job = job
        self._asked: set[str] = set()

    @classmethod
    async def begin(cls, client: Client, body: str, channel: str = "release") -> "Talk":
        """Write to an agent in a channel."""
        posted = await client.post(channel, body)
        return cls(client, channel, posted.root, posted.job)

    def seen_by(self, client: Client) -> "Talk":
        """Return the same thread over somebody else's connection."""
        talk = Talk(client, self.channel, self.root, self.job)
        talk._asked = set(self._asked)
        return talk

    async def until_asked(self, within: float = 30.0) -> Json:
        """Return the next request of the work, once its card stands in the thread."""
        request = await self.client.until_asked(self.job, but=self._asked, within=within)
        self._asked.add(request["id"])
        await self.until_said(lambda message: message["request_id"] == request["id"], within)
        return request

    async def until_ended(self, within: float = 30.0) -> Json:
        """Return the job, once it ended and its last word stands in the thread."""
        job = await self.client.until_job(self.job, within=within)
        await self.until_said(lambda message: message["body"] == (job["final"] or job["reason"]), within)
        return job

    async def until_said(self, wanted: Any, within: float = 30.0) -> Json:
        """Return the first message of the thread that is wanted, once it is there."""

        async def look() -> Json | None:
            return next((message for message in await self.said() if wanted(message)), None)

        return await self.client.until(look, within)

    async def said(self) -> list[Json]:
        """Return the thread's messages, oldest first."""
        return await self.client.thread(self.channel, self.root)

    async def bodies(self, kind: str) -> list[str]:
        """Return the words of the thread's messages of one kind."""
        return [message["body"] for message in await self.said() if message["kind"] == kind]


def tools_of(job: Json) -> list[str]:
    """Return the names of the tools that a job called, in order."""
    return [call["tool"] for round in job["rounds"] for call in round["calls"]]
