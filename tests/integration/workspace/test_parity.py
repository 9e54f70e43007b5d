"""Law 1: for every role and every write, the decision, the judge's ruling and what is done are one."""

from typing import Any
from uuid import UUID

import pytest

from handraise.common.ids import new_id
from handraise.common.judge import Check
from handraise.permissions.bench import Bench
from handraise.workspace import facts
from handraise.workspace.actions import WRITES, Done, Failed, Order, Outcome, Refused, perform
from handraise.workspace.database import Database
from handraise.workspace.policy import decide
from handraise.workspace.tools import validate
from handraise.workspace.words import MemberRole, MemberStatus, Role
from tests.integration.workspace.told import NOBODY
from tests.integration.workspace.world import World

ROLES = [Role.ADMIN, Role.MEMBER, None]
PEOPLE = [(role, status) for role in MemberRole for status in MemberStatus]


async def targets(world: World, who: UUID, role: Role | None) -> dict[str, list[dict[str, Any]]]:
    """Return calls of every write on fresh targets, on each of which `who` has `role`."""
    admins, members = [who] * (role is Role.ADMIN), [who] * (role is Role.MEMBER)
    key = new_id().hex[-6:]
    other = await world.member("Other")
    project = await world.project(key, f"Project {key}", admins=admins, members=[*members, other])
    task = str(await world.task(project, 1, "A task"))
    channels = [
        await world.channel(f"{kind}{key}", kind, admins=admins, members=members)
        for kind in ("public", "private", "announcement")
    ]
    gone = await world.member("Gone", status=MemberStatus.DEACTIVATED)
    third, fourth = await world.member("Third"), await world.member("Fourth")
    team = await world.team(f"Team {key}")
    await world.join("team", team, admins, members)
    places = [("team", team), ("project", project), *(("channel", channel) for channel in channels)]
    for kind, id in places:
        await world.join(kind, id, [other] if kind == "team" else [], [fourth])
        if kind == "channel":
            await world.join(kind, id, [other], [])
    await world.run("UPDATE project_members SET role = 'admin' WHERE member_id = $1", other)
    await world.member("Boss", MemberRole.ADMIN)
    docs = [
        await world.doc(owner, visibility, project_id=filed[0], team_id=filed[1])
        for owner in (who, other)
        for visibility, filed in (
            ("private", (None, None)),
            ("project", (project, None)),
            ("team", (None, team)),
            ("workspace", (None, None)),
            ("workspace", (project, None)),
        )
    ]
    groups = [
        await world.conversation("group", [other, *([who] if role else [])], name="g"),
        await world.conversation("dm", [other, who]),
    ]
    reminders = [await world.reminder(person, "x") for person in (who, other)]
    return {
        "update_task_status": [{"task_id": task, "status": "done"}],
        "create_task": [{"project_id": str(project), "title": "New"}],
        "assign_task": [{"task_id": task, "assignee_id": str(other)}],
        "set_task_due_date": [{"task_id": task, "due_at": "2026-11-05T09:00:00Z"}],
        "post_to_channel": [{"channel": str(channel), "text": "hi"} for channel in channels],
        "send_dm": [{"person_id": str(person), "text": "hi"} for person in (other, gone)],
        "create_doc": [
            {"title": "x", "body": ""} | where
            for where in ({"project_id": str(project)}, {"team_id": str(team)}, {})
        ],
        "append_to_doc": [{"doc_id": str(doc), "text": "more"} for doc in docs],
        "create_project": [{"team_id": str(team), "name": f"Next {key}"}],
        "message_group": [{"group": str(group), "text": "hi"} for group in groups],
        "set_reminder": [{"text": "x", "at": "2030-11-05T09:00"}],
        "edit_task": [{"task_id": task, "title": "Renamed"}],
        "write_doc": [{"doc_id": str(doc), "title": "Renamed"} for doc in docs],
        "cancel_reminder": [{"reminder_id": str(id)} for id in reminders],
        "open_dm": [{"person_id": str(person)} for person in (third, gone)],
        "create_group": [{"name": "Both", "people": [str(other)]}],
        "create_channel": [{"name": f"new{key}"}],
        "create_team": [{"name": f"New {key}"}],
        "add_member": [
            {"place": place, "place_id": str(id), "person_id": str(third)} for place, id in places
        ],
        "remove_member": [
            {"place": place, "place_id": str(id), "person_id": str(other)} for place, id in places
        ],
        "set_role": [
            {"place": place, "place_id": str(id), "person_id": str(fourth), "role": "admin"}
            for place, id in places
        ],
        "change_person": [{"person_id": str(third), "role": "guest"}],
    }


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(("place", "status"), PEOPLE)
async def test_decision_ruling_and_deed_agree(
    place: MemberRole, status: MemberStatus, role: Role | None, world: World, db: Database, judge: Bench
) -> None:
    who = await world.member("Who", place, status)
    calls = await targets(world, who, role)
    assert calls.keys() == WRITES.keys()
    for name, every in calls.items():
        for call in every:
            write, arguments = WRITES[name], validate(WRITES[name], call)
            kind, subject = write.subject(arguments)
            async with db.hot(world.id) as connection:
                decision = decide(write.act, await facts.load(connection, world.id, who, kind, subject))
            ruling = await judge.check(
                Check(
                    workspace_id=world.id,
                    member_id=who,
                    act=write.act,
                    subject_kind=kind,
                    subject_id=subject,
                )
            )
            assert (ruling.allowed, ruling.reason) == (decision.allowed, decision.reason)
            before = await world.counts()
            outcomes: list[Outcome] = []
            for agent in (None, new_id()):  # by hand, and by an agent that works for them
                order = Order(
                    workspace_id=world.id,
                    member_id=who,
                    actor_id=who,
                    write=name,
                    arguments=arguments,
                    key=new_id(),
                    agent_id=agent,
                )
                outcomes.append(await perform(db, judge, NOBODY, order))
            if decision.allowed:
                assert isinstance(outcomes[0], Done), (name, call, outcomes)
                assert isinstance(outcomes[1], Done | Failed), (name, call, outcomes)  # it is so already
                assert await world.counts() != before
            else:
                assert outcomes == [Refused(decision.reason)] * 2, (name, call)
                assert await world.counts() == before
