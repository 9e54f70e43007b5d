"""What a model is told when what it names is not there: what was wrong, and what there is instead."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.wording import one_line
from handraise.workspace.tools.tool import InvalidArguments
from handraise.workspace.views import tools_talk


def none_to_see(what: str, source: str) -> InvalidArguments:
    """Return the error for an id that is not there, or not for this member: nobody is told which."""
    return InvalidArguments(
        f"There is no {what} with this id that the person you work for can see. Look it up with {source}."
    )


async def no_channel(
    connection: AsyncConnection, workspace_id: UUID, member_id: UUID, channel: str
) -> InvalidArguments:
    """Return the error for a channel, with the channels there are."""
    names = await tools_talk.channel_names(connection, workspace_id, member_id)
    there = ", ".join(f"#{name}" for name in names) or "none"
    return InvalidArguments(
        f"There is no channel “{one_line(channel, 80)}” that the person you work for can see. "
        f"Channels to be seen: {there}. Ask when it is not clear which is meant."
    )
