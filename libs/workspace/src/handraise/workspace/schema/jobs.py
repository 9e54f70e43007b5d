"""Agents and what they work on: jobs, rounds, requests, actions, and the audit of it all."""

from sqlalchemy import (
    ARRAY,
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    Table,
    Text,
    UniqueConstraint,
    Uuid,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from handraise.workspace.schema.base import key, metadata, moment, one_of, tenant, word
from handraise.workspace.words import (
    ActionStatus,
    JobStatus,
    RequestKind,
    RequestStatus,
    Surface,
    Verdict,
)

agents = Table(
    "agents",
    metadata,
    key(),
    tenant(),
    Column("handle", Text, nullable=False),  # without the @
    Column("name", Text, nullable=False),
    Column("instructions", Text, nullable=False, server_default=""),
    Column("tools", ARRAY(Text), nullable=False, server_default="{}"),
    Column("max_rounds", Integer, nullable=False, server_default="8"),
    Column("request_ttl", Integer, nullable=False, server_default="259200"),  # seconds; 72 h
    Column("active", Boolean, nullable=False, server_default="true"),
    moment("created_at", now=True),
    UniqueConstraint("workspace_id", "handle"),
)

jobs = Table(
    "jobs",
    metadata,
    key(),
    tenant(hot=True),
    Column("agent_id", Uuid, nullable=False),
    Column("member_id", Uuid, nullable=False),  # whom it runs as
    word("surface", Surface),
    Column("place_id", Uuid, nullable=False),
    Column("thread_id", Uuid),
    Column("message_id", Uuid, nullable=False),  # what started it
    Column("prompt", Text, nullable=False),
    word("status", JobStatus, default=JobStatus.QUEUED),
    Column("reason", Text),  # why it failed or stopped, for whoever must act
    Column("final", Text),  # what people read at its end
    Column("rounds", Integer, nullable=False, server_default="0"),  # stored so far
    Column(
        "waiting", Integer, nullable=False, server_default="0"
    ),  # requests and confirmed actions outstanding
    # Which message set it running: only that message's redelivery may take it over.
    Column("cause", Uuid),
    # Counts up with every take-over; writes of a runner that lost the job carry an older one and do nothing.
    Column("epoch", Integer, nullable=False, server_default="0"),
    Column("fence", Text, nullable=False),  # the boundary round retrieved content, unguessable
    Column("version", Integer, nullable=False, server_default="1"),  # of the stored shape of its rounds
    Column("stop_by", Uuid),  # a member wants it stopped
    moment("created_at", now=True),
    moment("started_at", nullable=True),
    moment("finished_at", nullable=True),
    one_of("status", JobStatus),
    one_of("surface", Surface),
    # Not by status: that changes with every stage, and an index on it would make each change touch them all.
    Index("ix_jobs_live", "workspace_id", "created_at", postgresql_where=text("finished_at IS NULL")),
    Index("ix_jobs_thread", "thread_id", postgresql_where=text("thread_id IS NOT NULL")),
    Index("ix_jobs_place", "place_id", "created_at"),
)

rounds = Table(
    "rounds",
    metadata,
    Column("job_id", Uuid, primary_key=True),
    Column("number", Integer, primary_key=True),  # from 1
    tenant(hot=True),
    Column("reply", Text, nullable=False),  # the model's own text, whole
    Column("calls", JSONB, nullable=False, server_default="[]"),  # what was called, with what came of it
    Column("model", Text, nullable=False),
    Column("input_tokens", Integer),
    Column("output_tokens", Integer),
    Column("latency_us", BigInteger, nullable=False, server_default="0"),
    moment("created_at", now=True),
)

requests = Table(
    "requests",
    metadata,
    key(),
    tenant(hot=True),
    Column("job_id", Uuid, nullable=False),
    Column("round", Integer, nullable=False),
    Column("call", Integer, nullable=False),  # which call of the round, from 0
    word("kind", RequestKind),
    Column("agent_id", Uuid, nullable=False),
    Column("member_id", Uuid, nullable=False),  # who is asked
    word("surface", Surface),
    Column("place_id", Uuid, nullable=False),
    Column("thread_id", Uuid),
    Column("text", Text, nullable=False),  # of a question: as `questions.render` wrote it
    word("status", RequestStatus, default=RequestStatus.OPEN),
    Column("option", Text),  # the option that was chosen
    Column("answer", Text),  # the words as written, or why it was rejected
    Column("answered_by", Uuid),
    moment("answered_at", nullable=True),
    Column("answered_from", Text),  # home, thread, task, api
    moment("expires_at"),
    moment("created_at", now=True),
    one_of("kind", RequestKind),
    one_of("surface", Surface),
    one_of("status", RequestStatus),
    UniqueConstraint("job_id", "round", "call"),
    Index(
        "ix_requests_open",
        "workspace_id",
        "member_id",
        "created_at",
        postgresql_where=text("status = 'open'"),
    ),
    Index("ix_requests_place", "place_id", postgresql_where=text("status = 'open'")),
    Index(
        "ix_requests_answered",
        "workspace_id",
        "answered_at",
        postgresql_where=text("answered_at IS NOT NULL"),
    ),
)

actions = Table(
    "actions",
    metadata,
    key(),
    tenant(hot=True),
    Column("job_id", Uuid, nullable=False),
    Column("request_id", Uuid, nullable=False, unique=True),
    Column("tool", Text, nullable=False),
    Column("arguments", JSONB, nullable=False),
    Column("digest", Text, nullable=False),  # SHA-256 of tool and arguments, hex
    Column("preview", JSONB, nullable=False),  # what a person is shown
    word("status", ActionStatus, default=ActionStatus.PROPOSED),
    Column("reason", Text),  # why rejected, refused or failed
    Column("decided_by", Uuid),
    moment("decided_at", nullable=True),
    moment("executed_at", nullable=True),
    Column("receipt", JSONB),
    moment("created_at", now=True),
    one_of("status", ActionStatus),
    Index(None, "job_id"),
)

audit = Table(
    "audit",
    metadata,
    key(),
    tenant(hot=True),
    moment("at", now=True),
    Column("tag", Text, nullable=False),  # `handraise.workspace.audit.Tag`
    Column("actor_id", Uuid),  # the member who did it; null where time did
    Column("as_id", Uuid),  # the member it was done as
    Column("agent_id", Uuid),
    Column("job_id", Uuid),
    Column("subject_kind", Text, nullable=False),
    Column("subject_id", Uuid),
    word("verdict", Verdict),
    Column("reason", Text),
    Column("trace_id", Text),
    one_of("verdict", Verdict),
    Index(None, "workspace_id", "at"),
    Index("ix_audit_subject", "subject_id"),
    Index("ix_audit_job", "job_id", postgresql_where=text("job_id IS NOT NULL")),
)
