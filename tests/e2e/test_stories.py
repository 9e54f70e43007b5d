"""What Handraise is for, seen from where people sit: in a browser, on the whole house."""

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Browser, expect

from handraise.dev.sample import sample_id
from tests.e2e.desk import at_desk, nothing_waits_for
from tests.support.records import records
from tests.support.stack import House


@pytest.fixture
async def open_task(stack: House) -> AsyncIterator[None]:
    """Ada's task about the login bug, open as the sample has it, before and after."""
    reopen = "UPDATE tasks SET status = 'in_progress' WHERE id = $1::uuid"
    async with records(stack.database_url) as owner:
        await owner.run(reopen, str(sample_id("task", "ATL-121")))
        yield
        await owner.run(reopen, str(sample_id("task", "ATL-121")))


@pytest.mark.usefixtures("open_task")
async def test_a_task_is_marked_done_only_once_its_person_confirms(browser: Browser, stack: House) -> None:
    await nothing_waits_for(stack, "ada")
    async with at_desk(browser, stack, "ada") as ada:
        await ada.say("release", "@ray find my task about the login bug and mark it as done")
        await expect(ada.proposal).to_contain_text("Mark “Tell customers about the login bug” done")
        await expect(ada.proposal).to_contain_text("Runs as you")
        await expect(ada.page).to_have_title(
            "(1) Find my task about the login bug and mark it as… · #release · Acme"
        )

        await ada.proposal.get_by_role("button", name="Confirm").click()
        receipt = ada.record("done")
        await expect(receipt).to_contain_text("Ada Lindqvist confirmed")
        await expect(receipt).to_contain_text("Done as Ada Lindqvist")
        await receipt.get_by_role("link").click()
        await expect(ada.page.get_by_role("heading", level=1)).to_have_text(
            "Tell customers about the login bug"
        )
        await expect(ada.page.locator(".page-head .badge")).to_have_text("Done")
        await expect(ada.page.locator(".events")).to_contain_text(
            "proposed by @ray, confirmed by Ada Lindqvist"
        )


async def test_a_question_outlives_every_process_and_its_answer_goes_on_from_there(
    browser: Browser, own_house: House
) -> None:
    house = own_house
    async with at_desk(browser, house, "ada") as ada:
        await ada.say("release", "@ray open a task for the api deploy")
        await expect(ada.question).to_contain_text("Which environment should I deploy to?")
        await expect(ada.question.locator(".option")).to_have_text(["1staging", "2production"])

        house.kill_all()
        house.start_all()

        # The page was open all the while: its buttons work, and it hears of what comes of them.
        await ada.question.get_by_role("button", name="production").click()
        await expect(ada.record("answered")).to_contain_text("Ada Lindqvist answered")
        await expect(ada.record("answered").locator(".is")).to_contain_text("production")
        await expect(ada.proposal).to_contain_text("Create task “Deploy API to production”")


async def test_of_two_answers_one_wins_and_the_other_person_sees_whose_and_what(
    browser: Browser, stack: House
) -> None:
    async with at_desk(browser, stack, "ada") as here, at_desk(browser, stack, "ada") as there:
        path = await here.say("release", "@ray ask me: Which colour? red, green or blue")
        await there.go(path)
        await expect(here.question).to_be_visible()
        await expect(there.question).to_be_visible()
        # The other page hears nothing, as on a train: it still shows the question when its button is pressed.
        await there.page.route("**/*part=*", lambda route: route.abort())

        await here.question.get_by_role("button", name="red").click()
        await expect(here.record("answered").locator(".is")).to_contain_text("red")
        await there.question.get_by_role("button", name="blue").click()

        await expect(there.toast).to_contain_text("Ada Lindqvist was first: red.")
        await expect(there.record("answered").locator(".is")).to_contain_text("red")
        await expect(there.question).to_have_count(0)


async def test_whoever_loses_a_race_keeps_their_words_as_a_draft(browser: Browser, stack: House) -> None:
    async with at_desk(browser, stack, "ada") as here, at_desk(browser, stack, "ada") as there:
        path = await here.say("release", "@ray ask me: Which day? Monday, Tuesday or Friday")
        await expect(here.question).to_be_visible()
        await there.go("/")
        waiting = there.page.locator("article.ask", has_text="Which day?")
        await expect(waiting).to_be_visible()
        await there.page.route("**/*part=*", lambda route: route.abort())
        await here.question.get_by_role("button", name="Tuesday").click()
        await expect(here.record("answered")).to_be_visible()

        await waiting.get_by_label("Or in your own words").fill("neither, wait for Chen")
        await waiting.get_by_role("button", name="Answer", exact=True).click()
        await expect(there.toast).to_contain_text("Ada Lindqvist was first: Tuesday.")
        await there.page.unroute_all()
        await there.go(path)
        await expect(there.page.get_by_label("Reply in the thread")).to_have_value("neither, wait for Chen")
