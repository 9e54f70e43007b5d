"""Who may do what, as a table: each act, each relation, and the words of a refusal."""

import msgspec
import pytest

from handraise.common.ids import new_id
from handraise.workspace.audit import Tag
from handraise.workspace.policy import (
    RULES,
    Act,
    Facts,
    Person,
    Relation,
    Subject,
    SubjectKind,
    decide,
    read_act,
)
from handraise.workspace.words import (
    ChannelKind,
    ConversationKind,
    MemberRole,
    MemberStatus,
    Role,
    Visibility,
)

BEN = Person(new_id(), "Ben", MemberRole.MEMBER, MemberStatus.ACTIVE)
BOSS = msgspec.structs.replace(BEN, name="Dita", role=MemberRole.ADMIN)
GUEST = msgspec.structs.replace(BEN, name="Gus", role=MemberRole.GUEST)


def subject(kind: str, role: Role | None = None, **more: object) -> Subject:
    return Subject(SubjectKind(kind), "the project Atlas", role, ("Ada", "Dita"), **more)  # type: ignore[arg-type]


ADMIN, MEMBER = Role.ADMIN, Role.MEMBER
PUBLIC, PRIVATE, NEWS = ChannelKind.PUBLIC, ChannelKind.PRIVATE, ChannelKind.ANNOUNCEMENT
GROUP, DM = ConversationKind.GROUP, ConversationKind.DM
ACTIVE, GONE = MemberStatus.ACTIVE, MemberStatus.DEACTIVATED

TABLE = [
    *(
        (act, person, subject(kind, role), role is ADMIN)
        for act, kind in (
            ("task:create", "project"),
            ("task:edit", "task"),
            ("task:status", "task"),
            ("task:assign", "task"),
            ("task:due", "task"),
            ("project:create", "team"),
            ("membership:change", "team"),
            ("membership:change", "project"),
            ("membership:change", "channel"),
            ("team:create", "workspace"),
            ("member:manage", "workspace"),
        )
        for role in (ADMIN, MEMBER, None)
        for person in (BEN, BOSS, GUEST)
    ),
    *(
        (act, person, subject(kind, role), role is not None)
        for act, kind in (
            ("project:read", "project"),
            ("task:read", "task"),
            ("task:comment", "task"),
            ("conversation:read", "conversation"),
            ("doc:create", "project"),
            ("doc:create", "team"),
            ("doc:create", "workspace"),
            ("channel:create", "workspace"),
            ("group:create", "workspace"),
        )
        for role in (ADMIN, MEMBER, None)
        for person in (BEN, BOSS, GUEST)
    ),
    *(
        ("channel:post", BEN, subject("channel", r, channel=k), r is not None)
        for r in (ADMIN, MEMBER, None)
        for k in (PUBLIC, PRIVATE)
    ),
    *(
        ("channel:post", p, subject("channel", r, channel=NEWS), r is ADMIN)
        for r in (ADMIN, MEMBER, None)
        for p in (BEN, BOSS)
    ),
    *(
        ("channel:read", p, subject("channel", r, channel=k), True)
        for r in (ADMIN, MEMBER)
        for k in ChannelKind
        for p in (BEN, BOSS, GUEST)
    ),
    *(
        ("channel:read", p, subject("channel", None, channel=k), p is BOSS and k is PUBLIC)
        for k in ChannelKind
        for p in (BEN, BOSS, GUEST)
    ),
    ("group:post", BEN, subject("conversation", MEMBER, conversation=GROUP), True),
    ("group:post", BOSS, subject("conversation", None, conversation=GROUP), False),
    ("group:post", BEN, subject("conversation", MEMBER, conversation=DM, peer=ACTIVE), False),
    ("dm:send", GUEST, subject("member", peer=ACTIVE), True),
    ("dm:send", BOSS, subject("member", peer=GONE), False),
    ("dm:send", BEN, subject("conversation", MEMBER, conversation=DM, peer=ACTIVE), True),
    ("dm:send", BEN, subject("conversation", MEMBER, conversation=DM, peer=GONE), False),
    ("dm:send", BOSS, subject("conversation", None, conversation=DM, peer=ACTIVE), False),
    ("dm:send", BEN, subject("conversation", MEMBER, conversation=GROUP, peer=ACTIVE), False),
    ("doc:read", BEN, subject("doc", visibility=Visibility.PRIVATE, mine=True), True),
    ("doc:read", BOSS, subject("doc", ADMIN, visibility=Visibility.PRIVATE), False),
    ("doc:read", BEN, subject("doc", MEMBER, visibility=Visibility.PROJECT), True),
    ("doc:read", BOSS, subject("doc", None, visibility=Visibility.PROJECT, mine=True), False),
    ("doc:read", BEN, subject("doc", MEMBER, visibility=Visibility.TEAM), True),
    ("doc:read", BOSS, subject("doc", None, visibility=Visibility.TEAM), False),
    ("doc:read", BEN, subject("doc", visibility=Visibility.WORKSPACE), True),
    ("doc:read", GUEST, subject("doc", visibility=Visibility.WORKSPACE), False),
    *(
        ("team:read", person, subject("team", role), role is not None or person is not GUEST)
        for role in (ADMIN, MEMBER, None)
        for person in (BEN, BOSS, GUEST)
    ),
    *(
        ("doc:edit", person, subject("doc", role, visibility=v, mine=mine), allowed)
        for person, role, v, mine, allowed in (
            (BEN, None, Visibility.PRIVATE, True, True),
            (BOSS, None, Visibility.PRIVATE, False, False),
            (BEN, MEMBER, Visibility.PROJECT, False, True),
            (BEN, None, Visibility.PROJECT, True, False),
            (BOSS, None, Visibility.PROJECT, False, False),
            (GUEST, MEMBER, Visibility.TEAM, False, True),
            (BEN, None, Visibility.TEAM, True, False),
            (BEN, None, Visibility.WORKSPACE, True, True),
            (BEN, MEMBER, Visibility.WORKSPACE, False, True),
            (BOSS, None, Visibility.WORKSPACE, False, False),
            (GUEST, MEMBER, Visibility.WORKSPACE, False, False),
        )
    ),
    ("reminder:cancel", GUEST, subject("reminder", mine=True), True),
    ("reminder:cancel", BOSS, subject("reminder"), False),
    ("reminder:set", BEN, subject("member", mine=True, peer=ACTIVE), True),
    ("reminder:set", GUEST, subject("workspace"), True),
    ("reminder:set", BOSS, subject("member", peer=ACTIVE), False),
    ("job:stop", BEN, subject("job", mine=True), True),
    ("job:stop", BOSS, subject("job"), True),
    ("job:stop", BEN, subject("job"), False),
    ("agent:manage", BOSS, subject("workspace", ADMIN), True),
    ("letters:replay", BOSS, subject("workspace", ADMIN), True),
    ("agent:manage", BEN, subject("workspace", MEMBER), False),
    ("letters:replay", BEN, subject("workspace", MEMBER), False),
    *(
        (act, BEN, subject("request", mine=mine, named=named), mine or named)
        for act in ("request:answer", "request:decline")
        for mine in (True, False)
        for named in (True, False)
    ),
    ("request:answer", BOSS, subject("request"), False),
    *(
        (
            act,
            BEN,
            subject(kind, mine=True, approval=True, act="task:status", target=subject("task", role)),
            role is ADMIN,
        )
        for act, kind in (("request:answer", "request"), ("action:decide", "action"))
        for role in (ADMIN, MEMBER, None)
    ),
    (
        "request:decline",
        BEN,
        subject("request", mine=True, approval=True, act="task:status", target=subject("task", MEMBER)),
        True,
    ),
    (
        "action:decide",
        BEN,
        subject("action", approval=True, act="task:status", target=subject("task", ADMIN)),
        False,
    ),
    (
        "action:decide",
        BEN,
        subject("action", named=True, approval=True, act="task:status", target=subject("task", ADMIN)),
        True,
    ),
    (
        "action:decide",
        BEN,
        subject("action", mine=True, approval=True, act="task:status", target=None),
        False,
    ),
    (
        "action:decide",
        BEN,
        subject("action", mine=True, approval=True, act=None, target=subject("task", ADMIN)),
        False,
    ),
    (
        "action:decide",
        BEN,
        subject("action", mine=True, approval=True, act="task:fly", target=subject("task", ADMIN)),
        False,
    ),
]


@pytest.mark.parametrize(("act", "person", "about", "allowed"), TABLE)
def test_an_act_needs_its_relation(act: str, person: Person, about: Subject, allowed: bool) -> None:
    decision = decide(Act(act), Facts(person, about))
    assert decision.allowed is allowed
    assert (decision.reason == "") is allowed


def test_every_act_has_a_rule_a_tag_and_a_line_that_allows_and_one_that_refuses() -> None:
    assert RULES.keys() == set(Act)
    assert {tag for tag in Tag if read_act(tag)} == {act.value for act in Act}
    assert {rule.needs for rule in RULES.values()} == set(Relation)
    for act in Act:
        assert {allowed for told, _, _, allowed in TABLE if told == act} == {True, False}, act


@pytest.mark.parametrize(("act", "about"), [(act, about) for act, _, about, allowed in TABLE if allowed])
def test_whoever_is_deactivated_or_unknown_may_do_nothing(act: str, about: Subject) -> None:
    gone = msgspec.structs.replace(BOSS, status=MemberStatus.DEACTIVATED)
    assert "Dita is deactivated" in decide(Act(act), Facts(gone, about)).reason
    assert "no such member" in decide(Act(act), Facts(None, about)).reason


@pytest.mark.parametrize("act", Act)
def test_what_is_not_there_and_what_is_kept_from_one_read_the_same(act: Act) -> None:
    nothing = decide(act, Facts(BEN, None))
    assert not nothing.allowed
    assert "Ben can see no" in nothing.reason
    for kind in RULES[act].on:
        if kind in (SubjectKind.PROJECT, SubjectKind.TASK, SubjectKind.DOC, SubjectKind.CONVERSATION):
            hidden = decide(act, Facts(BEN, Subject(kind, "the project Apollo", None, ("Ada",))))
            assert not hidden.allowed
            assert "Apollo" not in hidden.reason
            assert "Ada" not in hidden.reason
            if len(RULES[act].on) == 1:
                assert hidden.reason == nothing.reason


@pytest.mark.parametrize("act", Act)
def test_a_subject_of_another_kind_is_refused(act: Act) -> None:
    for kind in set(SubjectKind) - set(RULES[act].on):
        about = Subject(kind, "it", ADMIN, mine=True, named=True, peer=ACTIVE, channel=PUBLIC)
        assert not decide(act, Facts(BOSS, about)).allowed


@pytest.mark.parametrize(
    ("act", "person", "about", "reason"),
    [
        (
            Act.TASK_STATUS,
            BEN,
            Subject(SubjectKind.TASK, "the project Atlas", MEMBER, ("Ada", "Dita")),
            "Only an admin of the project Atlas may change this task; Ben is a member. Ada and Dita are admins.",
        ),
        (
            Act.CHANNEL_POST,
            BEN,
            Subject(SubjectKind.CHANNEL, "#announcements", MEMBER, ("Dita",), channel=NEWS),
            "Only an admin of #announcements may post there; Ben is a member. Dita is an admin.",
        ),
        (
            Act.CHANNEL_POST,
            BEN,
            Subject(SubjectKind.CHANNEL, "#general", None, (), channel=PUBLIC),
            "Only a member of #general may post there; Ben is not a member. "
            "It has no active admin; ask an admin of the workspace.",
        ),
        (
            Act.PROJECT_CREATE,
            BEN,
            Subject(SubjectKind.TEAM, "the team Web", None, ("A", "B", "C", "D", "E")),
            "Only an admin of the team Web may create projects for it; Ben is not a member. "
            "A, B, C and 2 others are admins.",
        ),
        (
            Act.REQUEST_ANSWER,
            BEN,
            Subject(SubjectKind.REQUEST, "this request", holders=("Ada", "Chen")),
            "Only Ada or Chen may answer this; Ben may not.",
        ),
        (
            Act.DM_SEND,
            BEN,
            Subject(SubjectKind.MEMBER, "Chen", peer=GONE),
            "Chen is deactivated and gets no messages. Choose somebody else.",
        ),
        (
            Act.ACTION_DECIDE,
            BEN,
            Subject(
                SubjectKind.ACTION,
                "this request",
                mine=True,
                approval=True,
                act="channel:post",
                target=Subject(SubjectKind.CHANNEL, "#news", MEMBER, ("Dita",), channel=NEWS),
            ),
            "Only an admin of #news may post there; Ben is a member. Dita is an admin.",
        ),
        (
            Act.CHANNEL_READ,
            GUEST,
            Subject(SubjectKind.CHANNEL, "#general", None, ("Ada",), channel=PUBLIC),
            "Gus can see no channel with this id. It is not there, or nobody has given Gus access to it.",
        ),
    ],
)
def test_a_refusal_says_which_right_is_missing_and_who_has_it(
    act: Act, person: Person, about: Subject, reason: str
) -> None:
    assert decide(act, Facts(person, about)).reason == reason


def test_a_word_that_is_no_act_is_none() -> None:
    assert read_act("task:create") is Act.TASK_CREATE
    assert read_act("task:fly") is None
