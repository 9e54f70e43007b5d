"""The read rules of `policy` as SQL, so that a read fetches and gates in one statement.

Each gate is a condition for the WHERE of a SELECT over its table. It is true for the rows that the member
may read, and it holds by itself: the member is active, and member, membership and row are of one workspace.
`policy.decide` says the same in Python; a test holds the two together on random workspaces.
"""

from uuid import UUID

from sqlalchemy import ColumnElement, CompoundSelect, FromClause, Select, and_, exists, or_, select, union_all

from handraise.workspace.schema import (
    channel_members,
    channels,
    conversation_members,
    conversations,
    docs,
    members,
    messages,
    project_members,
    projects,
    tasks,
    team_members,
    teams,
)
from handraise.workspace.words import ChannelKind, MemberRole, MemberStatus, Surface, Visibility


def may_read_channel(member_id: UUID) -> ColumnElement[bool]:
    """Gate `channels`: its members, and to an admin of the workspace whatever is public."""
    return or_(
        _belongs(channel_members, "channel_id", channels.c.id, channels, member_id),
        and_(
            channels.c.kind == ChannelKind.PUBLIC,
            _is_active(channels, member_id, MemberRole.ADMIN),
        ),
    )


def may_read_conversation(member_id: UUID) -> ColumnElement[bool]:
    """Gate `conversations`, direct and group: those who take part."""
    return _belongs(conversation_members, "conversation_id", conversations.c.id, conversations, member_id)


def may_read_team(member_id: UUID) -> ColumnElement[bool]:
    """Gate `teams`: its members, and everybody of the workspace but guests."""
    return or_(
        _belongs(team_members, "team_id", teams.c.id, teams, member_id),
        _is_active(teams, member_id, MemberRole.ADMIN, MemberRole.MEMBER),
    )


def may_read_project(member_id: UUID) -> ColumnElement[bool]:
    """Gate `projects`: its members."""
    return _belongs(project_members, "project_id", projects.c.id, projects, member_id)


def may_read_task(member_id: UUID) -> ColumnElement[bool]:
    """Gate `tasks`: the members of its project."""
    return _belongs(project_members, "project_id", tasks.c.project_id, tasks, member_id)


def may_read_doc(member_id: UUID) -> ColumnElement[bool]:
    """Gate `docs`: owner, project, team or the workspace without its guests, as the visibility says."""
    return or_(
        and_(
            docs.c.visibility == Visibility.PRIVATE,
            docs.c.owner_id == member_id,
            _is_active(docs, member_id, *MemberRole),
        ),
        and_(
            docs.c.visibility == Visibility.PROJECT,
            _belongs(project_members, "project_id", docs.c.project_id, docs, member_id),
        ),
        and_(
            docs.c.visibility == Visibility.TEAM,
            _belongs(team_members, "team_id", docs.c.team_id, docs, member_id),
        ),
        and_(
            docs.c.visibility == Visibility.WORKSPACE,
            _is_active(docs, member_id, MemberRole.ADMIN, MemberRole.MEMBER),
        ),
    )


def places_read_by(member_id: UUID) -> CompoundSelect[tuple[UUID]]:
    """Select the ids of the channels and conversations of `may_read_channel` and `may_read_conversation`.

    Sets are asked from the member's side: what they cost goes by what somebody is in, not by what there is.
    """
    public = select(channels.c.id).where(
        channels.c.kind == ChannelKind.PUBLIC, _is_active(channels, member_id, MemberRole.ADMIN)
    )
    return union_all(
        _belonging(channel_members, "channel_id", member_id),
        _belonging(conversation_members, "conversation_id", member_id),
        public,
    )


def projects_read_by(member_id: UUID) -> Select[tuple[UUID]]:
    """Select the ids of the projects of `may_read_project`."""
    return _belonging(project_members, "project_id", member_id)


def audiences_of(member_id: UUID) -> CompoundSelect[tuple[UUID]]:
    """Select the `audience_id` of the docs of `may_read_doc`: oneself, projects, teams, the workspace."""
    who = members.alias()
    active = and_(who.c.id == member_id, who.c.status == MemberStatus.ACTIVE)
    return union_all(
        select(who.c.id).where(active),
        projects_read_by(member_id),
        _belonging(team_members, "team_id", member_id),
        select(who.c.workspace_id).where(active, who.c.role != MemberRole.GUEST),
    )


def may_read_message(member_id: UUID) -> ColumnElement[bool]:
    """Gate `messages` by the place they stand in."""
    return or_(
        _in_place(channels, may_read_channel(member_id), Surface.CHANNEL_THREAD),
        _in_place(conversations, may_read_conversation(member_id), Surface.DM, Surface.GROUP),
        _in_place(tasks, may_read_task(member_id), Surface.TASK),
    )


def _in_place(place: FromClause, gate: ColumnElement[bool], *surfaces: Surface) -> ColumnElement[bool]:
    # An uncorrelated IN: the planner gathers the readable places once, not once a message.
    readable = select(place.c.id).where(gate).correlate(None)
    return and_(messages.c.surface.in_(surfaces), messages.c.place_id.in_(readable))


def _belongs(
    membership: FromClause,
    column: str,
    target: ColumnElement[object],
    row: FromClause,
    member_id: UUID,
) -> ColumnElement[bool]:
    # Aliases, so that a query that itself joins `members` does not get its own row correlated in here.
    of, who = membership.alias(), members.alias()
    return exists(
        select(1)
        .select_from(of.join(who, who.c.id == of.c.member_id))
        .where(
            of.c[column] == target,
            of.c.member_id == member_id,
            of.c.workspace_id == row.c.workspace_id,
            who.c.workspace_id == row.c.workspace_id,
            who.c.status == MemberStatus.ACTIVE,
        )
        .correlate(row)
    )


def _belonging(membership: FromClause, column: str, member_id: UUID) -> Select[tuple[UUID]]:
    of, who = membership.alias(), members.alias()
    return (
        select(of.c[column])
        .join(who, and_(who.c.id == of.c.member_id, who.c.workspace_id == of.c.workspace_id))
        .where(of.c.member_id == member_id, who.c.status == MemberStatus.ACTIVE)
    )


def _is_active(row: FromClause, member_id: UUID, *roles: MemberRole) -> ColumnElement[bool]:
    who = members.alias()
    return exists(
        select(1)
        .select_from(who)
        .where(
            who.c.id == member_id,
            who.c.workspace_id == row.c.workspace_id,
            who.c.status == MemberStatus.ACTIVE,
            who.c.role.in_(roles),
        )
        .correlate(row)
    )
