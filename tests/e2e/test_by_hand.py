"""Everything that can be done by hand, done by hand: tasks, docs, search, people and places."""

import re
from uuid import uuid4

from playwright.async_api import Browser, expect

from handraise.dev.sample import sample_id
from tests.e2e.desk import PHONE, at_desk
from tests.e2e.test_access import faults, width_beyond
from tests.support.stack import House

ATLAS = f"/projects/{sample_id('project', 'ATL')}"
TEAM = f"/teams/{sample_id('team', 'Product')}"
RELEASE = f"/channels/{sample_id('channel', 'release')}"
BEN = f"/people/{sample_id('member', 'ben')}"


async def test_a_task_is_created_assigned_dated_edited_and_moved(browser: Browser, stack: House) -> None:
    title = f"Sharpen the pencils {uuid4().hex[:6]}"
    async with at_desk(browser, stack, "ada") as ada:
        await ada.go(ATLAS)
        await ada.page.get_by_role("link", name="New task").click()
        await ada.page.get_by_label("Title").fill(title)
        await ada.page.get_by_label("Assignee").select_option(label="Ben Okafor")
        await ada.page.get_by_role("button", name="Create the task").click()
        await expect(ada.page.get_by_role("heading", level=1)).to_have_text(title)
        task = ada.page.url
        head = ada.page.locator("#task-head")
        await expect(head).to_contain_text("Assigned to Ben Okafor")

        await ada.page.locator("#assignee-fold summary").click()
        await ada.page.get_by_label("Assignee", exact=True).select_option(label="Chen Wei")
        await ada.page.get_by_role("button", name="Assign", exact=True).click()
        await expect(head).to_contain_text("Assigned to Chen Wei")
        await expect(ada.page.locator("#assignee-fold")).not_to_have_attribute("open", "")

        await ada.page.locator("#due-fold summary").click()
        await ada.page.get_by_label("Due, on your clock").fill("2027-06-01T09:30")
        await ada.page.get_by_role("button", name="Set", exact=True).click()
        await expect(head).to_contain_text("due Tue 1 Jun 2027, 09:30")

        await ada.page.locator("#edit-fold summary").click()
        await ada.page.get_by_label("Title").fill(f"{title}!")
        await ada.page.get_by_role("textbox", name="Description").fill("All of **them**")
        await ada.page.get_by_role("button", name="Save").click()
        await expect(ada.page.get_by_role("heading", level=1)).to_have_text(f"{title}!")
        await expect(ada.page.locator("#task-text .prose strong")).to_have_text("them")

        await ada.go(ATLAS)
        tile = ada.page.locator(".tile", has_text=title)
        await tile.locator("summary").click()
        await tile.get_by_role("button", name="In review").click()
        lane = ada.page.locator(".lane", has=ada.page.get_by_role("heading", name="In review"))
        await expect(lane.locator(".tile", has_text=title)).to_be_visible()
        assert ada.page.url.endswith(ATLAS)
        await ada.page.goto(task)
        await expect(ada.page.locator(".events li").first).to_contain_text("Ada Lindqvist")


async def test_words_that_somebody_writes_are_not_put_over_what_came_meanwhile(
    browser: Browser, stack: House
) -> None:
    """The page is live: what comes in while somebody types must not make their stale words look current."""
    async with at_desk(browser, stack, "ada") as ada, stack.as_("ada") as program:
        await ada.go(f"{ATLAS}/tasks/new")
        await ada.page.get_by_label("Title").fill("A shared thought")
        await ada.page.get_by_role("button", name="Create the task").click()
        await expect(ada.page.get_by_role("heading", level=1)).to_have_text("A shared thought")
        task_id = ada.page.url.rpartition("/")[2]
        await ada.page.locator("#edit-fold summary").click()
        title = ada.page.get_by_label("Title")
        await title.fill("My own thought")
        await program.http.patch(
            f"/api/tasks/{task_id}", json={"title": "Their thought", "description": "Theirs"}
        )
        await expect(ada.page.get_by_role("heading", level=1)).to_have_text("Their thought")
        await expect(ada.page.locator("#task-text .prose")).to_have_text("Theirs")
        await expect(title).to_have_value("My own thought")
        await ada.page.get_by_role("button", name="Save").click()
        await expect(ada.page.get_by_role("alert")).to_contain_text("was changed by somebody else meanwhile")
        await expect(ada.page.get_by_label("Title")).to_have_value("My own thought")
        await expect(ada.page.get_by_role("heading", level=1)).to_have_text("Their thought")
        await ada.page.get_by_role("button", name="Save").click()
        await expect(ada.page.get_by_role("heading", level=1)).to_have_text("My own thought")


async def test_a_doc_is_written_read_by_a_colleague_and_added_to(browser: Browser, stack: House) -> None:
    title = f"How we sharpen {uuid4().hex[:6]}"
    async with at_desk(browser, stack, "ada") as ada, at_desk(browser, stack, "ben") as ben:
        await ada.go("/docs")
        await ada.page.get_by_role("link", name="New doc").click()
        await ada.page.get_by_label("Title").fill(title)
        await ada.page.get_by_label("Read by").select_option(label="Members of the project Atlas")
        await ada.page.get_by_label("Text").fill("## First\n\nTurn it *slowly*.")
        await ada.page.get_by_role("button", name="Create the doc").click()
        await expect(ada.page.get_by_role("heading", name="First")).to_be_visible()
        await ben.page.goto(ada.page.url)
        await expect(ben.page.locator(".prose em")).to_have_text("slowly")
        await ben.page.locator("#append-fold summary").click()
        await ben.page.get_by_label("What to add, in Markdown").fill("## Then\n\nBlow.")
        await ben.page.get_by_role("button", name="Add", exact=True).click()
        await expect(ben.page.get_by_role("heading", name="Then")).to_be_visible()
        await expect(ben.page.get_by_role("link", name="Version 1")).to_be_visible()


async def test_search_is_a_key_away_and_finds_while_somebody_types(browser: Browser, stack: House) -> None:
    async with at_desk(browser, stack, "ada") as ada:
        await ada.go("/tasks")
        await ada.page.locator("#main").focus()
        await ada.page.keyboard.press("/")
        await expect(ada.page.get_by_role("heading", level=1)).to_have_text("Search")
        field = ada.page.get_by_role("searchbox", name="Search for")
        await expect(field).to_be_focused()
        await ada.page.keyboard.type("login bu")
        await expect(ada.page.get_by_role("link", name="ATL-118 Fix login bug")).to_be_visible()
        await expect(ada.page).to_have_url(re.compile(r"/search\?q=login\+bu$"))
        await field.fill("blank page")
        await expect(ada.page.locator("mark").first).to_have_text(re.compile("blank|page"))
        await ada.page.get_by_role("link", name="People", exact=True).nth(1).click()
        await expect(ada.page.get_by_role("heading", name="Nothing found")).to_be_visible()


async def test_a_group_is_made_with_people_found_one_after_the_other(browser: Browser, stack: House) -> None:
    async with at_desk(browser, stack, "ada") as ada:
        await ada.go("/channels")
        await ada.page.locator("main").get_by_role("link", name="New group").click()
        await ada.page.get_by_label("Name", exact=True).fill("Pencil people")
        find = ada.page.get_by_label("Find by name")
        for name in ("Ben Okafor", "Chen Wei"):
            await find.fill(name)
            await expect(ada.page.locator(".ticks li", has_text=name)).to_be_visible()
            await ada.page.get_by_label(name).check()
        await expect(ada.page.get_by_label("Ben Okafor")).to_be_checked()
        await ada.page.get_by_role("button", name="Create the group").click()
        await expect(ada.page.get_by_role("heading", level=1)).to_contain_text("Pencil people")
        await ada.page.get_by_role("link", name="Members").click()
        await expect(ada.page.locator(".people-rows li")).to_have_count(3)


async def test_a_channel_is_made_and_somebody_is_added_to_it(browser: Browser, stack: House) -> None:
    name = f"pencils-{uuid4().hex[:8]}"
    async with at_desk(browser, stack, "ben") as ben:
        await ben.page.get_by_role("link", name="New channel").click()
        await ben.page.get_by_label("Name").fill(name)
        await ben.page.get_by_label("Private").check()
        await ben.page.get_by_role("button", name="Create the channel").click()
        await expect(ben.page.get_by_role("heading", level=1)).to_contain_text(name)
        await expect(ben.page.locator(".side").get_by_role("link", name=name)).to_be_visible()
        await ben.page.locator("a.people").click()
        await ben.page.get_by_role("searchbox").fill("dita")
        await ben.page.get_by_role("button", name="Add Dita Moreau").click()
        await expect(ben.toast).to_contain_text("Added Dita Moreau")
    async with at_desk(browser, stack, "dita") as dita:
        await dita.open_channel(name)


PAGES = (
    ATLAS,
    f"{ATLAS}?view=list",
    f"{ATLAS}/tasks/new",
    f"{ATLAS}/members?q=ka",
    f"{RELEASE}/members",
    TEAM,
    f"{TEAM}/members",
    "/teams",
    "/projects/new",
    "/channels/new",
    "/groups/new",
    "/people",
    BEN,
    "/docs",
    "/docs/new",
    f"/docs/{sample_id('doc', 'How we write to customers')}",
    f"/docs/{sample_id('doc', 'How we write to customers')}/edit",
    "/search?q=bug",
    "/search?q=zzzz",
    "/reminders",
    "/admin/dead-letters",
    "/more",
)


async def test_axe_finds_nothing_on_the_pages_of_what_is_done_by_hand(browser: Browser, stack: House) -> None:
    found: dict[str, list[str]] = {}
    for look in (
        {},
        {"color_scheme": "dark"},
        {"viewport": PHONE, "has_touch": True},
        {"viewport": PHONE, "has_touch": True, "color_scheme": "dark"},
    ):
        async with at_desk(browser, stack, "ada", **look) as ada:
            for path in PAGES:
                await ada.go(path)
                await expect(ada.page.get_by_role("heading", level=1)).to_be_visible()
                found[f"{path} {look}"] = await faults(ada.page)
                assert await width_beyond(ada.page) == 0, path
    assert {path: lines for path, lines in found.items() if lines} == {}


async def test_axe_finds_nothing_on_folds_that_are_open_and_forms_that_were_refused(
    browser: Browser, stack: House
) -> None:
    async with at_desk(browser, stack, "ada") as ada:
        await ada.go(f"/tasks/{sample_id('task', 'ATL-118')}")
        for fold in ("#assignee-fold", "#due-fold", "#edit-fold"):
            await ada.page.locator(f"{fold} summary").click()
        found = {"folds": await faults(ada.page)}
        await ada.page.get_by_label("Title").fill(" ")
        await ada.page.get_by_role("button", name="Save").click()
        await expect(ada.page.get_by_role("alert")).to_contain_text("The title is empty")
        found["refused"] = await faults(ada.page)
        await ada.go(BEN)
        await ada.page.locator("summary", has_text="Deactivate").click()
        found["deactivating"] = await faults(ada.page)
        assert {path: lines for path, lines in found.items() if lines} == {}
