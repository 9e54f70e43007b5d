"""Audit rows: who did what, as whom, to what, with which verdict, under which trace (law 14)."""

from enum import StrEnum
from typing import Any
from uuid import UUID

from msgspec import Struct
from sqlalchemy import Insert
from sqlalchemy.dialects.postgresql import insert

from handraise.common.ids import new_id
from handraise.workspace.policy import Act
from handraise.workspace.schema import audit
from handraise.workspace.words import Verdict


class Tag(StrEnum):
    """Every word that may stand in `audit.tag`. An act, allowed or refused, goes by its own word."""

    TASK_CREATE = Act.TASK_CREATE
    TASK_EDIT = Act.TASK_EDIT
    TASK_STATUS = Act.TASK_STATUS
    TASK_ASSIGN = Act.TASK_ASSIGN
    TASK_DUE = Act.TASK_DUE
    TASK_READ = Act.TASK_READ
    TASK_COMMENT = Act.TASK_COMMENT
    TEAM_CREATE = Act.TEAM_CREATE
    TEAM_READ = Act.TEAM_READ
    PROJECT_CREATE = Act.PROJECT_CREATE
    PROJECT_READ = Act.PROJECT_READ
    MEMBERSHIP_CHANGE = Act.MEMBERSHIP_CHANGE
    MEMBER_MANAGE = Act.MEMBER_MANAGE
    CHANNEL_CREATE = Act.CHANNEL_CREATE
    CHANNEL_POST = Act.CHANNEL_POST
    CHANNEL_READ = Act.CHANNEL_READ
    CONVERSATION_READ = Act.CONVERSATION_READ
    GROUP_CREATE = Act.GROUP_CREATE
    GROUP_POST = Act.GROUP_POST
    DM_SEND = Act.DM_SEND
    DOC_READ = Act.DOC_READ
    DOC_CREATE = Act.DOC_CREATE
    DOC_EDIT = Act.DOC_EDIT
    REMINDER_SET = Act.REMINDER_SET
    REMINDER_CANCEL = Act.REMINDER_CANCEL
    REQUEST_ANSWER = Act.REQUEST_ANSWER
    REQUEST_DECLINE = Act.REQUEST_DECLINE
    ACTION_DECIDE = Act.ACTION_DECIDE
    JOB_STOP = Act.JOB_STOP
    AGENT_MANAGE = Act.AGENT_MANAGE
    LETTERS_REPLAY = Act.LETTERS_REPLAY
    ACT_UNKNOWN = "act:unknown"
    # What happens to work beside what members may or may not do.
    JOB_START = "job:start"
    JOB_DONE = "job:done"
    JOB_FAIL = "job:fail"
    REQUEST_ASK = "request:ask"
    REQUEST_CANCEL = "request:cancel"
    REQUEST_EXPIRE = "request:expire"
    ACTION_PROPOSE = "action:propose"
    ACTION_CONFIRM = "action:confirm"
    ACTION_REJECT = "action:reject"
    ACTION_CANCEL = "action:cancel"
    ACTION_EXPIRE = "action:expire"
    REMINDER_FIRE = "reminder:fire"
    # Who comes and goes, and with which keys.
    MEMBER_SIGN_IN = "member:sign-in"
    MEMBER_SIGN_OUT = "member:sign-out"
    TOKEN_CREATE = "token:create"  # noqa: S105 - words, not secrets
    TOKEN_REVOKE = "token:revoke"  # noqa: S105


class Entry(Struct, frozen=True, kw_only=True):
    """One audit row. `actor_id` did it, `as_id` is whose rights it used; both null where only time did."""

    workspace_id: UUID
    tag: Tag
    subject_kind: str
    subject_id: UUID | None
    verdict: Verdict
    actor_id: UUID | None = None
    as_id: UUID | None = None
    agent_id: UUID | None = None
    job_id: UUID | None = None
    reason: str | None = None
    """Why not; of a write that was made, its receipt as `Receipt.written` says it."""
    trace_id: str | None = None
    id: UUID | None = None
    """Derived where the same thing may be noted twice; else a new one is made."""


def insertion(entry: Entry) -> Insert:
    """Return the statement that notes `entry`. It returns the row's id, and no row when it was noted before."""
    values: dict[str, Any] = {name: getattr(entry, name) for name in entry.__struct_fields__}
    values["id"] = entry.id or new_id()
    return insert(audit).values(**values).on_conflict_do_nothing().returning(audit.c.id)
