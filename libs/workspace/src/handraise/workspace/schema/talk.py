"""Channels, direct messages, groups, and the messages in all of them."""

from sqlalchemy import Column, Index, PrimaryKeyConstraint, Table, Text, UniqueConstraint, Uuid, text

from handraise.workspace.schema.base import key, metadata, moment, one_of, ref, searched, tenant, word
from handraise.workspace.words import ChannelKind, ConversationKind, MessageKind, Role, Surface

channels = Table(
    "channels",
    metadata,
    key(),
    tenant(),
    Column("name", Text, nullable=False),  # without the #
    Column("topic", Text, nullable=False, server_default=""),
    word("kind", ChannelKind, default=ChannelKind.PUBLIC),
    moment("created_at", now=True),
    one_of("kind", ChannelKind),
    UniqueConstraint("workspace_id", "name"),
)

channel_members = Table(
    "channel_members",
    metadata,
    tenant(),
    ref("channel_id", "channels"),
    ref("member_id", "members"),
    word("role", Role, default=Role.MEMBER),
    one_of("role", Role),
    PrimaryKeyConstraint("channel_id", "member_id"),
    Index(None, "member_id"),
    Index("ix_channel_members_admins", "channel_id", postgresql_where=text("role = 'admin'")),
)

conversations = Table(
    "conversations",
    metadata,
    key(),
    tenant(),
    word("kind", ConversationKind),
    Column("name", Text, nullable=False, server_default=""),  # of a group
    ref("agent_id", "agents", nullable=True),  # a direct message with an agent
    # Both ends of a direct message in order, so that two people have one: "<member>:<member or agent>".
    Column("pair", Text),
    moment("created_at", now=True),
    one_of("kind", ConversationKind),
    UniqueConstraint("workspace_id", "pair"),
)

conversation_members = Table(
    "conversation_members",
    metadata,
    tenant(),
    ref("conversation_id", "conversations"),
    ref("member_id", "members"),
    PrimaryKeyConstraint("conversation_id", "member_id"),
    Index(None, "member_id"),
)

messages = Table(
    "messages",
    metadata,
    key(),
    tenant(hot=True),
    word("surface", Surface),
    Column("place_id", Uuid, nullable=False),  # the channel, conversation or task
    Column("thread_id", Uuid),  # the root message, of a reply in a channel's thread; else null
    Column("author_id", Uuid),  # a member, or
    Column("agent_id", Uuid),  # an agent
    Column("job_id", Uuid),  # the job this message started or belongs to
    Column("request_id", Uuid),  # of a question or proposal card, and of the answer to one
    word("kind", MessageKind, default=MessageKind.TEXT),
    Column("body", Text, nullable=False),
    moment("created_at", now=True),
    searched("body"),
    one_of("surface", Surface),
    one_of("kind", MessageKind),
    Index("ix_messages_place", "place_id", "created_at"),
    Index("ix_messages_thread", "thread_id", "created_at", postgresql_where=text("thread_id IS NOT NULL")),
    Index("ix_messages_words", "words", postgresql_using="gin"),
)
