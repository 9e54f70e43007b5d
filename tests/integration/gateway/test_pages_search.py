"""Search on its page: only what may be read, safe to show, the same with and without script."""

import re
from uuid import uuid4

from tests.integration.gateway.browsing import browsing, channel
from tests.support.stack import House


def hits(html: str) -> list[str]:
    """Return the titles of what was found."""
    return re.findall(r'<p class="r-text"><a href="[^"]*" dir="auto">([^<]*)</a>', html)


async def test_what_is_found_is_marked_in_its_excerpt_and_leads_to_where_it_stands(stack: House) -> None:
    word = f"w{uuid4().hex[:10]}"
    async with browsing(stack, "ada") as ada:
        await ada.post(channel(), body=f"the <b>{word}</b> & more", back=channel())
        page = await ada.page(f"/search?q={word}")
        assert f"<mark>{word}</mark>" in page
        assert "<b>" not in page[page.index("hit-text") : page.index("</ol>")]
        assert "&amp; more" in page
        (title,) = hits(page)
        assert title == "Ada Lindqvist in #release"
        link = re.search(r'<p class="r-text"><a href="([^"#]*)#', page)
        assert link
        assert word in await ada.page(link[1])
        assert hits(await ada.page(f"/search?q={word}&kind=task")) == []
        assert len(hits(await ada.page(f"/search?q={word}&kind=message"))) == 1
        assert len(hits(await ada.page(f"/search?q={word}&kind=nonsense"))) == 1
    async with browsing(stack, "eve") as eve:
        page = await eve.page(f"/search?q={word}")
        assert hits(page) == []
        assert "Nothing found" in page


async def test_a_task_is_found_by_its_key_and_a_person_by_their_name(stack: House) -> None:
    async with browsing(stack, "ada") as ada:
        assert hits(await ada.page("/search?q=ATL-118"))[0] == "ATL-118 Fix login bug"
        people = await ada.page("/search?q=okafor&kind=person")
        assert hits(people) == ["Ben Okafor @ben"]
        link = re.search(r'<p class="r-text"><a href="(/people/[^"]*)"', people)
        assert link
        assert '<h1 dir="auto">Ben Okafor</h1>' in await ada.page(link[1])


async def test_while_somebody_types_only_the_results_come_and_the_address_keeps_up(stack: House) -> None:
    async with browsing(stack, "ada") as ada:
        answer = await ada.get("/search?part=found&q=login bug&kind=task", **{"hx-request": "true"})
        assert "<html" not in answer.text
        assert "ATL-118 Fix login bug" in hits(answer.text)
        assert answer.headers["hx-replace-url"] == "/search?q=login+bug&kind=task"
        assert "no-store" in answer.headers["cache-control"]


async def test_odd_searches_are_answered_and_change_nothing(stack: House) -> None:
    async with browsing(stack, "ada") as ada:
        for odd in ("", "   ", "'", "a & | ! b", "<->:*", "\\", "%25", "x" * 5000, "🎈", "a:*b", "a\x00b"):
            answer = await ada.http.get("/search", params={"q": odd})
            assert answer.status_code == 200, odd
            for place in ("/people", f"{channel()}/members"):
                assert (await ada.http.get(place, params={"q": odd})).status_code == 200, odd
