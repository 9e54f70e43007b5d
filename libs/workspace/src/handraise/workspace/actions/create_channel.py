"""Create a channel; whoever does is its admin."""

import re
from uuid import UUID

from msgspec import Struct
from sqlalchemy import insert
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.workspace.actions.order import Cannot, Order, Receipt, Write
from handraise.workspace.actions.rows import create
from handraise.workspace.actions.wording import check_text, one_line
from handraise.workspace.policy import Act
from handraise.workspace.schema import channel_members, channels
from handraise.workspace.words import ChannelKind, Role

_NAME = re.compile(r"[^\W_]([\w-]{0,78}[^\W_])?")


class CreateChannel(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    kind: ChannelKind = ChannelKind.PUBLIC
    topic: str = ""


def channel_name(name: str) -> str:
    """Return the name as it is kept: without the #, in small letters."""
    return name.strip().removeprefix("#").lower()


async def run(connection: AsyncConnection, order: Order, arguments: CreateChannel) -> Receipt:
    name: str = channel_name(arguments.name)
    channel_id: UUID = order.derived("channel")
    await create(
        connection,
        channels,
        taken=f"There is a channel #{name} already; choose another name.",
        id=channel_id,
        workspace_id=order.workspace_id,
        name=name,
        kind=arguments.kind,
        topic=arguments.topic.strip(),
    )
    await connection.execute(
        insert(channel_members).values(
            workspace_id=order.workspace_id,
            channel_id=channel_id,
            member_id=order.member_id,
            role=Role.ADMIN,
        )
    )
    return Receipt(
        f"Created #{name}",
        f"/channels/{channel_id}",
        {"Channel": f"#{name}", "Kind": arguments.kind.value},
        {"channel": str(channel_id)},
    )


def check(arguments: CreateChannel) -> None:
    name = channel_name(arguments.name)
    if not _NAME.fullmatch(name):
        raise Cannot(
            f"“{one_line(name, 40)}” is no name for a channel; use up to 80 letters, digits and hyphens."
        )
    check_text(arguments.topic, "topic", longest=250, empty=True)


WRITE = Write(
    name="create_channel",
    arguments=CreateChannel,
    act=Act.CHANNEL_CREATE,
    run=run,
    check=check,
    by_hand=True,
)
