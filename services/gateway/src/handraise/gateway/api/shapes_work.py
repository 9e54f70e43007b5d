"""What the API takes and gives of work: tasks, projects, docs, people, reminders, search.

Of a change, what is not given stays as it is. `key`, when given, makes sending something again harmless.
"""

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from handraise.gateway.api.shapes import Input

Line = Annotated[str, msgspec.Meta(max_length=1_000)]
Text = Annotated[str, msgspec.Meta(max_length=200_000)]
Version = Annotated[int, msgspec.Meta(ge=0, lt=2**31)]


class NewTask(Input, frozen=True, kw_only=True):
    """A task to be created."""

    project_id: UUID
    title: Line
    description: Text = ""
    assignee_id: UUID | None = None
    due_at: str | None = None
    key: UUID | None = None


class TaskChange(Input, frozen=True, kw_only=True):
    """What is to be changed of a task. With `version`, only if nobody changed it meanwhile."""

    title: Line | UnsetType = UNSET
    description: Text | UnsetType = UNSET
    status: Annotated[str, msgspec.Meta(max_length=64)] | UnsetType = UNSET
    assignee_id: UUID | UnsetType | None = UNSET
    due_at: str | UnsetType | None = UNSET
    version: Version | None = None
    key: UUID | None = None


class NewProject(Input, frozen=True, kw_only=True):
    """A project to be created. `short`, such as ATL, is what its tasks are called by; else made from its name."""

    team_id: UUID
    name: Line
    short: Annotated[str, msgspec.Meta(max_length=20)] | None = None
    description: Text = ""
    key: UUID | None = None


class NewNamed(Input, frozen=True, kw_only=True):
    """A team to be created."""

    name: Line
    key: UUID | None = None


class NewChannel(Input, frozen=True, kw_only=True):
    """A channel to be created: public, private or announcement."""

    name: Line
    kind: Annotated[str, msgspec.Meta(max_length=64)] = "public"
    topic: Line = ""
    key: UUID | None = None


class NewGroup(Input, frozen=True, kw_only=True):
    """A group to be created, of these people and oneself."""

    name: Line
    people: Annotated[list[UUID], msgspec.Meta(min_length=1, max_length=50)]
    key: UUID | None = None


class NewDm(Input, frozen=True, kw_only=True):
    """With whom a conversation is to be opened."""

    person_id: UUID


class NewDoc(Input, frozen=True, kw_only=True):
    """A doc to be created. `visibility`: private, project, team or workspace; else whom it is filed with."""

    title: Line
    body: Text = ""
    project_id: UUID | None = None
    team_id: UUID | None = None
    visibility: Annotated[str, msgspec.Meta(max_length=64)] | None = None
    key: UUID | None = None


class DocChange(Input, frozen=True, kw_only=True):
    """Text to append, or a new title or body. With `version`, only if nobody changed it meanwhile."""

    append: Text | UnsetType = UNSET
    title: Line | UnsetType = UNSET
    body: Text | UnsetType = UNSET
    version: Version | None = None
    key: UUID | None = None


class NewReminder(Input, frozen=True, kw_only=True):
    """A reminder for oneself: `at` on one's own clock, 2026-11-05T10:00, or with an offset."""

    text: Annotated[str, msgspec.Meta(max_length=10_000)]
    at: Annotated[str, msgspec.Meta(max_length=64)]
    key: UUID | None = None


class NewMember(Input, frozen=True, kw_only=True):
    """Who is to be added, as `admin` or `member`."""

    person_id: UUID
    role: Annotated[str, msgspec.Meta(max_length=64)] = "member"
    key: UUID | None = None


class RoleChange(Input, frozen=True, kw_only=True):
    """What somebody is to be: `admin` or `member`."""

    role: Annotated[str, msgspec.Meta(max_length=64)]


class PersonChange(Input, frozen=True, kw_only=True):
    """What somebody is to be in the workspace: admin, member or guest; active or deactivated."""

    role: Annotated[str, msgspec.Meta(max_length=64)] | UnsetType = UNSET
    status: Annotated[str, msgspec.Meta(max_length=64)] | UnsetType = UNSET


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody in the workspace."""

    id: UUID
    name: str
    handle: str
    role: str
    status: str


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody in a team, project or channel, and what they are there."""

    id: UUID
    name: str
    handle: str
    role: str


class DocLink(msgspec.Struct, frozen=True, kw_only=True):
    id: UUID
    title: str


class Project(msgspec.Struct, frozen=True, kw_only=True):
    """A project at a glance. `role` is one's own; `tasks` counts them by status."""

    id: UUID
    key: str
    name: str
    description: str
    team_id: UUID | None
    team: str | None
    role: str | None
    tasks: dict[str, int]
    people: list[Member]
    docs: list[DocLink]


class OfTeam(msgspec.Struct, frozen=True, kw_only=True):
    id: UUID
    key: str
    name: str


class Team(msgspec.Struct, frozen=True, kw_only=True):
    """A team, what one is in it, and its projects that one may read."""

    id: UUID
    name: str
    role: str | None
    projects: list[OfTeam]


class Doc(msgspec.Struct, frozen=True, kw_only=True):
    """A doc, in Markdown as it was written. `may_edit`: one may change it."""

    id: UUID
    title: str
    body: str
    visibility: str
    project_id: UUID | None
    team_id: UUID | None
    owner_id: UUID
    owner: str
    updated_by: str
    updated_at: datetime
    version: int
    may_edit: bool


class Revision(msgspec.Struct, frozen=True, kw_only=True):
    """A version of a doc that a newer one has replaced."""

    version: int
    title: str
    body: str
    author: str | None
    created_at: datetime


class Reminder(msgspec.Struct, frozen=True, kw_only=True):
    """A reminder of one's own: set, fired or cancelled. `zone` is the clock it was set by."""

    id: UUID
    text: str
    due_at: datetime
    zone: str
    status: str
    job_id: UUID | None
