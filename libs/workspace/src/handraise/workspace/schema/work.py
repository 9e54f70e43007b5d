"""Projects, tasks, docs and reminders."""

from sqlalchemy import (
    Column,
    Computed,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    text,
)

from handraise.workspace.schema.base import key, metadata, moment, one_of, ref, searched, tenant, word
from handraise.workspace.words import ReminderStatus, Role, TaskStatus, Visibility

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
    Index("ix_project_members_admins", "project_id", postgresql_where=text("role = 'admin'")),
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
    searched("title", "description"),
    one_of("status", TaskStatus),
    UniqueConstraint("project_id", "number"),
    Index(None, "assignee_id"),
    Index("ix_tasks_words", "words", postgresql_using="gin"),
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
    ref("updated_by", "members", nullable=True, ondelete="SET NULL"),  # null: its owner
    moment("created_at", now=True),
    moment("updated_at", now=True),
    # Whose membership opens it, as `gates.may_read_doc` says: so one index finds what somebody can read.
    Column(
        "audience_id",
        Uuid,
        Computed(
            "CASE visibility WHEN 'private' THEN owner_id WHEN 'project' THEN project_id "
            "WHEN 'team' THEN team_id ELSE workspace_id END",
            persisted=True,
        ),
    ),
    searched("title", "body"),
    one_of("visibility", Visibility),
    Index(None, "project_id"),
    Index(None, "audience_id"),
    Index("ix_docs_words", "words", postgresql_using="gin"),
)

doc_revisions = Table(
    "doc_revisions",
    metadata,
    tenant(),
    ref("doc_id", "docs"),
    Column("version", Integer, nullable=False),
    Column("title", Text, nullable=False),
    Column("body", Text, nullable=False),
    ref("author_id", "members", nullable=True, ondelete="SET NULL"),  # who wrote this version
    moment("created_at"),  # when it was written
    PrimaryKeyConstraint("doc_id", "version"),  # those that a newer one has replaced; the newest is the doc
)

reminders = Table(
    "reminders",
    metadata,
    key(),
    tenant(),
    ref("member_id", "members"),  # who is reminded, and nobody else
    Column("text", Text, nullable=False),
    moment("due_at"),
    Column("zone", Text, nullable=False),  # IANA, the member's when it was set
    word("status", ReminderStatus, default=ReminderStatus.SET),
    Column("job_id", Uuid),  # the job whose action set it; null: by hand
    Column("agent_id", Uuid),
    moment("created_at", now=True),
    moment("fired_at", nullable=True),
    one_of("status", ReminderStatus),
    Index("ix_reminders_member", "member_id", "due_at", postgresql_where=text("status = 'set'")),
)
