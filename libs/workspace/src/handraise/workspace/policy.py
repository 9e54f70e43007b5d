"""Who may do what: each act, the relation to its subject that it needs, and why somebody lacks it.

Rules are data and the decision is pure. What is known comes in as `Facts` (loaded by `facts`), and `gates`
says the read rules once more as SQL; a test holds the two together.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum

from msgspec import Struct

from handraise.workspace.subjects import Facts, Person, Subject, SubjectKind
from handraise.workspace.words import (
    ChannelKind,
    ConversationKind,
    MemberRole,
    MemberStatus,
    Role,
    Visibility,
)

__all__ = [
    "RULES",
    "Act",
    "Decision",
    "Facts",
    "Person",
    "Relation",
    "Rule",
    "Subject",
    "SubjectKind",
    "decide",
    "read_act",
]


class Act(StrEnum):
    """What somebody may want to do. The word is also the tag of its audit rows."""

    TASK_CREATE = "task:create"
    TASK_EDIT = "task:edit"
    TASK_STATUS = "task:status"
    TASK_ASSIGN = "task:assign"
    TASK_DUE = "task:due"
    TASK_READ = "task:read"
    TASK_COMMENT = "task:comment"
    TEAM_CREATE = "team:create"
    TEAM_READ = "team:read"
    PROJECT_CREATE = "project:create"
    PROJECT_READ = "project:read"
    MEMBERSHIP_CHANGE = "membership:change"
    MEMBER_MANAGE = "member:manage"
    CHANNEL_CREATE = "channel:create"
    CHANNEL_POST = "channel:post"
    CHANNEL_READ = "channel:read"
    CONVERSATION_READ = "conversation:read"
    GROUP_CREATE = "group:create"
    GROUP_POST = "group:post"
    DM_SEND = "dm:send"
    DOC_READ = "doc:read"
    DOC_CREATE = "doc:create"
    DOC_EDIT = "doc:edit"
    REMINDER_SET = "reminder:set"
    REMINDER_CANCEL = "reminder:cancel"
    REQUEST_ANSWER = "request:answer"
    REQUEST_DECLINE = "request:decline"
    ACTION_DECIDE = "action:decide"
    JOB_STOP = "job:stop"
    AGENT_MANAGE = "agent:manage"
    LETTERS_REPLAY = "letters:replay"


class Relation(StrEnum):
    """What somebody has to be to a subject."""

    ADMIN = "an admin of it"
    MEMBER = "a member of it"
    POSTER = "a member of it; an admin of it where it is announcement-only"
    READER = "a member of it; where it is public, an admin of the workspace too"
    COLLEAGUE = "a member of it, or of the workspace"
    PARTICIPANT = "a member of the group"
    VISIBLE = "its owner, or a member of the project, team or workspace it is visible to"
    AUTHOR = "somebody who can read it, and its owner or a member of where it is filed"
    REACHABLE = "in the same workspace, both active"
    SELF = "oneself"
    ASKED = "whom the job runs as, or a member the request names"
    ABLE = "whom the job runs as, or a member the request names; and able to do the action by hand"
    STARTER = "whom the job runs as, or an admin of the workspace"


class Rule(Struct, frozen=True):
    """What one act needs, on which kinds of subject, and how the deed is said after “may”."""

    needs: Relation
    on: tuple[SubjectKind, ...]
    deed: str


_TASK = (SubjectKind.TASK,)
_WORKSPACE = (SubjectKind.WORKSPACE,)
_PLACES = (SubjectKind.TEAM, SubjectKind.PROJECT, SubjectKind.CHANNEL)

RULES: Mapping[Act, Rule] = {
    Act.TASK_CREATE: Rule(Relation.ADMIN, (SubjectKind.PROJECT,), "create tasks in it"),
    Act.TASK_EDIT: Rule(Relation.ADMIN, _TASK, "change this task"),
    Act.TASK_STATUS: Rule(Relation.ADMIN, _TASK, "change this task"),
    Act.TASK_ASSIGN: Rule(Relation.ADMIN, _TASK, "assign this task"),
    Act.TASK_DUE: Rule(Relation.ADMIN, _TASK, "set the due date of this task"),
    Act.TASK_READ: Rule(Relation.MEMBER, _TASK, "read this task"),
    Act.TASK_COMMENT: Rule(Relation.MEMBER, _TASK, "comment on this task"),
    Act.TEAM_CREATE: Rule(Relation.ADMIN, _WORKSPACE, "create teams"),
    Act.TEAM_READ: Rule(Relation.COLLEAGUE, (SubjectKind.TEAM,), "see it"),
    Act.PROJECT_CREATE: Rule(Relation.ADMIN, (SubjectKind.TEAM,), "create projects for it"),
    Act.PROJECT_READ: Rule(Relation.MEMBER, (SubjectKind.PROJECT,), "read it"),
    Act.MEMBERSHIP_CHANGE: Rule(Relation.ADMIN, _PLACES, "change who is in it"),
    Act.MEMBER_MANAGE: Rule(Relation.ADMIN, _WORKSPACE, "change what people are in it"),
    Act.CHANNEL_CREATE: Rule(Relation.MEMBER, _WORKSPACE, "create channels"),
    Act.CHANNEL_POST: Rule(Relation.POSTER, (SubjectKind.CHANNEL,), "post there"),
    Act.CHANNEL_READ: Rule(Relation.READER, (SubjectKind.CHANNEL,), "catch up on it"),
    Act.CONVERSATION_READ: Rule(Relation.MEMBER, (SubjectKind.CONVERSATION,), "catch up on it"),
    Act.GROUP_CREATE: Rule(Relation.MEMBER, _WORKSPACE, "create groups"),
    Act.GROUP_POST: Rule(Relation.PARTICIPANT, (SubjectKind.CONVERSATION,), "write in it"),
    Act.DM_SEND: Rule(Relation.REACHABLE, (SubjectKind.MEMBER, SubjectKind.CONVERSATION), "write to them"),
    Act.DOC_READ: Rule(Relation.VISIBLE, (SubjectKind.DOC,), "read it"),
    Act.DOC_CREATE: Rule(
        Relation.MEMBER,
        (SubjectKind.PROJECT, SubjectKind.TEAM, SubjectKind.WORKSPACE),
        "create docs in it",
    ),
    Act.DOC_EDIT: Rule(Relation.AUTHOR, (SubjectKind.DOC,), "change it"),
    Act.REMINDER_SET: Rule(Relation.SELF, (SubjectKind.MEMBER, SubjectKind.WORKSPACE), "set reminders"),
    Act.REMINDER_CANCEL: Rule(Relation.SELF, (SubjectKind.REMINDER,), "cancel reminders"),
    Act.REQUEST_ANSWER: Rule(Relation.ABLE, (SubjectKind.REQUEST, SubjectKind.QUESTION), "answer this"),
    Act.REQUEST_DECLINE: Rule(
        Relation.ASKED, (SubjectKind.REQUEST, SubjectKind.QUESTION), "decline this or stop the work"
    ),
    Act.ACTION_DECIDE: Rule(Relation.ABLE, (SubjectKind.ACTION,), "decide on this"),
    Act.JOB_STOP: Rule(Relation.STARTER, (SubjectKind.JOB,), "stop this work"),
    Act.AGENT_MANAGE: Rule(Relation.ADMIN, _WORKSPACE, "manage agents, models and budgets"),
    Act.LETTERS_REPLAY: Rule(Relation.ADMIN, _WORKSPACE, "see and replay dead letters"),
}


class Decision(Struct, frozen=True):
    """Whether it is allowed, and if not which right is missing, who has it, and so what to do."""

    allowed: bool
    reason: str = ""


ALLOWED = Decision(True)


def decide(act: Act, facts: Facts) -> Decision:
    """Judge one act. The reason speaks of the person by name, so that everybody in a thread can read it."""
    person, subject, rule = facts.person, facts.subject, RULES[act]
    if person is None:
        return Decision(False, "There is no such member in this workspace.")
    if person.status is not MemberStatus.ACTIVE:
        return Decision(
            False,
            f"{person.name} is deactivated. An admin of the workspace can make the account active again.",
        )
    if subject is None or subject.kind not in rule.on:
        kind = subject.kind if subject else " or ".join(rule.on)
        return Decision(False, _unseen(person, kind))
    if _HOLDS[rule.needs](person, subject):
        return ALLOWED
    return Decision(False, _why_not(person, subject, rule))


def read_act(word: str) -> Act | None:
    """Read an act that came over the wire; None when there is none of that name."""
    try:
        return Act(word)
    except ValueError:
        return None


def _able(person: Person, subject: Subject) -> bool:
    return _asked(person, subject) and (not subject.approval or _deed(person, subject).allowed)


def _asked(person: Person, subject: Subject) -> bool:
    return subject.mine or subject.named


def _deed(person: Person, subject: Subject) -> Decision:
    act = read_act(subject.act or "")
    if act is None:
        return Decision(False, "Nobody may confirm this: its tool is not known here.")
    return decide(act, Facts(person, subject.target))


def _may_post(_: Person, subject: Subject) -> bool:
    if subject.channel is ChannelKind.ANNOUNCEMENT:
        return subject.role is Role.ADMIN
    return subject.role is not None


def _may_see_doc(person: Person, subject: Subject) -> bool:
    match subject.visibility:
        case Visibility.PRIVATE:
            return subject.mine
        case Visibility.PROJECT | Visibility.TEAM:
            return subject.role is not None
        case Visibility.WORKSPACE:
            return person.role is not MemberRole.GUEST
    return False


def _may_write_doc(person: Person, subject: Subject) -> bool:
    return _may_see_doc(person, subject) and (subject.mine or subject.role is not None)


def _reachable(_: Person, subject: Subject) -> bool:
    if subject.kind is SubjectKind.CONVERSATION and (
        subject.role is None or subject.conversation is not ConversationKind.DM
    ):
        return False
    return subject.peer is MemberStatus.ACTIVE


_HOLDS: Mapping[Relation, Callable[[Person, Subject], bool]] = {
    Relation.ADMIN: lambda _, subject: subject.role is Role.ADMIN,
    Relation.MEMBER: lambda _, subject: subject.role is not None,
    Relation.POSTER: _may_post,
    Relation.READER: lambda person, subject: (
        subject.role is not None
        or (subject.channel is ChannelKind.PUBLIC and person.role is MemberRole.ADMIN)
    ),
    Relation.COLLEAGUE: lambda person, subject: (
        subject.role is not None or person.role is not MemberRole.GUEST
    ),
    Relation.PARTICIPANT: lambda _, subject: (
        subject.role is not None and subject.conversation is ConversationKind.GROUP
    ),
    Relation.VISIBLE: _may_see_doc,
    Relation.AUTHOR: _may_write_doc,
    Relation.REACHABLE: _reachable,
    Relation.SELF: lambda _, subject: subject.mine or subject.kind is SubjectKind.WORKSPACE,
    Relation.ASKED: _asked,
    Relation.ABLE: _able,
    Relation.STARTER: lambda person, subject: subject.mine or person.role is MemberRole.ADMIN,
}


def _why_not(person: Person, subject: Subject, rule: Rule) -> str:
    if not _may_know_of(person, subject):
        return _unseen(person, subject.kind)
    match rule.needs:
        case Relation.REACHABLE if subject.peer is not MemberStatus.ACTIVE:
            return f"{subject.name} is deactivated and gets no messages. Choose somebody else."
        case Relation.REACHABLE | Relation.PARTICIPANT:
            return f"{subject.name} is not that kind of conversation. Write to it where it is open."
        case Relation.SELF:
            return f"Everybody may {rule.deed} for themselves only; {person.name} is not {subject.name}."
        case Relation.VISIBLE | Relation.AUTHOR if not _may_see_doc(person, subject):
            return f"{subject.name} is for members of its {subject.visibility}; {person.name} is not one."
        case Relation.AUTHOR:
            return (
                f"Only its owner and members of where it is filed may change {subject.name}; "
                f"{person.name} may read it."
            )
        case Relation.ABLE if _asked(person, subject):
            return _deed(person, subject).reason
        case Relation.ASKED | Relation.ABLE | Relation.STARTER:
            return f"Only {_listed(subject.holders, 'or')} may {rule.deed}; {person.name} may not."
    who = "an admin" if _needs_admin(rule, subject) else "a member"
    what = "a member" if subject.role else "not a member"
    return f"Only {who} of {subject.name} may {rule.deed}; {person.name} is {what}. {_who_can(subject)}"


def _needs_admin(rule: Rule, subject: Subject) -> bool:
    if rule.needs is Relation.POSTER:
        return subject.channel is ChannelKind.ANNOUNCEMENT
    return rule.needs is Relation.ADMIN


def _may_know_of(person: Person, subject: Subject) -> bool:
    """Say whether a refusal may name the subject: not to somebody from whom its very existence is kept."""
    if subject.kind is SubjectKind.DOC:
        return subject.mine or _may_see_doc(person, subject)
    if subject.role is not None or subject.mine or subject.named:
        return True
    match subject.kind:
        case SubjectKind.CHANNEL:
            return subject.channel is not ChannelKind.PRIVATE and person.role is not MemberRole.GUEST
        case SubjectKind.TEAM:
            return person.role is not MemberRole.GUEST
        case SubjectKind.PROJECT | SubjectKind.TASK | SubjectKind.CONVERSATION | SubjectKind.REMINDER:
            return False
    return True


def _unseen(person: Person, kind: str) -> str:
    return (
        f"{person.name} can see no {kind} with this id. "
        f"It is not there, or nobody has given {person.name} access to it."
    )


def _who_can(subject: Subject) -> str:
    match len(subject.holders):
        case 0:
            return "It has no active admin; ask an admin of the workspace."
        case 1:
            return f"{subject.holders[0]} is an admin."
    return f"{_listed(subject.holders, 'and')} are admins."


def _listed(names: tuple[str, ...], joint: str) -> str:
    if len(names) > 4:
        return f"{', '.join(names[:3])} {joint} {len(names) - 3} others"
    if len(names) < 2:
        return "".join(names) or "the person it works for"
    return f"{', '.join(names[:-1])} {joint} {names[-1]}"
