"""Every table, as SQLAlchemy Core: the one description from which migrations and slow-path queries come.

Each row carries its workspace, and row-level security enforces it (`rls.py`). The tables that a job writes
on its hot path (messages, jobs, rounds, requests, actions, audit) refer to members, agents and places
without foreign keys: a key check there would lock one shared row for every job at once.
"""

from handraise.workspace.schema.base import metadata
from handraise.workspace.schema.jobs import actions, agents, audit, jobs, requests, rounds
from handraise.workspace.schema.people import members, sessions, team_members, teams, workspaces
from handraise.workspace.schema.talk import (
    channel_members,
    channels,
    conversation_members,
    conversations,
    messages,
)
from handraise.workspace.schema.work import (
    doc_revisions,
    docs,
    project_members,
    projects,
    reminders,
    tasks,
)

__all__ = [
    "actions",
    "agents",
    "audit",
    "channel_members",
    "channels",
    "conversation_members",
    "conversations",
    "doc_revisions",
    "docs",
    "jobs",
    "members",
    "messages",
    "metadata",
    "project_members",
    "projects",
    "reminders",
    "requests",
    "rounds",
    "sessions",
    "tasks",
    "team_members",
    "teams",
    "workspaces",
]
