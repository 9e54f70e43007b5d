"""Post a message to a channel."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.order import Cannot, Order, Receipt, Write
from handraise.workspace.actions.rows import create
from handraise.workspace.actions.wording import check_text
from handraise.workspace.policy import Act, SubjectKind
from handraise.workspace.schema import channel_members, channels, members, messages
from handraise.workspace.words import MemberStatus, Surface


class PostToChannel(Struct, frozen=True, forbid_unknown_fields=True):
    channel: Annotated[
        str,
        Meta(
            description="The channel's name or id. A proposal keeps the id, so that it outlives a new name."
        ),
    ]
    text: Annotated[str, Meta(description="The message, in Markdown, exactly as people will read it.")]


def people(count: int) -> str:
    """Say how many."""
    return "1 person" if count == 1 else f"{count} people"


async def run(connection: AsyncConnection, order: Order, arguments: PostToChannel) -> Receipt:
    channel_id = UUID(arguments.channel)
    audience = (
        select(func.count())
        .select_from(channel_members.join(members, members.c.id == channel_members.c.member_id))
        .where(channel_members.c.channel_id == channels.c.id, members.c.status == MemberStatus.ACTIVE)
        .correlate(channels)
        .scalar_subquery()
    )
    statement = select(channels.c.name, audience.label("audience")).where(
        channels.c.id == channel_id, channels.c.workspace_id == order.workspace_id
    )
    channel = (await connection.execute(statement)).first()
    if channel is None:
        raise Cannot("The channel is gone; nothing was posted.")
    message_id = order.derived("message")
    await create(
        connection,
        messages,
        id=message_id,
        workspace_id=order.workspace_id,
        surface=Surface.CHANNEL_THREAD,
        place_id=channel_id,
        author_id=order.member_id,
        job_id=order.job_id,
        body=arguments.text,
    )
    return Receipt(
        f"Posted to #{channel.name}",
        f"/channels/{channel_id}#m-{message_id}",
        {"In": f"#{channel.name}, {people(channel.audience)}"},
        {"message": str(message_id), "channel": str(channel_id)},
    )


def check(arguments: PostToChannel) -> None:
    check_text(arguments.text, "message")


WRITE = Write(
    name="post_to_channel",
    arguments=PostToChannel,
    act=Act.CHANNEL_POST,
    subjects=(("channel", SubjectKind.CHANNEL),),
    run=run,
    check=check,
)
