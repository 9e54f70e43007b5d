"""Who is let in, with what, and until when."""

import asyncio
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from handraise.common.passwords import hash_password, new_token, token_hash
from handraise.gateway import auth, sessions
from tests.support.inhouse import InHouse, People
from tests.support.records import announce_rights


@pytest.fixture
async def slug(people: People) -> str:
    """The workspace's name on the sign-in page; Ada has a password."""
    await people.world.run(
        "UPDATE members SET password_hash = $2, email = 'ada@example.org' WHERE id = $1",
        people.ada,
        hash_password("ada-asks-first"),
    )
    found: str = await people.world.value("SELECT slug FROM workspaces WHERE id = $1", people.id)
    return found


def _http(house: InHouse, **headers: str) -> httpx.AsyncClient:
    return httpx.AsyncClient(base_url=house.url, timeout=15, headers=headers)


async def _sign_in(http: httpx.AsyncClient, slug: str, **more: Any) -> httpx.Response:
    content = {"email": "ada@example.org", "password": "ada-asks-first", "workspace": slug} | more
    return await http.post("/api/session", json=content)


async def test_a_session_lets_in_and_signing_out_ends_it(house: InHouse, slug: str, people: People) -> None:
    async with _http(house) as http:
        signed = await _sign_in(http, slug, email="  ADA@example.org ")
        assert signed.status_code == 200
        cookie = signed.headers["set-cookie"]
        assert "httponly" in cookie.lower()
        assert "samesite=lax" in cookie.lower()
        assert (await http.get("/api/me")).json()["member_id"] == str(people.ada)
        out = await http.delete("/api/session", headers={"X-CSRF-Token": signed.json()["csrf"]})
        assert out.status_code == 204
        http.cookies.set(auth.COOKIE, cookie.split("=", 1)[1].split(";")[0])
        assert (await http.get("/api/me")).status_code == 401
    tags = "SELECT array_agg(tag ORDER BY at) FROM audit WHERE actor_id = $1"
    assert await people.world.value(tags, people.ada) == ["member:sign-in", "member:sign-out"]


async def test_every_way_of_being_wrong_looks_the_same_and_takes_the_same_path(
    house: InHouse, slug: str, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[str] = []
    verify = sessions.verify

    def watched(password: str, stored: str | None) -> bool:
        checked.append(password)
        return verify(password, stored)

    monkeypatch.setattr(sessions, "verify", watched)
    await people.world.run(
        "UPDATE members SET password_hash = $2, status = 'deactivated', email = 'ben@example.org' WHERE id = $1",
        people.ben,
        hash_password("ben-asks-first"),
    )
    await people.world.run("UPDATE members SET email = 'eve@example.org' WHERE id = $1", people.eve)
    wrong: list[dict[str, Any]] = [
        {"password": "wrong"},
        {"email": "nobody@example.org"},
        {"email": "ben@example.org", "password": "ben-asks-first"},
        {"email": "eve@example.org", "password": ""},
        {"workspace": "no-such-place"},
        {"email": "ada@example.org' OR '1'='1"},
    ]
    async with _http(house) as http:
        answers = [await _sign_in(http, slug, **way) for way in wrong]
        assert len(checked) == len(wrong)  # a decoy is hashed where there is nobody
        nul = await _sign_in(http, slug, email="ada@example.org\x00")
    assert {answer.status_code for answer in (*answers, nul)} == {401}
    told = [{k: v for k, v in answer.json().items() if k != "trace_id"} for answer in (*answers, nul)]
    assert all(body == told[0] for body in told)
    assert told[0]["code"] == "sign_in_failed"
    assert not any("set-cookie" in answer.headers for answer in answers)


async def test_without_a_session_nothing_is_answered_but_the_open_doors(house: InHouse) -> None:
    async with _http(house) as http:
        schema = (await http.get("/api/schema/openapi.json")).json()
        for path, item in schema["paths"].items():
            for method in item:
                if (method, path) == ("post", "/api/session"):
                    continue
                address = re.sub(r"\{\w+_id\}", "0b0f2a52-3a0f-4b8e-9a53-7d0c5a1e9f10", path)
                address = address.replace("{seq}", "1")
                content = None if method == "get" else {}
                answer = await http.request(method.upper(), address, json=content)
                # Nobody's body is read, and nobody's parameters: whoever is not signed in learns nothing.
                assert answer.status_code == 401, (method, path, answer.text)
                assert answer.headers["www-authenticate"] == "Bearer"
        for path in ("/healthz", "/readyz"):
            assert (await http.get(path)).status_code == 200


async def test_an_expired_session_is_none(house: InHouse, people: People) -> None:
    token = f"{people.id.hex}.{new_token()}"
    await people.world.put(
        "sessions",
        token_hash=token_hash(token),
        member_id=people.ada,
        kind="bearer",
        expires_at=datetime.now(UTC) - timedelta(seconds=1),
    )
    async with _http(house, authorization=f"Bearer {token}") as http:
        assert (await http.get("/api/me")).status_code == 401


async def test_a_session_that_is_in_use_ends_at_its_time_and_not_later(
    house: InHouse, people: People
) -> None:
    token = f"{people.id.hex}.{new_token()}"
    ends = datetime.now(UTC) + timedelta(seconds=2)
    await people.world.put(
        "sessions", token_hash=token_hash(token), member_id=people.ada, kind="bearer", expires_at=ends
    )
    async with _http(house, authorization=f"Bearer {token}") as http:
        assert (await http.get("/api/me")).status_code == 200
        over = asyncio.Event()
        asyncio.get_running_loop().call_later((ends - datetime.now(UTC)).total_seconds() + 0.05, over.set)
        await over.wait()
        assert (await http.get("/api/me")).status_code == 401


async def test_a_deactivated_member_is_out_as_soon_as_it_is_told(house: InHouse, people: People) -> None:
    async with house.as_(people.world, people.ben) as ben:
        assert (await ben.http.get("/api/me")).status_code == 200
        await people.world.run("UPDATE members SET status = 'deactivated' WHERE id = $1", people.ben)
        await announce_rights(house.nats_url, people.id)

        async def out() -> bool | None:
            return True if (await ben.http.get("/api/me")).status_code == 401 else None

        async with asyncio.timeout(10):
            while not await out():
                pass
        written = await ben.http.post(f"/api/channels/{people.channel}/messages", json={"body": "still here"})
        assert written.status_code == 401


@pytest.mark.parametrize("given", [None, "", "wrong", "ключ"], ids=["none", "empty", "wrong", "not latin"])
async def test_a_change_by_cookie_needs_its_csrf_token(
    given: str | None, house: InHouse, people: People
) -> None:
    async with house.as_(people.world, people.ada) as ada:
        del ada.http.headers["X-CSRF-Token"]
        headers = [] if given is None else [(b"X-CSRF-Token", given.encode())]
        path = f"/api/channels/{people.channel}/messages"
        refused = await ada.http.post(path, json={"body": "hello"}, headers=headers)
        assert (refused.status_code, refused.json()["code"]) == (403, "csrf")
        form = await ada.http.post(path, data={"body": "hello"}, headers=headers)
        assert form.status_code in (400, 403)
    assert await people.world.value("SELECT count(*) FROM messages") == 0


async def test_a_bearer_token_acts_as_its_maker_and_needs_no_csrf_token(
    house: InHouse, people: People
) -> None:
    async with house.as_(people.world, people.ada) as ada:
        made = await ada.send("/api/tokens", {"name": "nightly", "days": 1})
        for content in ({"name": "", "days": 1}, {"name": "x", "days": 0}, {"name": "x", "days": 366}):
            assert (await ada.http.post("/api/tokens", json=content)).status_code == 400
    async with _http(house, authorization=f"Bearer {made['token']}") as http:
        assert (await http.get("/api/me")).json()["member_id"] == str(people.ada)
        posted = await http.post(f"/api/channels/{people.channel}/messages", json={"body": "by night"})
        assert posted.status_code == 202
        assert (await http.delete("/api/session")).status_code == 204
        assert (await http.get("/api/me")).status_code == 401
    stored = await people.world.value(
        "SELECT count(*) FROM sessions WHERE token_hash = $1", made["token"].encode()
    )
    assert stored == 0


@pytest.mark.parametrize("token", ["x", ".", "0" * 32, f"{'0' * 32}.x", "é" * 40, "a" * 5_000])
async def test_a_token_that_is_none_lets_nobody_in(token: str, house: InHouse, people: People) -> None:
    async with _http(house) as http:
        headers = [(b"authorization", b"Bearer " + token.encode())]
        assert (await http.get("/api/me", headers=headers)).status_code in (401, 400)


async def test_a_token_of_one_workspace_opens_no_other(house: InHouse, people: People) -> None:
    async with house.as_(people.world, people.ada) as ada:
        made = (await ada.send("/api/tokens", {"name": "nightly"}))["token"]
    forged = f"{'0b0f2a523a0f4b8e9a537d0c5a1e9f10'}.{made.partition('.')[2]}"
    async with _http(house, authorization=f"Bearer {forged}") as http:
        assert (await http.get("/api/me")).status_code == 401
