"""Projects, tasks and docs."""

from sqlalchemy import Column, Index, Integer, PrimaryKeyConstraint, Table, Text, UniqueConstraint

from handraise.workspace.schema.base import key, metadata, moment, one_of, ref, tenant, word
from handraise.workspace.words import Role, TaskStatus, Visibility

projects = Table(
    "projects",
    metadata,
    key(),
    tenant(),
    ref("team_id", "teams", nullable=True),
    Column("key", Text, nullable=False),  # ATL
    Column("name", Text, nullable=False),
    Column("description", Text, nullable=False, server_default=""),
    Column("last_task", Integer, nullable=False, server_default="0"),  # the newest task's number
    moment("created_at", now=True),
    UniqueConstraint("workspace_id", "key"),
)

project_members = Table(
    "project_members",
    metadata,
    tenant(),
    ref("project_id", "projects"),
    ref("member_id", "members"),
    word("role", Role, default=Role.MEMBER),
    one_of("role", Role),
    PrimaryKeyConstraint("project_id", "member_id"),
    Index(None, "member_id"),
)

tasks = Table(
    "tasks",
    metadata,
    key(),
    tenant(),
    ref("project_id", "projects"),
    Column("number", Integer, nullable=False),
    Column("title", Text, nullable=False),
    Column("description", Text, nullable=False, server_default=""),
    word("status", TaskStatus, default=TaskStatus.TODO),
    ref("assignee_id", "members", nullable=True, ondelete="SET NULL"),
    moment("due_at", nullable=True),
    Column("due_zone", Text),  # IANA, of whoever set the date
    Column("version", Integer, nullable=False, server_default="1"),  # counts up with every change
    ref("created_by", "members", nullable=True, ondelete="SET NULL"),
    moment("created_at", now=True),
    moment("updated_at", now=True),
    one_of("status", TaskStatus),
    UniqueConstraint("project_id", "number"),
    Index(None, "assignee_id"),
)

docs = Table(
    "docs",
    metadata,
    key(),
    tenant(),
    ref("project_id", "projects", nullable=True),
    ref("team_id", "teams", nullable=True),
    ref("owner_id", "members"),
    Column("title", Text, nullable=False),
    Column("body", Text, nullable=False, server_default=""),  # Markdown
    word("visibility", Visibility, default=Visibility.PROJECT),
    Column("version", Integer, nullable=False, server_default="1"),
    moment("created_at", now=True),
    moment("updated_at", now=True),
    one_of("visibility", Visibility),
    Index(None, "project_id"),
)
