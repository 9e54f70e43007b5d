"""Fresh things to do every write to, on which one person has chosen roles."""

from typing import Any
from uuid import UUID

import msgspec

from handraise.common.ids import new_id
from handraise.workspace.words import MemberRole, MemberStatus, Role
from tests.integration.workspace.world import World

Calls = dict[str, list[dict[str, Any]]]


class Roles(msgspec.Struct, frozen=True):
    """What somebody is on the places there are."""

    team: Role | None
    project: Role | None
    channel: Role | None

    @classmethod
    def alike(cls, role: Role | None) -> "Roles":
        """Return the same on all of them."""
        return cls(role, role, role)


async def targets(world: World, who: UUID, roles: Roles) -> Calls:
    """Return calls of every write on fresh targets, on each of which `who` has its role.

    Others are there too: none of the calls fails for another reason than a right.
    """
    key = new_id().hex[-6:]
    other, third, fourth = [await world.member(name) for name in ("Other", "Third", "Fourth")]
    gone = await world.member("Gone", status=MemberStatus.DEACTIVATED)
    await world.member("Boss", MemberRole.ADMIN)

    async def join(kind: str, id: UUID, role: Role | None) -> None:
        admins, members = [who] * (role is Role.ADMIN), [who] * (role is Role.MEMBER)
        await world.join(kind, id, [other, *admins], [fourth, *members])

    team = await world.team(f"Team {key}")
    project = await world.project(key, f"Project {key}")
    channels = [await world.channel(f"{kind}{key}", kind) for kind in ("public", "private", "announcement")]
    await join("team", team, roles.team)
    await join("project", project, roles.project)
    for channel in channels:
        await join("channel", channel, roles.channel)
    task = str(await world.task(project, 1, "A task"))
    docs = await _docs(world, (who, other), project, team)
    groups = [
        await world.conversation("group", [other, *([who] if roles.channel else [])], name=f"g{key}"),
        await world.conversation("dm", [other, who]),
    ]
    reminders = [await world.reminder(person, "x") for person in (who, other)]
    places = [("team", team), ("project", project), *(("channel", channel) for channel in channels)]

    def of_places(person: UUID, **more: str) -> list[dict[str, Any]]:
        return [
            {"place": place, "place_id": str(id), "person_id": str(person), **more} for place, id in places
        ]

    return {
        "update_task_status": [{"task_id": task, "status": "done"}],
        "create_task": [{"project_id": str(project), "title": "New"}],
        "assign_task": [{"task_id": task, "assignee_id": str(other)}],
        "set_task_due_date": [{"task_id": task, "due_at": "2027-11-05T09:00:00Z"}],
        "post_to_channel": [{"channel": str(channel), "text": "hi"} for channel in channels],
        "send_dm": [{"person_id": str(person), "text": "hi"} for person in (other, gone)],
        "create_doc": [
            {"title": "x", "body": ""} | where
            for where in ({"project_id": str(project)}, {"team_id": str(team)}, {})
        ],
        "append_to_doc": [{"doc_id": doc, "text": "more"} for doc in docs],
        "create_project": [{"team_id": str(team), "name": f"Next {key}"}],
        "message_group": [{"group": str(group), "text": "hi"} for group in groups],
        "set_reminder": [{"text": "x", "at": "2030-11-05T09:00"}],
        "edit_task": [{"task_id": task, "title": "Renamed"}],
        "write_doc": [{"doc_id": doc, "title": "Renamed"} for doc in docs],
        "cancel_reminder": [{"reminder_id": str(id)} for id in reminders],
        "open_dm": [{"person_id": str(person)} for person in (third, gone)],
        "create_group": [{"name": "Both", "people": [str(other)]}],
        "create_channel": [{"name": f"new{key}"}],
        "create_team": [{"name": f"New {key}"}],
        "add_member": of_places(third),
        "remove_member": of_places(other),
        "set_role": of_places(fourth, role="admin"),
        "change_person": [{"person_id": str(third), "role": "guest"}],
    }


async def _docs(world: World, owners: tuple[UUID, ...], project: UUID, team: UUID) -> list[str]:
    filings: tuple[tuple[str, UUID | None, UUID | None], ...] = (
        ("private", None, None),
        ("project", project, None),
        ("team", None, team),
        ("workspace", None, None),
        ("workspace", project, None),
        ("workspace", None, team),
    )
    return [
        str(await world.doc(owner, visibility, project_id=in_project, team_id=with_team))
        for owner in owners
        for visibility, in_project, with_team in filings
    ]
