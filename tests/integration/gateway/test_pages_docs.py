"""Docs on their pages: read by whom they are for, written by hand."""

from uuid import uuid4

from handraise.dev.sample import sample_id
from tests.integration.gateway.browsing import browsing, value_of
from tests.support.stack import House

ATLAS = str(sample_id("project", "ATL"))


async def test_a_doc_is_created_in_a_project_and_read_by_its_members_alone(stack: House) -> None:
    title = f"Plan {uuid4().hex}"
    async with browsing(stack, "ada") as ada:
        form = await ada.page(f"/docs/new?project={ATLAS}")
        assert f'value="{ATLAS}" selected' in form
        answer = await ada.post(
            "/docs",
            key=value_of(form, "key"),
            title=title,
            body="# Why\r\n\r\n<b>not</b> **bold**",
            project=ATLAS,
        )
        path = answer.headers["location"]
        page = await ada.page(path)
        assert f"Created doc “{title}”." in page
        assert '<h2 dir="auto">Why</h2>' in page
        assert "&lt;b&gt;not&lt;/b&gt; <strong>bold</strong>" in page
        assert title in await ada.page("/docs")
    async with browsing(stack, "ben") as ben:
        assert title in await ben.page(path)
        assert title in await ben.page(f"/docs?project={ATLAS}")
    async with browsing(stack, "eve") as eve:
        assert (await eve.get(path)).status_code == 404
        assert title not in await eve.page("/docs")


async def test_a_doc_of_ones_own_is_read_by_nobody_else(stack: House) -> None:
    title = f"Diary {uuid4().hex}"
    async with browsing(stack, "ada") as ada:
        answer = await ada.post("/docs", title=title, body="Dear diary", project="")
        path = answer.headers["location"]
        assert "Only you" in await ada.page(path)
    async with browsing(stack, "ben") as ben:
        assert (await ben.get(path)).status_code == 404
        assert title not in await ben.page("/docs")


async def test_a_doc_that_could_not_be_created_stays_in_the_form(stack: House) -> None:
    async with browsing(stack, "ben") as ben:
        answer = await ben.post("/docs", title="", body="Long words\n", project=ATLAS)
        assert answer.status_code == 422
        assert "The title is empty" in answer.text
        assert "Long words\n</textarea>" in answer.text
        assert f'value="{ATLAS}" selected' in answer.text
        answer = await ben.post("/docs", title="Lost", body="", project="nowhere")
        assert answer.status_code == 422
        assert 'value="Lost"' in answer.text
    async with browsing(stack, "eve") as eve:
        answer = await eve.post("/docs", title="Mine", body="", project=ATLAS)
        assert answer.status_code in (403, 404)
