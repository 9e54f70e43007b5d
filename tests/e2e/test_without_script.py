"""Every form works in a browser without script: POST, then back to the page by 303."""

import re

from playwright.async_api import Browser, expect

from tests.e2e.desk import Desk, at_desk
from tests.support.stack import House


async def once_shown(desk: Desk, selector: str) -> None:
    """Reload a page that nobody tells of changes until an agent has had its say."""
    for _ in range(60):
        if await desk.page.locator(selector).count():
            return
        await desk.page.wait_for_timeout(100)
        await desk.page.reload()
    raise AssertionError(f"{selector} never came")


async def test_a_question_is_answered_in_own_words_and_its_proposal_confirmed(
    browser: Browser, stack: House
) -> None:
    async with at_desk(browser, stack, "ada", java_script_enabled=False) as ada:
        await ada.say("release", "@ray open a task for the api deploy")
        await once_shown(ada, "article.ask")
        await ada.go("/")
        card = ada.page.locator("article.ask", has_text="Which environment should I deploy to?").first
        await card.get_by_label("Or in your own words").fill("the sandbox")
        await card.get_by_role("button", name="Answer", exact=True).click()
        await expect(ada.page).to_have_url(f"{stack.url}/")
        await once_shown(ada, "article.propose")
        await ada.proposal.first.get_by_role("button", name="Confirm").click()
        await expect(ada.page).to_have_url(f"{stack.url}/")
        await once_shown(ada, ".rows .mark--good")
        await expect(ada.page.locator("#aside")).to_contain_text("you confirmed")


async def test_not_answering_and_stopping_need_no_script_either(browser: Browser, stack: House) -> None:
    async with at_desk(browser, stack, "dita", java_script_enabled=False) as dita:
        await dita.say("release", "@ray ask me: Is tea fine? yes, maybe or no")
        await once_shown(dita, "article.ask")
        await dita.question.get_by_role("button", name=re.compile("Don't answer")).click()
        await once_shown(dita, "article.past[data-state=not_answered]")
        await expect(dita.record("not_answered")).to_contain_text("Dita Moreau did not answer")

        await dita.say("release", "@ray ask me: Is coffee fine? yes, maybe or no")
        await once_shown(dita, "article.ask")
        await dita.question.locator("summary", has_text="Stop the work").click()
        await expect(dita.question).to_contain_text("Until now: nothing read, nothing changed.")
        await dita.question.get_by_role("button", name="Stop the work").click()
        await once_shown(dita, "article.past[data-state=stopped]")
        await expect(dita.record("stopped")).to_contain_text("Dita Moreau stopped the work")


async def test_a_proposal_is_rejected_with_a_reason(browser: Browser, stack: House) -> None:
    async with at_desk(browser, stack, "ben", java_script_enabled=False) as ben:
        await ben.say("release", "@ray post to #general: The kitchen is closed.")
        await once_shown(ben, "article.propose")
        await expect(ben.proposal.locator(".draft")).to_have_text("The kitchen is closed.")
        await ben.proposal.locator("summary", has_text="Reject").click()
        await ben.proposal.get_by_label(re.compile("^Why not")).fill("It opens again at noon")
        await ben.proposal.get_by_role("button", name="Reject", exact=True).click()
        await once_shown(ben, "article.past[data-state=rejected]")
        await expect(ben.record("rejected")).to_contain_text("“It opens again at noon”")
        await expect(ben.record("rejected")).to_contain_text("Nothing changed")


async def test_an_answer_is_stored_as_it_was_written_over_several_lines(
    browser: Browser, stack: House
) -> None:
    async with at_desk(browser, stack, "chen", java_script_enabled=False) as chen:
        await chen.say("release", "@ray ask me: What should the note say?")
        await once_shown(chen, "article.ask")
        await chen.go("/")
        card = chen.page.locator("article.ask", has_text="What should the note say?")
        await card.get_by_role("textbox").fill("First line\n\n  second, indented")
        await card.get_by_role("button", name="Answer", exact=True).click()
        async with stack.as_("chen") as program:
            decided = await program.get("/api/requests", status="accepted")
        assert "First line\n\n  second, indented" in [request["answer"] for request in decided]


async def test_a_task_is_marked_done_by_hand_by_its_projects_admin_alone(
    browser: Browser, stack: House
) -> None:
    async with at_desk(browser, stack, "chen", java_script_enabled=False) as chen:
        await chen.go("/more")
        await chen.page.get_by_role("link", name="Orbit").first.click()
        await chen.page.get_by_role("link", name="List", exact=True).click()
        await chen.page.locator("tbody tr", has_text="To do").first.get_by_role("link").click()
        path = chen.page.url.removeprefix(stack.url)
        await chen.page.get_by_role("button", name="Mark done").click()
        await expect(chen.page.locator(".page-head .badge")).to_have_text("Done")
        await expect(chen.toast).to_contain_text("done.")
        await expect(chen.page.locator(".events li").first).to_contain_text("Chen Wei")
    async with at_desk(browser, stack, "ben", java_script_enabled=False) as ben:
        await ben.go(path)
        await expect(ben.page.get_by_role("button", name="Mark done")).to_have_count(0)
        await expect(ben.page.locator(".fields summary")).to_have_count(0)


async def test_signing_out_ends_the_session(browser: Browser, stack: House) -> None:
    async with at_desk(browser, stack, "eve", java_script_enabled=False) as eve:
        await eve.page.get_by_role("button", name="Sign out").click()
        await expect(eve.page.get_by_role("heading", level=1)).to_have_text("Sign in")
        await eve.go("/tasks")
        await expect(eve.page).to_have_url(f"{stack.url}/signin?next=/tasks")


async def test_an_empty_place_offers_words_that_fill_the_composer(browser: Browser, stack: House) -> None:
    async with at_desk(browser, stack, "ada", java_script_enabled=False) as ada:
        await ada.go("/channels")
        await ada.page.locator("main .places").get_by_role("link", name="ray").click()
        await ada.page.locator(".tries button").first.click()
        await expect(ada.page.get_by_label("Message to @ray")).to_have_value(
            "what happened in #release this week?"
        )


async def test_a_job_is_stopped_on_its_own_page_and_tried_again(browser: Browser, stack: House) -> None:
    async with at_desk(browser, stack, "ben", java_script_enabled=False) as ben:
        await ben.say("release", "@ray ask me: Is water fine? yes, maybe or no")
        await once_shown(ben, "article.ask")
        await ben.page.get_by_role("link", name="1 job").click()
        first = ben.page.url
        await ben.page.locator("summary", has_text="Stop the work").click()
        await expect(ben.page.locator(".job-stop")).to_contain_text(
            "Until now: nothing read, nothing changed."
        )
        await ben.page.get_by_role("button", name="Stop the work").click()
        await once_shown(ben, ".page-head .badge:has-text('Stopped')")
        await ben.page.get_by_role("button", name="Try again").click()
        assert ben.page.url != first
        await once_shown(ben, ".tl-node--ask")
        await expect(ben.page.locator(".tl")).to_contain_text("“Is water fine?” yes, maybe, no")
