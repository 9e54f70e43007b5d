"""The words for roles, kinds and states: one word for one thing, in tables, pages, API and audit alike."""

from enum import StrEnum


class MemberRole(StrEnum):
    """What a member is in the workspace."""

    ADMIN = "admin"
    MEMBER = "member"
    GUEST = "guest"  # sees and does only what a team, project or channel grants


class MemberStatus(StrEnum):
    ACTIVE = "active"
    DEACTIVATED = "deactivated"  # keeps their history, can do nothing


class Role(StrEnum):
    """What a member is on a team, project or channel."""

    ADMIN = "admin"
    MEMBER = "member"


class TaskStatus(StrEnum):
    TODO = "todo"
    IN_PROGRESS = "in_progress"
    IN_REVIEW = "in_review"
    DONE = "done"

    @property
    def label(self) -> str:
        """The word people read."""
        return {"todo": "To do"}.get(self.value) or self.value.replace("_", " ").capitalize()


class ChannelKind(StrEnum):
    PUBLIC = "public"
    PRIVATE = "private"
    ANNOUNCEMENT = "announcement"  # members read, only its admins post


class ConversationKind(StrEnum):
    DM = "dm"
    GROUP = "group"


class ReminderStatus(StrEnum):
    SET = "set"  # its time is still to come
    FIRED = "fired"  # was told, once
    CANCELLED = "cancelled"  # whoever set it took it back


class Visibility(StrEnum):
    """Who may read a doc."""

    PRIVATE = "private"
    PROJECT = "project"
    TEAM = "team"
    WORKSPACE = "workspace"


class Surface(StrEnum):
    """Where a conversation happens."""

    CHANNEL_THREAD = "channel_thread"
    DM = "dm"
    GROUP = "group"
    TASK = "task"
    FUNCTION_CALL = "function_call"


class MessageKind(StrEnum):
    TEXT = "text"  # what somebody wrote
    QUESTION = "question"  # carries a request; the card shows its state
    PROPOSAL = "proposal"  # carries an action; the card shows its state
    ANSWER = "answer"  # what a person answered to a question from elsewhere than this thread
    FINAL = "final"  # what an agent said at the end of its job
    NOTICE = "notice"  # stopped, failed, refused: a record, not talk


class JobStatus(StrEnum):
    QUEUED = "queued"  # accepted, no runner has it yet
    RUNNING = "running"  # a runner works on it
    PARKED = "parked"  # waits for people; holds no process
    DONE = "done"  # ended with a final message
    STOPPED = "stopped"  # a person stopped it
    FAILED = "failed"  # ended with a reason that a person can act on


class RequestKind(StrEnum):
    QUESTION = "question"
    APPROVAL = "approval"


class RequestStatus(StrEnum):
    OPEN = "open"
    ACCEPTED = "accepted"  # answered, or the action confirmed
    DECLINED = "declined"  # "I am not answering this", or the action rejected
    CANCELLED = "cancelled"  # the work was stopped
    EXPIRED = "expired"


class ActionStatus(StrEnum):
    PROPOSED = "proposed"
    CONFIRMED = "confirmed"  # a person said yes, not yet run
    DONE = "done"  # ran; the receipt says what it did
    REJECTED = "rejected"
    REFUSED = "refused"  # the permissions service said no, when it was to run
    FAILED = "failed"  # the write could not be made: its target is gone, an argument no longer fits
    EXPIRED = "expired"
    CANCELLED = "cancelled"


class SessionKind(StrEnum):
    COOKIE = "cookie"
    BEARER = "bearer"


class Verdict(StrEnum):
    """How an audited thing ended."""

    ALLOWED = "allowed"
    REFUSED = "refused"
    FAILED = "failed"
