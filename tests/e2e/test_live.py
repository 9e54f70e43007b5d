"""Open pages hear of what happens, and what somebody is doing on them is never taken away."""

from playwright.async_api import Browser, expect

from tests.e2e.desk import at_desk, nothing_waits_for
from tests.support.stack import House


async def test_home_shows_a_question_while_it_is_open_and_counts_it_in_the_title(
    browser: Browser, stack: House
) -> None:
    await nothing_waits_for(stack, "ben")
    async with at_desk(browser, stack, "ben") as ben, stack.as_("ben") as program:
        await expect(ben.page).to_have_title("Needs you · Acme")
        await program.post("release", "@ray ask me: Which colour? red, green or blue")
        await expect(ben.question).to_contain_text("Which colour?")
        await expect(ben.page).to_have_title("(1) Needs you · Acme")
        await expect(ben.page.locator(".side .count--hot")).to_contain_text("1")
        await ben.question.get_by_role("button", name="blue").click()
        await expect(ben.page.get_by_role("heading", name="All clear")).to_be_visible()
        await expect(ben.page).to_have_title("Needs you · Acme")
        await expect(ben.page.locator("#aside")).to_contain_text("you: blue")


async def test_what_somebody_types_stays_while_the_page_changes_round_it(
    browser: Browser, stack: House
) -> None:
    await nothing_waits_for(stack, "chen")
    async with at_desk(browser, stack, "chen") as chen, stack.as_("chen") as program:
        await chen.say("release", "@ray ask me: Which colour? red, green or blue")
        await expect(chen.question).to_be_visible()
        thread = chen.page.url.rpartition("/")[2]
        await chen.go("/")
        words = chen.question.get_by_label("Or in your own words")
        await words.fill("something warm")
        fold = chen.question.locator("details")
        await fold.locator("summary").click()
        await program.post("release", "@ray ask me: Which day? Monday, Tuesday or Friday")
        await expect(chen.question).to_have_count(2)
        first = chen.page.locator("article.ask", has_text="Which colour?")
        await expect(first.locator("details")).to_have_attribute("open", "")
        await first.get_by_role("button", name="Keep waiting").click()
        await expect(first.get_by_label("Or in your own words")).to_have_value("something warm")

        # The words outlive the page too: they are the tab's own.
        await chen.page.reload()
        await expect(first.get_by_label("Or in your own words")).to_have_value("something warm")
        await first.get_by_role("button", name="Answer", exact=True).click()
        await expect(first).to_have_count(0)
        said = await program.thread("release", thread)
        assert [m["body"] for m in said if m["kind"] == "answer"] == ["something warm"]


async def test_a_reply_that_is_typed_answers_the_question_of_its_thread(
    browser: Browser, stack: House
) -> None:
    async with at_desk(browser, stack, "dita") as dita:
        await dita.say("release", "@ray ask me: Which colour? red, green or blue")
        await expect(dita.question).to_be_visible()
        await expect(dita.page.locator(".composer .hint")).to_contain_text("Typing 2 or green answers it.")
        reply = dita.page.get_by_label("Reply in the thread")
        await reply.fill("2")
        await reply.press("Enter")
        await expect(dita.record("answered").locator(".is")).to_contain_text("green")
        await expect(reply).to_have_value("")
        await expect(dita.page.locator(".composer .hint")).to_have_count(0)


async def test_the_focus_goes_to_the_next_card_when_one_is_decided(browser: Browser, stack: House) -> None:
    await nothing_waits_for(stack, "ben")
    async with at_desk(browser, stack, "ben") as ben:
        for colour in ("red", "green"):
            await ben.say("release", f"@ray ask me: Is {colour} fine? yes, maybe or no")
            await expect(ben.question).to_be_visible()
        await ben.go("/")
        await expect(ben.question).to_have_count(2)
        await ben.question.first.focus()
        await ben.page.keyboard.press("1")
        await expect(ben.question).to_have_count(1)
        await expect(ben.question).to_be_focused()


async def test_a_page_that_lost_the_server_catches_up_when_it_is_back(
    browser: Browser, own_house: House
) -> None:
    async with at_desk(browser, own_house, "ada") as ada:
        await ada.say("release", "@ray ask me: Which colour? red, green or blue")
        await expect(ada.question).to_be_visible()
        own_house.kill("gateway")
        own_house.start("gateway")
        async with own_house.as_("ada") as program:
            (request,) = await program.get("/api/requests", status="open")
            await program.send(f"/api/requests/{request['id']}/answer", {"option": "green"})
        await expect(ada.record("answered").locator(".is")).to_contain_text("green")


async def test_words_are_kept_when_the_server_cannot_be_reached(browser: Browser, stack: House) -> None:
    async with at_desk(browser, stack, "dita") as dita:
        await dita.open_channel("release")
        composer = dita.page.get_by_label("Message to #release")
        await composer.fill("Does anybody hear me?")
        await dita.page.route("**/channels/*", lambda route: route.abort())
        await composer.press("Enter")
        await expect(dita.toast).to_contain_text("Not sent.")
        await expect(composer).to_have_value("Does anybody hear me?")
