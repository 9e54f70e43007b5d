"""Docs on their pages: read by whom they are for, written and changed by hand."""

from uuid import uuid4

import pytest

from handraise.dev.sample import sample_id
from tests.integration.gateway.browsing import Browser, browsing, value_of
from tests.support.stack import House

ATLAS = f"project:{sample_id('project', 'ATL')}"
TEAM = f"team:{sample_id('team', 'Product')}"


async def a_doc(browser: Browser, readers: str = ATLAS, **fields: str) -> str:
    """Create a doc and return its path."""
    words = {"title": "Plan", "body": "One\n", **fields}
    answer = await browser.post("/docs", readers=readers, **words)
    assert answer.status_code == 303, answer.text
    path: str = answer.headers["location"]
    return path


async def test_a_doc_is_created_in_a_project_and_read_by_its_members_alone(stack: House) -> None:
    title = f"Plan {uuid4().hex}"
    async with browsing(stack, "ada") as ada:
        form = await ada.page(f"/docs/new?project={ATLAS.partition(':')[2]}")
        assert f'value="{ATLAS}" selected' in form
        path = await a_doc(
            ada,
            key=value_of(form, "key"),
            title=title,
            body="# Why\r\n\r\n<b>not</b> **bold**\r\n\r\n- [x] cut",
        )
        page = await ada.page(path)
        assert f"Created doc “{title}”." in page
        assert '<h2 dir="auto">Why</h2>' in page
        assert "&lt;b&gt;not&lt;/b&gt; <strong>bold</strong>" in page
        assert "☑ cut" in page
        assert title in await ada.page("/docs")
    async with browsing(stack, "ben") as ben:
        assert title in await ben.page(path)
        assert title in await ben.page(f"/docs?project={ATLAS.partition(':')[2]}")
    async with browsing(stack, "eve") as eve:
        assert (await eve.get(path)).status_code == 404
        assert title not in await eve.page("/docs")


@pytest.mark.parametrize(
    ("readers", "chosen", "ben_reads", "eve_reads"),
    [
        ("private", "Only you", False, False),
        (TEAM, "Team Product", True, False),
        ("workspace", "Everybody in Acme", True, False),
    ],
)
async def test_whoever_a_doc_is_for_reads_it_and_nobody_else(
    stack: House, readers: str, chosen: str, ben_reads: bool, eve_reads: bool
) -> None:
    async with browsing(stack, "ada") as ada:
        path = await a_doc(ada, readers)
        assert chosen in await ada.page(path)
    async with browsing(stack, "ben") as ben, browsing(stack, "eve") as eve:
        assert ((await ben.get(path)).status_code == 200) is ben_reads
        assert ((await eve.get(path)).status_code == 200) is eve_reads


async def test_a_doc_that_could_not_be_created_stays_in_the_form(stack: House) -> None:
    async with browsing(stack, "ben") as ben:
        answer = await ben.post("/docs", title="", body="Long words\n", readers=ATLAS)
        assert answer.status_code == 422
        assert "The title is empty" in answer.text
        assert "Long words\n</textarea>" in answer.text
        assert f'value="{ATLAS}" selected' in answer.text
        for nonsense in ("project:nowhere", "everybody", "", "project:"):
            answer = await ben.post("/docs", title="Lost", body="", readers=nonsense)
            assert answer.status_code in (303, 422), nonsense
    async with browsing(stack, "eve") as eve:
        answer = await eve.post("/docs", title="Mine", body="", readers=ATLAS)
        assert answer.status_code in (403, 404)


async def test_a_doc_is_written_anew_and_what_it_was_is_kept(stack: House) -> None:
    async with browsing(stack, "ada") as ada:
        path = await a_doc(ada, title="Draft", body="First words")
        form = await ada.page(f"{path}/edit")
        assert "\nFirst words</textarea>" in form
        page = await ada.sent(
            f"{path}/edit", title="Final", body="Second words", version=value_of(form, "version")
        )
        assert "Changed doc “Final”." in page
        assert "Second words" in page
        assert f"{path}/versions/1" in page
        old = await ada.page(f"{path}/versions/1")
        assert "First words" in old
        assert '<h1 dir="auto">Draft</h1>' in old
        assert (await ada.get(f"{path}/versions/7")).status_code == 404
    async with browsing(stack, "eve") as eve:
        assert (await eve.get(f"{path}/versions/1")).status_code == 404


async def test_whoever_loses_two_edits_at_once_is_told_and_keeps_their_words(stack: House) -> None:
    async with browsing(stack, "ada") as ada, browsing(stack, "ben") as ben:
        path = await a_doc(ada, title="Two pens", body="Nobody's words")
        seen = value_of(await ben.page(f"{path}/edit"), "version")
        await ada.sent(f"{path}/edit", title="Two pens", body="Words of Ada", version=seen)
        lost = await ben.post(f"{path}/edit", title="Three pens", body="Words of Ben\n", version=seen)
        assert lost.status_code == 409
        assert "was changed by somebody else meanwhile" in lost.text
        assert "Words of Ada" in lost.text
        assert "\nWords of Ben\n</textarea>" in lost.text
        assert 'value="Three pens"' in lost.text
        assert "Words of Ada" in await ben.page(path)
        page = await ben.sent(
            f"{path}/edit", title="Three pens", body="Words of both", version=value_of(lost.text, "version")
        )
        assert "Words of both" in page


async def test_what_is_added_at_the_end_takes_nothing_away(stack: House) -> None:
    async with browsing(stack, "ada") as ada, browsing(stack, "ben") as ben:
        path = await a_doc(ada, body="The beginning")
        page = await ben.sent(f"{path}/append", text="The end")
        assert page.index("The beginning") < page.index("The end")
        assert "changed" in page
        assert "by Ben Okafor" in page
        answer = await ben.post(f"{path}/append", text=" \n")
        assert answer.status_code == 422
        assert "is empty" in answer.text
        assert 'id="append-fold" open' in answer.text


async def test_who_may_only_read_is_offered_no_change_and_refused_one(stack: House) -> None:
    async with browsing(stack, "chen") as chen:
        answer = await chen.post("/docs", title="Mine alone", body="x", readers="private")
        hidden = answer.headers["location"]
    async with browsing(stack, "ben") as ben:
        for verb, words in (("edit", {"title": "y", "body": "y"}), ("append", {"text": "y"})):
            assert (await ben.post(f"{hidden}/{verb}", **words)).status_code == 404
        assert (await ben.get(f"{hidden}/edit")).status_code == 404
