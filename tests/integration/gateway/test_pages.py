"""The pages over HTTP, as a browser without script asks for them."""

import re
from uuid import uuid4

import pytest

from handraise.dev.sample import person
from tests.integration.gateway.browsing import browsing, channel, task, without_ids
from tests.support.stack import House


async def test_whoever_is_not_signed_in_is_led_to_the_way_in_and_back(stack: House) -> None:
    async with browsing(stack, None) as nobody:
        for path in ("/", channel(), task(), "/tasks", "/jobs", "/more"):
            answer = await nobody.get(path)
            target = "/signin" if path == "/" else f"/signin?next={path}"
            assert (answer.status_code, answer.headers["location"]) == (303, target)
        who = person("eve")
        answer = await nobody.http.post(
            "/signin", data={"email": who.email, "password": who.password, "next": "/tasks"}
        )
        assert answer.headers["location"] == "/tasks"


async def test_a_live_part_of_a_page_whose_session_has_ended_leads_the_page_to_the_way_in(
    stack: House,
) -> None:
    async with browsing(stack, None) as nobody:
        answer = await nobody.get("/?part=needs", **{"hx-request": "true"})
        assert (answer.status_code, answer.text) == (200, "")
        assert answer.headers["hx-redirect"] == "/signin"


async def test_a_wrong_password_is_told_the_same_way_as_a_stranger(stack: House) -> None:
    async with browsing(stack, None) as nobody:
        pages = []
        for email in ("ada@acme.example", "nobody@acme.example"):
            answer = await nobody.http.post("/signin", data={"email": email, "password": "a guess"})
            assert answer.status_code == 401
            pages.append(answer.text.replace(email, "*"))
        assert pages[0] == pages[1]


async def test_the_way_in_leads_nowhere_else(stack: House) -> None:
    who = person("eve")
    async with browsing(stack, None) as nobody:
        answer = await nobody.http.post(
            "/signin",
            data={"email": who.email, "password": who.password, "next": "//evil.example/"},
        )
        assert answer.headers["location"] == "/"


async def test_what_is_not_there_and_what_is_not_theirs_is_the_same_page(stack: House) -> None:
    async with browsing(stack, "eve") as eve:
        for kind, path in (("channels", channel()), ("tasks", task()), ("jobs", f"/jobs/{uuid4()}")):
            theirs = await eve.get(path)
            nowhere = await eve.get(f"/{kind}/{uuid4()}")
            assert theirs.status_code == nowhere.status_code == 404
            assert without_ids(theirs.text) == without_ids(nowhere.text)
        assert (await eve.get("/tasks/not-an-id")).status_code == 404


async def test_a_form_without_its_token_does_nothing(stack: House) -> None:
    async with browsing(stack, "ada") as ada:
        for path in (
            channel(),
            f"{task()}/status",
            f"/requests/{uuid4()}/answer",
            f"/actions/{uuid4()}/confirm",
        ):
            answer = await ada.http.post(path, data={"body": "forged", "status": "done", "option": "x"})
            assert answer.status_code == 403, path
            assert "csrf" in answer.text
        assert "forged" not in (await ada.get(channel())).text


async def test_no_link_ever_decides_anything(stack: House) -> None:
    async with browsing(stack, "ada") as ada:
        for path in (
            f"/requests/{uuid4()}/answer?option=x",
            f"/requests/{uuid4()}/decline",
            f"/requests/{uuid4()}/cancel",
            f"/actions/{uuid4()}/confirm",
            f"/actions/{uuid4()}/reject",
            f"{task()}/status?status=done",
            "/signout",
        ):
            assert (await ada.get(path)).status_code == 405, path


@pytest.mark.parametrize("verb", ["answer", "decline", "cancel"])
async def test_a_request_of_nobody_is_not_found(stack: House, verb: str) -> None:
    async with browsing(stack, "ada") as ada:
        assert (await ada.post(f"/requests/{uuid4()}/{verb}", text="x")).status_code == 404


async def test_somebody_elses_question_is_answered_by_nobody_but_them(stack: House) -> None:
    async with stack.as_("ada") as ada:
        posted = await ada.post("release", "@ray ask me: Which colour? red, green or blue")
        request = await ada.until_asked(posted.job)
    async with browsing(stack, "ben") as ben:
        page = await ben.get(f"{channel()}/threads/{posted.root}")
        assert "for Ada Lindqvist to answer" in page.text
        assert f"/requests/{request['id']}/answer" not in page.text
        answer = await ben.post(f"/requests/{request['id']}/answer", option="red", back="/tasks")
        assert (answer.status_code, answer.headers["location"]) == (303, "/tasks")
        assert "Not permitted." in (await ben.get("/tasks")).text
        # It is told once.
        assert "Not permitted." not in (await ben.get("/tasks")).text


async def test_words_that_were_refused_wait_in_the_composer(stack: House) -> None:
    async with browsing(stack, "ada") as ada:
        answer = await ada.post(channel(), body="x" * 20_001, back=channel())
        assert answer.status_code == 303
        page = await ada.get(channel())
        assert "at most 20,000 fit" in page.text
        empty = await ada.post(channel(), body="   ", back=channel())
        assert empty.status_code == 303
        assert "the message is empty" in (await ada.get(channel())).text


async def test_a_message_that_is_sent_twice_stands_there_once(stack: House) -> None:
    words, key = f"once {uuid4()}", str(uuid4())
    async with browsing(stack, "ada") as ada:
        for _ in range(2):
            await ada.post(channel(), body=words, message_id=key, back=channel())
        assert (await ada.get(channel())).text.count(words) == 1


async def test_what_people_write_is_shown_and_never_run(stack: House) -> None:
    mark = uuid4().hex
    async with browsing(stack, "ada") as ada:
        await ada.post(channel(), body=f"{mark} <script>alert(1)</script> **bold**", back=channel())
        page = (await ada.get(channel())).text
    assert f"{mark} &lt;script&gt;alert(1)&lt;/script&gt; <strong>bold</strong>" in page


async def test_pages_hold_no_script_and_no_style_of_their_own(stack: House) -> None:
    async with browsing(stack, "ada") as ada:
        for path in ("/", channel(), task(), "/tasks", "/jobs", "/channels", "/more", "/signin", "/nowhere"):
            html = (await ada.get(path)).text
            assert not re.search(r"<script(?![^>]* src=)", html), path
            assert not re.search(r"<style|\sstyle=|\son[a-z]+=", html), path


async def test_pages_of_a_person_are_kept_nowhere_and_static_files_for_long(stack: House) -> None:
    async with browsing(stack, "ada") as ada:
        page = await ada.get("/")
        assert page.headers["cache-control"] == "no-store"
        addresses = re.findall(r'(?:src|href)="(/static/[^"]+)"', page.text)
        assert addresses
        for address in addresses:
            found = await ada.get(address)
            assert found.status_code == 200, address
            assert "max-age=31536000" in found.headers["cache-control"]


async def test_a_task_changes_by_hand_only_by_those_who_may(stack: House) -> None:
    path = task("ATL-126")
    async with browsing(stack, "ben") as ben:
        await ben.post(f"{path}/status", status="done", back=path)
        page = (await ben.get(path)).text
        assert "Not permitted." in page
        assert "could not change the status" in page
    async with browsing(stack, "ada") as ada:
        await ada.post(f"{path}/status", status="in_review", back=path)
        page = (await ada.get(path)).text
        assert "In review" in page
        assert "moved “Shorten the sign-up form” to In review" in page
        await ada.post(f"{path}/status", status="nonsense", back=path)
        assert "Choose one of the statuses." in (await ada.get(path)).text


async def test_an_announcement_channel_tells_who_may_write_there(stack: House) -> None:
    path = channel("announcements")
    async with browsing(stack, "ben") as ben:
        page = (await ben.get(path)).text
        assert "Only admins of #announcements write here. You are a member." in page
        assert "<textarea" not in page
        await ben.post(path, body="psst", back=path)
        page = (await ben.get(path)).text
        assert "Not permitted." in page
        assert '<p dir="auto">psst</p>' not in page
