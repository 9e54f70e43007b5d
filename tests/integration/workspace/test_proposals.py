"""What a person is shown before a write happens, and what a model is told when it can't be proposed."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import msgspec
import pytest

from handraise.common.ids import new_id
from handraise.permissions.bench import Bench
from handraise.workspace.actions import Done, Order, perform
from handraise.workspace.database import Database
from handraise.workspace.tools import (
    REGISTRY,
    InvalidArguments,
    Preview,
    Proposal,
    digest,
    preview,
    propose,
    validate,
)
from tests.integration.workspace.conftest import Office
from tests.integration.workspace.told import NOBODY


async def proposed(db: Database, office: Office, who: UUID, tool: str, **arguments: Any) -> Proposal:
    return await propose(db, office.id, who, REGISTRY[tool], arguments)


def calls(office: Office) -> dict[str, dict[str, Any]]:
    return {
        "update_task_status": {"task_id": str(office.bug), "status": "done"},
        "create_task": {
            "project_id": str(office.atlas),
            "title": " Deploy API ",
            "description": "First staging.",
            "assignee_id": str(office.ben),
            "due_at": "2026-11-05T09:00:00Z",
        },
        "assign_task": {"task_id": str(office.bug), "assignee_id": str(office.ada)},
        "set_task_due_date": {"task_id": str(office.bug), "due_at": "2026-11-05T09:00:00Z"},
        "post_to_channel": {"channel": "#general", "text": "It ships on Thursday."},
        "send_dm": {"person_id": str(office.ben), "text": "Can you watch it?"},
        "create_doc": {"title": "Plan", "body": "# Plan", "project_id": str(office.atlas)},
        "append_to_doc": {"doc_id": str(office.plan), "text": "Roll back before 10:30."},
        "create_project": {"team_id": str(office.web), "name": " Apollo ", "description": "To the moon."},
        "message_group": {"group": "deploy", "text": "Who watches?"},
        "set_reminder": {"text": "Watch the deploy", "at": SOON},
    }


YEAR = datetime.now(UTC).year + 1
SOON = f"{YEAR}-11-05T10:00"

EXPECTED = {
    "update_task_status": Preview(
        sentence="Mark “Fix login bug” done",
        before_after=(("Status", "In review", "Done"),),
        facts=(("Task", "ATL-117, Atlas, assigned to Ben"),),
    ),
    "create_task": Preview(
        sentence="Create task “Deploy API”",
        draft="First staging.",
        facts=(
            ("In", "Atlas, status To do, assigned to Ben"),
            ("Due", "Thu 5 Nov, 10:00 (Europe/Berlin)"),
        ),
    ),
    "assign_task": Preview(
        sentence="Assign ATL-117 to Ada",
        before_after=(("Assignee", "Ben", "Ada"),),
        facts=(("Task", "Fix login bug, Atlas"),),
    ),
    "set_task_due_date": Preview(
        sentence="Set the due date of “Fix login bug”",
        before_after=(("Due", "none", "Thu 5 Nov, 10:00"),),
        facts=(("Zone", "Europe/Berlin"), ("Task", "ATL-117, Atlas, assigned to Ben")),
    ),
    "post_to_channel": Preview(
        sentence="Post to #general",
        audience=3,
        draft="It ships on Thursday.",
        confirm="Confirm: post to 3 people",
    ),
    "send_dm": Preview(sentence="Send Ben a direct message", audience=1, draft="Can you watch it?"),
    "create_doc": Preview(
        sentence="Create doc “Plan”", draft="# Plan", facts=(("In", "Atlas, for its members"),)
    ),
    "append_to_doc": Preview(sentence="Add to doc “The plan”", draft="Roll back before 10:30."),
    "create_project": Preview(
        sentence="Create project “Apollo”", draft="To the moon.", facts=(("Team", "Web"),)
    ),
    "message_group": Preview(
        sentence="Write to the group deploy",
        audience=3,
        draft="Who watches?",
        facts=(("With", "Ben, Gus"),),
    ),
    "set_reminder": Preview(
        sentence=f"Remind you on {datetime(YEAR, 11, 5):%a} 5 Nov {YEAR}, 10:00",  # noqa: DTZ001
        draft="Watch the deploy",
        facts=(("Zone", "Europe/Berlin"),),
    ),
}


def without_year(shown: Preview) -> Preview:
    """Return it as it reads in 2026: a date of another year than the present one names its year."""
    text = msgspec.json.encode(shown).decode().replace("5 Nov 2026,", "5 Nov,")
    return msgspec.json.decode(text, type=Preview)


TOOLS = [tool.name for tool in REGISTRY.values() if not tool.read_only]


@pytest.mark.parametrize("tool", TOOLS)
async def test_a_person_is_shown_what_would_happen_in_words(tool: str, office: Office, db: Database) -> None:
    shown = (await proposed(db, office, office.ada, tool, **calls(office)[tool])).preview
    assert without_year(msgspec.structs.replace(shown, link=None)) == EXPECTED[tool]
    assert shown.heavy == ()
    assert shown.link is not None or tool == "send_dm"


@pytest.mark.parametrize("tool", TOOLS)
async def test_proposing_changes_nothing(tool: str, office: Office, db: Database) -> None:
    before = await office.world.counts()
    await proposed(db, office, office.ada, tool, **calls(office)[tool])
    assert await office.world.counts() == before


@pytest.mark.parametrize("tool", TOOLS)
async def test_what_is_stored_is_what_runs(tool: str, office: Office, db: Database, judge: Bench) -> None:
    made = await proposed(db, office, office.ada, tool, **calls(office)[tool])
    stored = msgspec.json.decode(msgspec.json.encode(made.arguments))
    arguments = validate(REGISTRY[tool], stored)
    assert digest(tool, stored) == digest(tool, arguments) == made.digest
    again = await preview(db, office.id, office.ada, REGISTRY[tool], arguments)
    assert again == made.preview
    outcome = await perform(
        db,
        judge,
        NOBODY,
        Order(
            workspace_id=office.id,
            member_id=office.ada,
            actor_id=office.ben,
            write=tool,
            arguments=arguments,
            key=new_id(),
        ),
    )
    assert isinstance(outcome, Done), outcome


async def test_a_channel_is_kept_by_its_id_so_that_a_new_name_changes_nothing(
    office: Office, db: Database, judge: Bench
) -> None:
    made = await proposed(db, office, office.ada, "post_to_channel", channel="general", text="hi")
    assert made.arguments["channel"] == str(office.general)
    await office.world.run("UPDATE channels SET name = 'lobby' WHERE id = $1", office.general)
    await office.world.channel("general", members=[office.ada])
    assert (
        await preview(
            db,
            office.id,
            office.ada,
            REGISTRY["post_to_channel"],
            validate(REGISTRY["post_to_channel"], made.arguments),
        )
    ).sentence == "Post to #lobby"


@pytest.mark.parametrize(
    ("who", "tool", "change", "expected"),
    [
        ("ada", "update_task_status", {"status": "in_review"}, "stands at In review already"),
        ("ada", "update_task_status", {"task_id": str(new_id())}, "no task with this id"),
        ("eve", "update_task_status", {}, "no task with this id"),
        ("ada", "create_task", {"title": "  "}, "title is empty"),
        ("ada", "create_task", {"title": "x" * 201}, "201 characters"),
        ("ada", "create_task", {"due_at": "2026-11-05T09:00:00"}, "no time zone"),
        ("ada", "create_task", {"project_id": str(new_id())}, "list_projects"),
        ("ada", "create_task", {"assignee_id": str(new_id())}, "find_people"),
        ("ada", "assign_task", {"assignee_id": "OFFICE.eve"}, "no active member of the project Atlas"),
        ("ada", "assign_task", {"assignee_id": "OFFICE.gone"}, "no active member of the project Atlas"),
        ("ada", "assign_task", {"assignee_id": "OFFICE.ben"}, "assigned to Ben already"),
        ("ada", "set_task_due_date", {"due_at": None}, "already"),
        ("ada", "set_task_due_date", {"due_at": "Thursday"}, "must be a date and time like"),
        ("ada", "post_to_channel", {"channel": "genral"}, "#announcements, #general, #secret"),
        ("ben", "post_to_channel", {"channel": "secret"}, "#announcements, #general."),
        ("ada", "send_dm", {"person_id": "OFFICE.ada"}, "the person you work for"),
        ("ada", "send_dm", {"person_id": "OFFICE.gone"}, "no active person"),
        ("ada", "send_dm", {"person_id": "Ben"}, "Look it up with find_people"),
        ("eve", "create_doc", {}, "no project with this id"),
        ("gus", "create_doc", {"project_id": None, "team_id": "OFFICE.web"}, "no team with this id"),
        ("ada", "create_doc", {"team_id": "OFFICE.web"}, "not in both"),
        ("ada", "create_doc", {"visibility": "team"}, "needs team_id"),
        ("ada", "create_doc", {"visibility": "everybody"}, "must be one of"),
        ("eve", "append_to_doc", {}, "no doc with this id"),
        ("ada", "append_to_doc", {"text": " "}, "text is empty"),
        ("gus", "create_project", {}, "no team with this id"),
        ("ada", "create_project", {"key": "apollo"}, "no key for a project"),
        ("ada", "message_group", {"group": "deploi"}, "deploy (Ben, Gus, id"),
        ("boss", "message_group", {}, "Their groups: none"),
        ("ada", "message_group", {"group": "twins"}, "fits several groups: twins (Ben, id"),
        ("ada", "set_reminder", {"at": "Thursday"}, "no date with a time"),
        ("ada", "set_reminder", {"at": "2026-11-05"}, "no date with a time"),
        ("ada", "set_reminder", {"at": "2020-11-05T10:00"}, "is past"),
        ("ada", "set_reminder", {"at": "9020-11-05T10:00"}, "years ahead"),
    ],
)
async def test_a_model_is_told_what_it_can_do_about_a_call_that_fits_nothing(
    who: str, tool: str, change: dict[str, Any], expected: str, office: Office, db: Database
) -> None:
    arguments = calls(office)[tool] | {
        name: str(getattr(office, value.removeprefix("OFFICE.")))
        if isinstance(value, str) and value.startswith("OFFICE.")
        else value
        for name, value in change.items()
    }
    with pytest.raises(InvalidArguments) as caught:
        await proposed(db, office, getattr(office, who), tool, **arguments)
    assert expected in str(caught.value)


async def test_a_read_can_not_be_proposed(office: Office, db: Database) -> None:
    with pytest.raises(ValueError, match="nothing to propose"):
        await proposed(db, office, office.ada, "list_my_tasks")
