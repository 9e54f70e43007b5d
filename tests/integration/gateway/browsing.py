"""A browser without script, for tests of pages: a cookie jar, and the forms it was given."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx

from handraise.dev.sample import person, sample_id
from tests.support.stack import House

ACCEPT = {"accept": "text/html,application/xhtml+xml"}
CSRF = re.compile(r'name="csrf" value="([^"]+)"')


class Browser:
    """One person's pages, as they come over HTTP."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http
        self.csrf = ""

    async def get(self, path: str, **headers: str) -> httpx.Response:
        return await self.http.get(path, headers=headers)

    async def page(self, path: str) -> str:
        """Return a page that has to be there."""
        answer = await self.http.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        return answer.text

    async def post(self, path: str, **fields: str) -> httpx.Response:
        return await self.http.post(path, data={"csrf": self.csrf, **fields})

    async def sent(self, path: str, **fields: str) -> str:
        """Send a form that has to be taken, and return the page that it leads to."""
        answer = await self.post(path, **fields)
        assert answer.status_code == 303, (path, answer.status_code, answer.text[:2000])
        return await self.page(answer.headers["location"])


@asynccontextmanager
async def browsing(stack: House, handle: str | None) -> AsyncIterator[Browser]:
    """Lend a browser, signed in as `handle`."""
    async with httpx.AsyncClient(base_url=stack.url, headers=ACCEPT, timeout=30) as http:
        browser = Browser(http)
        if handle:
            who = person(handle)
            answer = await http.post("/signin", data={"email": who.email, "password": who.password})
            assert (answer.status_code, answer.headers["location"]) == (303, "/")
            found = CSRF.search((await browser.get("/")).text)
            assert found
            browser.csrf = found[1]
        yield browser


def channel(name: str = "release") -> str:
    """Return the path of one of the sample's channels."""
    return f"/channels/{sample_id('channel', name)}"


def task(key: str = "ATL-118") -> str:
    """Return the path of one of the sample's tasks."""
    return f"/tasks/{sample_id('task', key)}"


def project(key: str = "ATL") -> str:
    """Return the path of one of the sample's projects."""
    return f"/projects/{sample_id('project', key)}"


def without_ids(html: str) -> str:
    """Return a page without what differs between any two: ids, moments, traces."""
    return re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32}|\d{2}:\d{2}:\d{2}", "*", html)


def value_of(html: str, name: str) -> str:
    """Return the value of the first field of that name on a page."""
    found = re.search(rf'name="{name}" value="([^"]*)"', html)
    assert found, f"no field {name}"
    return found[1]
