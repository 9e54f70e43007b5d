"""Law 1: for every role and every write, the decision, the judge's ruling and what is done are one."""

import pytest

from handraise.common.ids import new_id
from handraise.common.judge import Check
from handraise.permissions.bench import Bench
from handraise.workspace import facts
from handraise.workspace.actions import WRITES, Done, Failed, Order, Outcome, Refused, perform
from handraise.workspace.database import Database
from handraise.workspace.policy import decide
from handraise.workspace.tools import validate
from handraise.workspace.words import MemberRole, MemberStatus, Role
from tests.integration.workspace.targets import Roles, targets
from tests.integration.workspace.told import NOBODY
from tests.integration.workspace.world import World

ROLES = [Role.ADMIN, Role.MEMBER, None]
PEOPLE = [(role, status) for role in MemberRole for status in MemberStatus]


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(("place", "status"), PEOPLE)
async def test_decision_ruling_and_deed_agree(
    place: MemberRole, status: MemberStatus, role: Role | None, world: World, db: Database, judge: Bench
) -> None:
    who = await world.member("Who", place, status)
    calls = await targets(world, who, Roles.alike(role))
    assert calls.keys() == WRITES.keys()
    for name, every in calls.items():
        for call in every:
            write, arguments = WRITES[name], validate(WRITES[name], call)
            kind, subject = write.subject(arguments)
            async with db.hot(world.id) as connection:
                decision = decide(write.act, await facts.load(connection, world.id, who, kind, subject))
            ruling = await judge.check(
                Check(
                    workspace_id=world.id,
                    member_id=who,
                    act=write.act,
                    subject_kind=kind,
                    subject_id=subject,
                )
            )
            assert (ruling.allowed, ruling.reason) == (decision.allowed, decision.reason)
            before = await world.counts()
            outcomes: list[Outcome] = []
            for agent in (None, new_id()):  # by hand, and by an agent that works for them
                order = Order(
                    workspace_id=world.id,
                    member_id=who,
                    actor_id=who,
                    write=name,
                    arguments=arguments,
                    key=new_id(),
                    agent_id=agent,
                )
                outcomes.append(await perform(db, judge, NOBODY, order))
            if decision.allowed:
                assert isinstance(outcomes[0], Done), (name, call, outcomes)
                assert isinstance(outcomes[1], Done | Failed), (name, call, outcomes)  # it is so already
                assert await world.counts() != before
            else:
                assert outcomes == [Refused(decision.reason)] * 2, (name, call)
                assert await world.counts() == before
