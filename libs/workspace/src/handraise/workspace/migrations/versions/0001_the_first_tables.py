"""The first tables."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

from handraise.workspace import rls

_TABLES = [
    "members",
    "sessions",
    "teams",
    "team_members",
    "projects",
    "project_members",
    "tasks",
    "docs",
    "channels",
    "channel_members",
    "conversations",
    "conversation_members",
    "messages",
    "agents",
    "jobs",
    "rounds",
    "requests",
    "actions",
    "audit",
]
revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "actions",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("job_id", sa.Uuid(), nullable=False),
        sa.Column("request_id", sa.Uuid(), nullable=False),
        sa.Column("tool", sa.Text(), nullable=False),
        sa.Column("arguments", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("preview", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("status", sa.Text(), server_default="proposed", nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("decided_by", sa.Uuid(), nullable=True),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("executed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("receipt", postgresql.JSONB(astext_type=sa.Text()), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "status IN ('proposed', 'confirmed', 'done', 'rejected', 'refused', 'failed', 'expired', 'cancelled')",
            name=op.f("ck_actions_status"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_actions")),
        sa.UniqueConstraint("request_id", name=op.f("uq_actions_request_id")),
    )
    op.create_index(op.f("ix_actions_job_id"), "actions", ["job_id"], unique=False)
    op.create_table(
        "audit",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("tag", sa.Text(), nullable=False),
        sa.Column("actor_id", sa.Uuid(), nullable=True),
        sa.Column("as_id", sa.Uuid(), nullable=True),
        sa.Column("agent_id", sa.Uuid(), nullable=True),
        sa.Column("job_id", sa.Uuid(), nullable=True),
        sa.Column("subject_kind", sa.Text(), nullable=False),
        sa.Column("subject_id", sa.Uuid(), nullable=True),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("trace_id", sa.Text(), nullable=True),
        sa.CheckConstraint("verdict IN ('allowed', 'refused', 'failed')", name=op.f("ck_audit_verdict")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_index(
        "ix_audit_job", "audit", ["job_id"], unique=False, postgresql_where=sa.text("job_id IS NOT NULL")
    )
    op.create_index("ix_audit_subject", "audit", ["subject_id"], unique=False)
    op.create_index(op.f("ix_audit_workspace_id_at"), "audit", ["workspace_id", "at"], unique=False)
    op.create_table(
        "jobs",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("agent_id", sa.Uuid(), nullable=False),
        sa.Column("member_id", sa.Uuid(), nullable=False),
        sa.Column("surface", sa.Text(), nullable=False),
        sa.Column("place_id", sa.Uuid(), nullable=False),
        sa.Column("thread_id", sa.Uuid(), nullable=True),
        sa.Column("message_id", sa.Uuid(), nullable=False),
        sa.Column("prompt", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), server_default="queued", nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("final", sa.Text(), nullable=True),
        sa.Column("rounds", sa.Integer(), server_default="0", nullable=False),
        sa.Column("waiting", sa.Integer(), server_default="0", nullable=False),
        sa.Column("cause", sa.Uuid(), nullable=True),
        sa.Column("epoch", sa.Integer(), server_default="0", nullable=False),
        sa.Column("fence", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
        sa.Column("stop_by", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "status IN ('queued', 'running', 'parked', 'done', 'stopped', 'failed')",
            name=op.f("ck_jobs_status"),
        ),
        sa.CheckConstraint(
            "surface IN ('channel_thread', 'dm', 'group', 'task', 'function_call')",
            name=op.f("ck_jobs_surface"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_jobs")),
    )
    op.create_index(
        "ix_jobs_live",
        "jobs",
        ["workspace_id", "created_at"],
        unique=False,
        postgresql_where=sa.text("finished_at IS NULL"),
    )
    op.create_index("ix_jobs_place", "jobs", ["place_id", "created_at"], unique=False)
    op.create_index(
        "ix_jobs_thread",
        "jobs",
        ["thread_id"],
        unique=False,
        postgresql_where=sa.text("thread_id IS NOT NULL"),
    )
    op.create_table(
        "messages",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("surface", sa.Text(), nullable=False),
        sa.Column("place_id", sa.Uuid(), nullable=False),
        sa.Column("thread_id", sa.Uuid(), nullable=True),
        sa.Column("author_id", sa.Uuid(), nullable=True),
        sa.Column("agent_id", sa.Uuid(), nullable=True),
        sa.Column("job_id", sa.Uuid(), nullable=True),
        sa.Column("request_id", sa.Uuid(), nullable=True),
        sa.Column("kind", sa.Text(), server_default="text", nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "kind IN ('text', 'question', 'proposal', 'answer', 'final', 'notice')",
            name=op.f("ck_messages_kind"),
        ),
        sa.CheckConstraint(
            "surface IN ('channel_thread', 'dm', 'group', 'task', 'function_call')",
            name=op.f("ck_messages_surface"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messages")),
    )
    op.create_index(
        "ix_messages_place",
        "messages",
        ["place_id", "created_at"],
        unique=False,
        postgresql_where=sa.text("thread_id IS NULL"),
    )
    op.create_index(
        "ix_messages_thread",
        "messages",
        ["thread_id", "created_at"],
        unique=False,
        postgresql_where=sa.text("thread_id IS NOT NULL"),
    )
    op.create_table(
        "requests",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("job_id", sa.Uuid(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("call", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("agent_id", sa.Uuid(), nullable=False),
        sa.Column("member_id", sa.Uuid(), nullable=False),
        sa.Column("surface", sa.Text(), nullable=False),
        sa.Column("place_id", sa.Uuid(), nullable=False),
        sa.Column("thread_id", sa.Uuid(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), server_default="open", nullable=False),
        sa.Column("option", sa.Text(), nullable=True),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("answered_by", sa.Uuid(), nullable=True),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("answered_from", sa.Text(), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("kind IN ('question', 'approval')", name=op.f("ck_requests_kind")),
        sa.CheckConstraint(
            "status IN ('open', 'accepted', 'declined', 'cancelled', 'expired')",
            name=op.f("ck_requests_status"),
        ),
        sa.CheckConstraint(
            "surface IN ('channel_thread', 'dm', 'group', 'task', 'function_call')",
            name=op.f("ck_requests_surface"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_requests")),
        sa.UniqueConstraint("job_id", "round", "call", name=op.f("uq_requests_job_id_round_call")),
    )
    op.create_index(
        "ix_requests_answered",
        "requests",
        ["workspace_id", "answered_at"],
        unique=False,
        postgresql_where=sa.text("answered_at IS NOT NULL"),
    )
    op.create_index(
        "ix_requests_open",
        "requests",
        ["workspace_id", "member_id", "created_at"],
        unique=False,
        postgresql_where=sa.text("status = 'open'"),
    )
    op.create_index(
        "ix_requests_place",
        "requests",
        ["place_id"],
        unique=False,
        postgresql_where=sa.text("status = 'open'"),
    )
    op.create_table(
        "rounds",
        sa.Column("job_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("reply", sa.Text(), nullable=False),
        sa.Column("calls", postgresql.JSONB(astext_type=sa.Text()), server_default="[]", nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("input_tokens", sa.Integer(), nullable=True),
        sa.Column("output_tokens", sa.Integer(), nullable=True),
        sa.Column("latency_us", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("job_id", "number", name=op.f("pk_rounds")),
    )
    op.create_table(
        "workspaces",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_workspaces")),
        sa.UniqueConstraint("slug", name=op.f("uq_workspaces_slug")),
    )
    op.create_table(
        "agents",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("handle", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("instructions", sa.Text(), server_default="", nullable=False),
        sa.Column("tools", sa.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("max_rounds", sa.Integer(), server_default="8", nullable=False),
        sa.Column("request_ttl", sa.Integer(), server_default="259200", nullable=False),
        sa.Column("active", sa.Boolean(), server_default="true", nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_agents_workspace_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_agents")),
        sa.UniqueConstraint("workspace_id", "handle", name=op.f("uq_agents_workspace_id_handle")),
    )
    op.create_table(
        "channels",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("topic", sa.Text(), server_default="", nullable=False),
        sa.Column("kind", sa.Text(), server_default="public", nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("kind IN ('public', 'private', 'announcement')", name=op.f("ck_channels_kind")),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_channels_workspace_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_channels")),
        sa.UniqueConstraint("workspace_id", "name", name=op.f("uq_channels_workspace_id_name")),
    )
    op.create_table(
        "members",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("handle", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), server_default="member", nullable=False),
        sa.Column("status", sa.Text(), server_default="active", nullable=False),
        sa.Column("timezone", sa.Text(), server_default="UTC", nullable=False),
        sa.Column("password_hash", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("role IN ('admin', 'member', 'guest')", name=op.f("ck_members_role")),
        sa.CheckConstraint("status IN ('active', 'deactivated')", name=op.f("ck_members_status")),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_members_workspace_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_members")),
        sa.UniqueConstraint("workspace_id", "email", name=op.f("uq_members_workspace_id_email")),
        sa.UniqueConstraint("workspace_id", "handle", name=op.f("uq_members_workspace_id_handle")),
    )
    op.create_table(
        "teams",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_teams_workspace_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_teams")),
        sa.UniqueConstraint("workspace_id", "name", name=op.f("uq_teams_workspace_id_name")),
    )
    op.create_table(
        "channel_members",
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("channel_id", sa.Uuid(), nullable=False),
        sa.Column("member_id", sa.Uuid(), nullable=False),
        sa.Column("role", sa.Text(), server_default="member", nullable=False),
        sa.CheckConstraint("role IN ('admin', 'member')", name=op.f("ck_channel_members_role")),
        sa.ForeignKeyConstraint(
            ["channel_id"], ["channels.id"], name=op.f("fk_channel_members_channel_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["member_id"], ["members.id"], name=op.f("fk_channel_members_member_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_channel_members_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("channel_id", "member_id", name=op.f("pk_channel_members")),
    )
    op.create_index(op.f("ix_channel_members_member_id"), "channel_members", ["member_id"], unique=False)
    op.create_table(
        "conversations",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        sa.Column("agent_id", sa.Uuid(), nullable=True),
        sa.Column("pair", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint("kind IN ('dm', 'group')", name=op.f("ck_conversations_kind")),
        sa.ForeignKeyConstraint(
            ["agent_id"], ["agents.id"], name=op.f("fk_conversations_agent_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_conversations_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_conversations")),
        sa.UniqueConstraint("workspace_id", "pair", name=op.f("uq_conversations_workspace_id_pair")),
    )
    op.create_table(
        "projects",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("team_id", sa.Uuid(), nullable=True),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), server_default="", nullable=False),
        sa.Column("last_task", sa.Integer(), server_default="0", nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_projects_team_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_projects_workspace_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_projects")),
        sa.UniqueConstraint("workspace_id", "key", name=op.f("uq_projects_workspace_id_key")),
    )
    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("member_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        sa.Column("scopes", sa.ARRAY(sa.Text()), server_default="{}", nullable=False),
        sa.Column("csrf", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("kind IN ('cookie', 'bearer')", name=op.f("ck_sessions_kind")),
        sa.ForeignKeyConstraint(
            ["member_id"], ["members.id"], name=op.f("fk_sessions_member_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_sessions_workspace_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_sessions")),
    )
    op.create_index(op.f("ix_sessions_member_id"), "sessions", ["member_id"], unique=False)
    op.create_table(
        "team_members",
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("team_id", sa.Uuid(), nullable=False),
        sa.Column("member_id", sa.Uuid(), nullable=False),
        sa.Column("role", sa.Text(), server_default="member", nullable=False),
        sa.CheckConstraint("role IN ('admin', 'member')", name=op.f("ck_team_members_role")),
        sa.ForeignKeyConstraint(
            ["member_id"], ["members.id"], name=op.f("fk_team_members_member_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["team_id"], ["teams.id"], name=op.f("fk_team_members_team_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_team_members_workspace_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("team_id", "member_id", name=op.f("pk_team_members")),
    )
    op.create_index(op.f("ix_team_members_member_id"), "team_members", ["member_id"], unique=False)
    op.create_table(
        "conversation_members",
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("conversation_id", sa.Uuid(), nullable=False),
        sa.Column("member_id", sa.Uuid(), nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation_id"],
            ["conversations.id"],
            name=op.f("fk_conversation_members_conversation_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["member_id"], ["members.id"], name=op.f("fk_conversation_members_member_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_conversation_members_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("conversation_id", "member_id", name=op.f("pk_conversation_members")),
    )
    op.create_index(
        op.f("ix_conversation_members_member_id"), "conversation_members", ["member_id"], unique=False
    )
    op.create_table(
        "docs",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=True),
        sa.Column("team_id", sa.Uuid(), nullable=True),
        sa.Column("owner_id", sa.Uuid(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), server_default="", nullable=False),
        sa.Column("visibility", sa.Text(), server_default="project", nullable=False),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "visibility IN ('private', 'project', 'team', 'workspace')", name=op.f("ck_docs_visibility")
        ),
        sa.ForeignKeyConstraint(
            ["owner_id"], ["members.id"], name=op.f("fk_docs_owner_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_docs_project_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["team_id"], ["teams.id"], name=op.f("fk_docs_team_id"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_docs_workspace_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_docs")),
    )
    op.create_index(op.f("ix_docs_project_id"), "docs", ["project_id"], unique=False)
    op.create_table(
        "project_members",
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("member_id", sa.Uuid(), nullable=False),
        sa.Column("role", sa.Text(), server_default="member", nullable=False),
        sa.CheckConstraint("role IN ('admin', 'member')", name=op.f("ck_project_members_role")),
        sa.ForeignKeyConstraint(
            ["member_id"], ["members.id"], name=op.f("fk_project_members_member_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_project_members_project_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"],
            ["workspaces.id"],
            name=op.f("fk_project_members_workspace_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("project_id", "member_id", name=op.f("pk_project_members")),
    )
    op.create_index(op.f("ix_project_members_member_id"), "project_members", ["member_id"], unique=False)
    op.create_table(
        "tasks",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("workspace_id", sa.Uuid(), nullable=False),
        sa.Column("project_id", sa.Uuid(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), server_default="", nullable=False),
        sa.Column("status", sa.Text(), server_default="todo", nullable=False),
        sa.Column("assignee_id", sa.Uuid(), nullable=True),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("due_zone", sa.Text(), nullable=True),
        sa.Column("version", sa.Integer(), server_default="1", nullable=False),
        sa.Column("created_by", sa.Uuid(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False),
        sa.CheckConstraint(
            "status IN ('todo', 'in_progress', 'in_review', 'done')", name=op.f("ck_tasks_status")
        ),
        sa.ForeignKeyConstraint(
            ["assignee_id"], ["members.id"], name=op.f("fk_tasks_assignee_id"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["created_by"], ["members.id"], name=op.f("fk_tasks_created_by"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_tasks_project_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["workspace_id"], ["workspaces.id"], name=op.f("fk_tasks_workspace_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tasks")),
        sa.UniqueConstraint("project_id", "number", name=op.f("uq_tasks_project_id_number")),
    )
    op.create_index(op.f("ix_tasks_assignee_id"), "tasks", ["assignee_id"], unique=False)
    for statement in (*rls.directory_statements(), *rls.statements(_TABLES)):
        op.execute(statement)


def downgrade() -> None:
    op.drop_index(op.f("ix_tasks_assignee_id"), table_name="tasks")
    op.drop_table("tasks")
    op.drop_index(op.f("ix_project_members_member_id"), table_name="project_members")
    op.drop_table("project_members")
    op.drop_index(op.f("ix_docs_project_id"), table_name="docs")
    op.drop_table("docs")
    op.drop_index(op.f("ix_conversation_members_member_id"), table_name="conversation_members")
    op.drop_table("conversation_members")
    op.drop_index(op.f("ix_team_members_member_id"), table_name="team_members")
    op.drop_table("team_members")
    op.drop_index(op.f("ix_sessions_member_id"), table_name="sessions")
    op.drop_table("sessions")
    op.drop_table("projects")
    op.drop_table("conversations")
    op.drop_index(op.f("ix_channel_members_member_id"), table_name="channel_members")
    op.drop_table("channel_members")
    op.drop_table("teams")
    op.drop_table("members")
    op.drop_table("channels")
    op.drop_table("agents")
    op.drop_table("workspaces")
    op.drop_table("rounds")
    op.drop_index("ix_requests_place", table_name="requests", postgresql_where=sa.text("status = 'open'"))
    op.drop_index("ix_requests_open", table_name="requests", postgresql_where=sa.text("status = 'open'"))
    op.drop_index(
        "ix_requests_answered", table_name="requests", postgresql_where=sa.text("answered_at IS NOT NULL")
    )
    op.drop_table("requests")
    op.drop_index(
        "ix_messages_thread", table_name="messages", postgresql_where=sa.text("thread_id IS NOT NULL")
    )
    op.drop_index("ix_messages_place", table_name="messages", postgresql_where=sa.text("thread_id IS NULL"))
    op.drop_table("messages")
    op.drop_index("ix_jobs_thread", table_name="jobs", postgresql_where=sa.text("thread_id IS NOT NULL"))
    op.drop_index("ix_jobs_place", table_name="jobs")
    op.drop_index(
        "ix_jobs_live",
        table_name="jobs",
        postgresql_where=sa.text("finished_at IS NULL"),
    )
    op.drop_table("jobs")
    op.drop_index(op.f("ix_audit_workspace_id_at"), table_name="audit")
    op.drop_index("ix_audit_subject", table_name="audit")
    op.drop_index("ix_audit_job", table_name="audit", postgresql_where=sa.text("job_id IS NOT NULL"))
    op.drop_table("audit")
    op.drop_index(op.f("ix_actions_job_id"), table_name="actions")
    op.drop_table("actions")
