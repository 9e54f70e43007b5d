"""Workspaces, members, teams and the sessions of those who are signed in."""

from sqlalchemy import (
    ARRAY,
    Column,
    Index,
    LargeBinary,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    literal_column,
    text,
)

from handraise.workspace.schema.base import key, metadata, moment, one_of, ref, tenant, word
from handraise.workspace.words import MemberRole, MemberStatus, Role, SessionKind

workspaces = Table(
    "workspaces",
    metadata,
    key(),
    Column("slug", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    moment("created_at", now=True),
)

members = Table(
    "members",
    metadata,
    key(),
    tenant(),
    Column("email", Text, nullable=False),  # lower case
    Column("name", Text, nullable=False),
    Column("handle", Text, nullable=False),  # without the @
    word("role", MemberRole, default=MemberRole.MEMBER),
    word("status", MemberStatus, default=MemberStatus.ACTIVE),
    Column("timezone", Text, nullable=False, server_default="UTC"),  # IANA
    Column("password_hash", Text),
    moment("created_at", now=True),
    one_of("role", MemberRole),
    one_of("status", MemberStatus),
    UniqueConstraint("workspace_id", "email"),
    UniqueConstraint("workspace_id", "handle"),
    Index("ix_members_admins", "workspace_id", postgresql_where=text("role = 'admin'")),
    Index(
        "ix_members_names",
        literal_column("(name || ' @' || handle)").label("names"),
        postgresql_using="gin",
        postgresql_ops={"names": "gin_trgm_ops"},
    ),
)

sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", LargeBinary, primary_key=True),
    tenant(),
    ref("member_id", "members"),
    word("kind", SessionKind),
    Column("name", Text, nullable=False, server_default=""),  # of a bearer token, as its owner called it
    Column("scopes", ARRAY(Text), nullable=False, server_default="{}"),
    Column("csrf", Text),
    moment("created_at", now=True),
    moment("expires_at"),
    one_of("kind", SessionKind),
    Index(None, "member_id"),
)

teams = Table(
    "teams",
    metadata,
    key(),
    tenant(),
    Column("name", Text, nullable=False),
    moment("created_at", now=True),
    UniqueConstraint("workspace_id", "name"),
)

team_members = Table(
    "team_members",
    metadata,
    tenant(),
    ref("team_id", "teams"),
    ref("member_id", "members"),
    word("role", Role, default=Role.MEMBER),
    one_of("role", Role),
    PrimaryKeyConstraint("team_id", "member_id"),
    Index(None, "member_id"),
    Index("ix_team_members_admins", "team_id", postgresql_where=text("role = 'admin'")),
)
