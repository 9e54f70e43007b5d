"""What a model is told when what it names is not there: what was wrong, and what there is instead."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.wording import one_line
from handraise.workspace.tools.tool import InvalidArguments
from handraise.workspace.views import tools_conversations, tools_talk
from handraise.workspace.views.tools_conversations import Found


def none_to_see(what: str, source: str) -> InvalidArguments:
    """Return the error for an id that is not there, or not for this member: nobody is told which."""
    return InvalidArguments(
        f"There is no {what} with this id that the person you work for can see. Look it up with {source}."
    )


async def no_channel(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, channel: str
) -> InvalidArguments:
    """Return the error for a channel, with the channels there are."""
    names = await tools_talk.channel_names(connection, workspace_id, member_id, channel)
    there = ", ".join(f"#{name}" for name in names) or "none"
    return InvalidArguments(
        f"There is no channel “{one_line(channel, 80)}” that the person you work for can see. "
        f"Channels to be seen: {there}. Ask when it is not clear which is meant."
    )


async def only_group(
    connection: AsyncConnection,
    workspace_id: UUID,
    member_id: UUID,
    group: str,
    found: tuple[Found, ...],
) -> Found:
    """Return the one group that a name fits. Raises InvalidArguments that says which there are."""
    if len(found) == 1:
        return found[0]
    if found:
        raise several("groups", group, found)
    mine = await tools_conversations.groups_seen(connection, workspace_id, member_id, None)
    raise InvalidArguments(
        f"There is no group “{one_line(group, 80)}” that the person you work for is in. "
        f"Their groups: {_listed(mine) or 'none'}. Ask when it is not clear which is meant."
    )


def only_person(person: str, found: tuple[Found, ...]) -> Found:
    """Return the one conversation that a name fits. Raises InvalidArguments that says which there are."""
    if len(found) == 1:
        return found[0]
    if found:
        raise several("people", person, found)
    raise InvalidArguments(
        f"The person you work for has no direct messages with “{one_line(person, 80)}”. "
        "Look people up with find_people."
    )


def several(what: str, name: str, found: tuple[Found, ...]) -> InvalidArguments:
    """Return the error for a name that fits several: which they are, so that the agent can ask."""
    return InvalidArguments(
        f"“{one_line(name, 80)}” fits several {what}: {_listed(found)}. "
        "Ask which is meant, and give its id or handle."
    )


def _listed(found: tuple[Found, ...]) -> str:
    return "; ".join(f"{one.name} ({one_line(one.detail, 80)}, id {one.id})" for one in found)
