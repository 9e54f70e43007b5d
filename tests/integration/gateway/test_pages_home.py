"""Home shows what waits, of one agent or about one project where that is wanted."""

from uuid import uuid4

from handraise.dev.sample import sample_id
from tests.integration.gateway.browsing import browsing
from tests.support.stack import House

ATLAS, ORBIT = (sample_id("project", key) for key in ("ATL", "ORB"))


async def test_home_is_filtered_by_project_and_by_agent_and_stays_so(stack: House) -> None:
    async with stack.as_("chen") as chen:
        tagged = f"Reading week {uuid4().hex[:8]}"
        posted = await chen.post("release", f"@ray ask me: {tagged}? yes, maybe or no")
        await chen.until_asked(posted.job)
        posted = await chen.post(
            "release", "@ray mark the task Decide what becomes of the old importer as done"
        )
        proposed = await chen.until_asked(posted.job)
    async with browsing(stack, "chen") as chen:
        everything = await chen.page("/")
        assert tagged in everything
        assert proposed["id"] in everything
        of_orbit = await chen.page(f"/?project={ORBIT}")
        assert proposed["id"] in of_orbit
        assert tagged not in of_orbit
        assert f'hx-get="/?part=needs&amp;project={ORBIT}"' in of_orbit
        assert f'name="back" value="/?project={ORBIT}"' in of_orbit
        assert "Nothing of that waits for you" in await chen.page(f"/?project={ATLAS}")
        assert tagged in await chen.page("/?agent=ray")
        part = await chen.page(f"/?part=needs&project={ORBIT}")
        assert proposed["id"] in part
        assert tagged not in part


async def test_a_filter_that_names_nothing_filters_nothing(stack: House) -> None:
    async with browsing(stack, "ada") as ada:
        page = await ada.page("/?agent=nobody&project=nowhere")
        assert 'hx-get="/?part=needs"' in page
        assert 'name="back" value="/"' in page or "card-act" not in page
