"""What a person is shown before something is said in their name."""

from uuid import UUID

import msgspec

from handraise.workspace.actions.message_group import MessageGroup, group_name
from handraise.workspace.actions.post_to_channel import PostToChannel, people
from handraise.workspace.actions.send_dm import SendDm
from handraise.workspace.database import Database
from handraise.workspace.tools.names import no_channel, none_to_see, only_group
from handraise.workspace.tools.tool import InvalidArguments, Preview
from handraise.workspace.tools.writing import writing
from handraise.workspace.views import tools_talk
from handraise.workspace.views.tools_conversations import groups_seen


async def _post(
    db: Database, workspace_id: UUID, member_id: UUID, args: PostToChannel
) -> tuple[PostToChannel, Preview]:
    async with db.read(workspace_id) as connection:
        channel = await tools_talk.channel_seen(connection, workspace_id, member_id, args.channel)
        if channel is None:
            raise await no_channel(connection, workspace_id, member_id, args.channel)
    more = channel.audience > 1
    return msgspec.structs.replace(args, channel=str(channel.id)), Preview(
        sentence=f"Post to #{channel.name}",
        audience=channel.audience,
        draft=args.text,
        confirm=f"Confirm: post to {people(channel.audience)}" if more else "Confirm",
        link=f"/channels/{channel.id}",
    )


async def _dm(db: Database, workspace_id: UUID, member_id: UUID, args: SendDm) -> tuple[SendDm, Preview]:
    if args.person_id == member_id:
        raise InvalidArguments("That is the person you work for: answer them instead of writing to them.")
    async with db.read(workspace_id) as connection:
        name = await tools_talk.person_seen(connection, workspace_id, member_id, args.person_id)
    if name is None:
        raise none_to_see("active person", "find_people")
    return args, Preview(sentence=f"Send {name} a direct message", audience=1, draft=args.text)


async def _group(
    db: Database, workspace_id: UUID, member_id: UUID, args: MessageGroup
) -> tuple[MessageGroup, Preview]:
    async with db.read(workspace_id) as connection:
        found = await groups_seen(connection, workspace_id, member_id, args.group)
        group = await only_group(connection, workspace_id, member_id, args.group, found)
    return msgspec.structs.replace(args, group=str(group.id)), Preview(
        sentence=f"Write to {group_name(group.name)}",
        audience=group.people,
        draft=args.text,
        facts=(("With", group.detail),),
        link=f"/dm/{group.id}",
    )


WRITING = (
    writing(
        "post_to_channel", "Posts a message to a channel, in the name of the person you work for.", _post
    ),
    writing("send_dm", "Sends somebody a direct message, in the name of the person you work for.", _dm),
    writing("message_group", "Writes a message to a group, in the name of the person you work for.", _group),
)
