"""What a decision stands on is loaded in one statement, whatever the subject."""

from typing import Any
from uuid import UUID

import pytest

from handraise.common.ids import new_id
from handraise.workspace import facts
from handraise.workspace.database import Database
from handraise.workspace.policy import Act, Facts, SubjectKind, decide
from handraise.workspace.words import ConversationKind, MemberStatus, Role
from tests.integration.workspace.conftest import Office


async def load(db: Database, office: Office, who: UUID, kind: str, id: UUID | None) -> Facts:
    async with db.hot(office.id) as connection:
        return await facts.load(connection, office.id, who, SubjectKind(kind), id)


@pytest.mark.parametrize("kind", SubjectKind)
async def test_facts_are_one_statement_and_what_is_not_there_is_none(
    kind: SubjectKind, office: Office, db: Database
) -> None:
    asked: list[str] = []

    def note(record: Any) -> None:
        asked.append(record.query)

    async with db.hot(office.id) as connection:
        connection.add_query_logger(note)
        try:
            known = await facts.load(connection, office.id, office.ada, kind, new_id())
        finally:
            connection.remove_query_logger(note)
    assert len(asked) == 1
    assert known.person is not None
    assert known.person.name == "Ada"
    assert (known.subject is None) is (kind is not SubjectKind.WORKSPACE)


async def test_those_who_have_the_right_are_named_but_not_the_deactivated(
    office: Office, db: Database
) -> None:
    for kind, id, name in (
        ("task", office.bug, "the project Atlas"),
        ("project", office.atlas, "the project Atlas"),
        ("channel", office.general, "#general"),
    ):
        subject = (await load(db, office, office.ben, kind, id)).subject
        assert subject is not None
        assert (subject.name, subject.role, subject.holders) == (name, Role.MEMBER, ("Ada",))


async def test_the_other_end_of_a_direct_message_is_looked_at(office: Office, db: Database) -> None:
    world = office.world
    ray = await world.agent()
    for other, status in ((office.ben, MemberStatus.ACTIVE), (office.gone, MemberStatus.DEACTIVATED)):
        id = await world.conversation(ConversationKind.DM, [office.ada, other])
        subject = (await load(db, office, office.ada, "conversation", id)).subject
        assert subject is not None
        assert (subject.peer, subject.role) == (status, Role.MEMBER)
    id = await world.conversation(ConversationKind.DM, [office.ada], agent_id=ray)
    assert decide(Act.DM_SEND, await load(db, office, office.ada, "conversation", id)).allowed
    assert not decide(Act.DM_SEND, await load(db, office, office.ben, "conversation", id)).allowed
    await world.run("UPDATE agents SET active = false WHERE id = $1", ray)
    assert not decide(Act.DM_SEND, await load(db, office, office.ada, "conversation", id)).allowed


async def test_a_question_is_answered_by_whom_the_job_runs_as_or_whom_it_names(
    office: Office, db: Database
) -> None:
    job = await office.world.job(office.ada)
    request = await office.world.request(job, office.ben, "question")
    for who, allowed in ((office.ada, True), (office.ben, True), (office.eve, False), (office.gone, False)):
        known = await load(db, office, who, "request", request)
        assert decide(Act.REQUEST_ANSWER, known).allowed is allowed
        assert decide(Act.REQUEST_DECLINE, known).allowed is allowed
    reason = decide(Act.REQUEST_ANSWER, await load(db, office, office.eve, "request", request)).reason
    assert reason == "Only Ada or Ben may answer this; Eve may not."


async def test_a_question_is_judged_alike_as_any_request_and_an_approval_is_no_question(
    office: Office, db: Database
) -> None:
    job = await office.world.job(office.ada)
    question = await office.world.request(job, office.ben, "question")
    approval = await office.world.request(await office.world.job(office.ada), office.ada, "approval")
    for act in (Act.REQUEST_ANSWER, Act.REQUEST_DECLINE):
        for who in (office.ada, office.ben, office.eve):
            shortly = decide(act, await load(db, office, who, "question", question))
            at_length = decide(act, await load(db, office, who, "request", question))
            assert shortly.allowed is at_length.allowed
            assert not decide(act, await load(db, office, who, "question", approval)).allowed


async def test_an_action_is_decided_only_by_those_who_may_do_it_by_hand(office: Office, db: Database) -> None:
    calls: dict[str, tuple[dict[str, Any], set[str]]] = {
        "update_task_status": ({"task_id": str(office.bug), "status": "done"}, {"ada"}),
        "assign_task": ({"task_id": str(office.bug), "assignee_id": None}, {"ada"}),
        "set_task_due_date": ({"task_id": str(office.bug), "due_at": None}, {"ada"}),
        "create_task": ({"project_id": str(office.atlas), "title": "x"}, {"ada"}),
        "post_to_channel": ({"channel": str(office.general), "text": "x"}, {"ada", "ben", "gus"}),
        "send_dm": ({"person_id": str(office.ben), "text": "x"}, {"ada", "ben", "eve", "gus"}),
        "create_doc": ({"title": "x", "body": "", "project_id": None}, {"ada", "ben", "eve"}),
        "update_task_statuses": ({"task_id": str(office.bug)}, set()),
    }
    for tool, (arguments, able) in calls.items():
        for name in ("ada", "ben", "eve", "gus"):
            who = getattr(office, name)
            job = await office.world.job(who)
            request = await office.world.request(job, who, "approval")
            action = await office.world.action(job, request, tool, arguments)
            for act, kind, id in (
                (Act.ACTION_DECIDE, "action", action),
                (Act.REQUEST_ANSWER, "request", request),
            ):
                decision = decide(act, await load(db, office, who, kind, id))
                assert decision.allowed is (name in able), f"{tool} by {name}: {decision}"
            assert decide(Act.REQUEST_DECLINE, await load(db, office, who, "request", request)).allowed


@pytest.mark.parametrize("task", ["ATL-117", "-" * 36, None, {"a": 1}])
async def test_a_stored_argument_that_is_no_id_is_no_subject(task: Any, office: Office, db: Database) -> None:
    job = await office.world.job(office.ada)
    request = await office.world.request(job, office.ada, "approval")
    action = await office.world.action(job, request, "update_task_status", {"task_id": task})
    known = await load(db, office, office.ada, "action", action)
    assert known.subject is not None
    assert known.subject.target is None
    assert not decide(Act.ACTION_DECIDE, known).allowed


async def test_work_is_stopped_by_whom_it_runs_as_or_an_admin_of_the_workspace(
    office: Office, db: Database
) -> None:
    boss = await office.world.member("Dita", "admin")
    job = await office.world.job(office.ben)
    stoppers = [
        who
        for who in (office.ada, office.ben, boss, office.gone)
        if decide(Act.JOB_STOP, await load(db, office, who, "job", job)).allowed
    ]
    assert stoppers == [office.ben, boss]
