"""Tasks and projects, changed by hand on their pages by a browser without script."""

import re
from uuid import uuid4

from handraise.dev.sample import sample_id
from tests.integration.gateway.browsing import Browser, browsing, project, task, value_of
from tests.support.stack import House

MEANWHILE = "was changed by somebody else meanwhile"


async def a_new_task(ada: Browser, title: str, **fields: str) -> str:
    """Create a task in Atlas and return its path."""
    answer = await ada.post(f"{project()}/tasks", title=title, **fields)
    assert answer.status_code == 303
    path: str = answer.headers["location"]
    return path


async def test_a_task_is_created_from_its_form_with_all_that_was_written(stack: House) -> None:
    async with browsing(stack, "ada") as ada:
        form = await ada.page(f"{project()}/tasks/new")
        assert "Ben Okafor" in form
        answer = await ada.post(
            f"{project()}/tasks",
            key=value_of(form, "key"),
            title="Count the <keys>",
            description="One\r\nby **one**",
            assignee=str(sample_id("member", "ben")),
            due="2027-01-05T10:00",
        )
        assert answer.status_code == 303
        page = await ada.page(answer.headers["location"])
    assert "Created task “Count the &lt;keys&gt;”." in page
    assert '<h1 dir="auto">Count the &lt;keys&gt;</h1>' in page
    assert "by <strong>one</strong>" in page
    assert "Assigned to Ben Okafor" in page
    assert 'datetime="2027-01-05T10:00:00+01:00"' in page


async def test_a_form_that_is_sent_twice_creates_one_task(stack: House) -> None:
    title, key = f"Once {uuid4().hex}", str(uuid4())
    async with browsing(stack, "ada") as ada:
        first = await a_new_task(ada, title, key=key)
        assert await a_new_task(ada, title, key=key) == first
        listed = await ada.page(f"{project()}?view=list")
    assert listed.count(f">{title}<") == 1


async def test_a_task_that_could_not_be_created_stays_in_the_form(stack: House) -> None:
    async with browsing(stack, "ada") as ada:
        answer = await ada.post(
            f"{project()}/tasks", title="  ", description="All the words", due="2027-01-05T10:00"
        )
        assert answer.status_code == 422
        assert "The title is empty" in answer.text
        assert "All the words</textarea>" in answer.text
        assert 'value="2027-01-05T10:00"' in answer.text
        answer = await ada.post(f"{project()}/tasks", title="Dated", due="some day")
        assert answer.status_code == 422
        assert "Write a date and a time of your clock" in answer.text
        assert 'value="Dated"' in answer.text


async def test_only_an_admin_of_the_project_is_offered_a_new_task(stack: House) -> None:
    async with browsing(stack, "ben") as ben:
        assert "New task" not in await ben.page(project())
        form = await ben.get(f"{project()}/tasks/new")
        assert form.status_code == 403
        assert "Only an admin of" in form.text
        answer = await ben.post(f"{project()}/tasks", title="Not mine to make")
        assert answer.status_code == 403
        assert 'value="Not mine to make"' in answer.text
    async with browsing(stack, "eve") as eve:
        for path in (project(), f"{project()}/tasks/new"):
            assert (await eve.get(path)).status_code == 404
        assert (await eve.post(f"{project()}/tasks", title="x")).status_code == 404


async def test_a_project_is_a_board_by_status_or_a_list(stack: House) -> None:
    async with browsing(stack, "chen") as chen:
        board = await chen.page(project("ORB"))
        lanes = re.findall(r'id="lane-(\w+)"', board)
        assert lanes == ["todo", "in_progress", "in_review", "done"]
        assert "<table" not in board
        listed = await chen.page(f"{project('ORB')}?view=list")
        assert "<table" in listed
        part = await chen.page(f"{project('ORB')}?part=tasks")
        assert "<html" not in part
        assert re.findall(r'id="lane-(\w+)"', part) == lanes


async def test_a_task_moves_on_the_board(stack: House) -> None:
    async with browsing(stack, "ada") as ada:
        path = await a_new_task(ada, f"Move me {uuid4().hex}")
        board = await ada.sent(f"{path}/status", status="in_review", back=project())
        lane = board[board.index('id="lane-in_review"') : board.index('id="lane-done"')]
        assert path in lane


async def test_a_task_is_assigned_and_given_back_by_hand(stack: House) -> None:
    async with browsing(stack, "ada") as ada:
        path = await a_new_task(ada, "Whose is it")
        page = await ada.sent(f"{path}/assignee", assignee=str(sample_id("member", "chen")), back=path)
        assert "Assigned to Chen Wei" in page
        assert "assigned ATL-" in page
        page = await ada.sent(f"{path}/assignee", assignee="", back=path)
        assert "Nobody is assigned" in page
        outside = str(sample_id("member", "eve"))
        assert "is not a member of the task&#39;s project" in await ada.sent(
            f"{path}/assignee", assignee=outside, back=path
        )
    async with browsing(stack, "ben") as ben:
        assert "Not permitted." in await ben.sent(f"{path}/assignee", assignee="", back=path)
        assert "assignee-fold" not in await ben.page(path)


async def test_a_due_date_is_read_and_shown_on_the_clock_of_whoever_looks(stack: House) -> None:
    async with browsing(stack, "chen") as chen:
        answer = await chen.post(f"{project('ORB')}/tasks", title="Across the sea")
        path = answer.headers["location"]
        page = await chen.sent(f"{path}/due", due="2027-03-01T09:00", back=path)
        assert 'datetime="2027-03-01T09:00:00+08:00"' in page
        assert 'value="2027-03-01T09:00"' in page
    async with browsing(stack, "ben") as ben:
        page = await ben.page(path)
        assert 'datetime="2027-03-01T02:00:00+01:00"' in page
        assert "Asia/Singapore" in page
    async with browsing(stack, "chen") as chen:
        assert "Write a date and a time of your clock." in await chen.sent(
            f"{path}/due", due="soon", back=path
        )
        page = await chen.sent(f"{path}/due", clear="yes", back=path)
        assert "Took the due date from" in page
        assert 'value="2027-03-01T09:00"' not in page


async def test_a_field_that_somebody_else_changed_meanwhile_is_not_overwritten(stack: House) -> None:
    async with browsing(stack, "ada") as ada:
        path = await a_new_task(ada, "Two at once")
        seen = value_of(await ada.page(path), "version")
        await ada.sent(f"{path}/status", status="in_progress", back=path)
        for verb, fields in (
            ("status", {"status": "done"}),
            ("due", {"due": "2027-01-05T10:00"}),
            ("assignee", {"assignee": str(sample_id("member", "ben"))}),
        ):
            page = await ada.sent(f"{path}/{verb}", version=seen, back=path, **fields)
            assert MEANWHILE in page, verb
            assert "In progress" in page
        assert MEANWHILE in await ada.sent(f"{path}/status", status="done", version="x" * 9, back=path)


async def test_the_words_of_a_task_are_changed_and_the_loser_of_two_edits_keeps_theirs(stack: House) -> None:
    async with browsing(stack, "ada") as ada:
        path = await a_new_task(ada, "Old title", description="Old words")
        seen = value_of(await ada.page(path), "version")
        page = await ada.sent(f"{path}/edit", title="New title", description="New *words*", version=seen)
        assert '<h1 dir="auto">New title</h1>' in page
        assert "New <em>words</em>" in page
        lost = await ada.post(f"{path}/edit", title="Other title", description="Other words", version=seen)
        assert lost.status_code == 409
        assert MEANWHILE in lost.text
        assert 'value="Other title"' in lost.text
        assert "Other words</textarea>" in lost.text
        assert "New <em>words</em>" in lost.text
        assert '<h1 dir="auto">New title</h1>' in await ada.page(path)
        answer = await ada.post(f"{path}/edit", title="x" * 201, description="", version="2")
        assert answer.status_code == 422
        assert "x" * 201 in answer.text
    async with browsing(stack, "ben") as ben:
        assert "edit-fold" not in await ben.page(path)
        assert (await ben.post(f"{path}/edit", title="Mine", description="")).status_code == 403


async def test_the_fields_of_a_task_of_others_are_not_there(stack: House) -> None:
    async with browsing(stack, "eve") as eve:
        for verb in ("status", "assignee", "due", "edit"):
            answer = await eve.post(f"{task()}/{verb}", status="done", due="2027-01-05T10:00", title="x")
            page = answer if answer.status_code != 303 else await eve.get(answer.headers["location"])
            assert "Fix login bug" not in page.text
