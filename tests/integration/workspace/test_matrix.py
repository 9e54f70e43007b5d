"""Law 1 over HTTP: for every combination of roles and every write, all verdicts there are are one.

What is compared: `decide` on the facts, the permissions service, the gateway, the draft that an agent's
proposal is made of, and its execution. Thousands of cases on a real database and a real bus.
"""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from itertools import product
from typing import Any
from uuid import UUID

import httpx
import msgspec
import pytest

from handraise.common.bus.messages import Place
from handraise.common.bus.publish import Bus
from handraise.common.clock import utc_now
from handraise.common.ids import new_id
from handraise.common.judge import Check, NatsJudge
from handraise.runner.calls import Declined
from handraise.runner.toolbox import AgentToolbox
from handraise.workspace import facts
from handraise.workspace.actions import WRITES, Order, Refused, perform
from handraise.workspace.database import Database
from handraise.workspace.jobs import JobState
from handraise.workspace.policy import decide
from handraise.workspace.tools import REGISTRY, validate
from handraise.workspace.words import JobStatus, MemberRole, MemberStatus, Role
from tests.integration.workspace.targets import Roles, targets
from tests.integration.workspace.told import NOBODY
from tests.integration.workspace.world import World, new_world
from tests.support.databases import DatabaseForTest
from tests.support.inhouse import InHouse, inhouse
from tests.support.scripted import ScriptedChat

ROLES = (Role.ADMIN, Role.MEMBER, None)
ALL = [Roles(*roles) for roles in product(ROLES, repeat=3)]
PAIRS = [Roles(ROLES[n], ROLES[m], ROLES[(n + m) % 3]) for n, m in product(range(3), repeat=2)]
"""Nine of the twenty-seven, in which each two places meet with each two roles."""


class Verdicts(msgspec.Struct):
    """Everybody who can say whether something is allowed."""

    db: Database
    judge: NatsJudge
    http: httpx.AsyncClient
    world: World
    who: UUID

    async def of(self, name: str, arguments: dict[str, Any]) -> dict[str, bool]:
        """Return every verdict on one call, by whose it is."""
        given = validate(WRITES[name], arguments)
        kind, subject = WRITES[name].subject(given)
        async with self.db.hot(self.world.id) as connection:
            known = await facts.load(connection, self.world.id, self.who, kind, subject)
        check = Check(
            workspace_id=self.world.id,
            member_id=self.who,
            act=WRITES[name].act,
            subject_kind=kind,
            subject_id=subject,
        )
        found = {
            "decide": decide(WRITES[name].act, known).allowed,
            "service": (await self.judge.check(check)).allowed,
        }
        if name in REGISTRY:
            found["draft"] = await self._draft(name, arguments)
        order = Order(
            workspace_id=self.world.id,
            member_id=self.who,
            actor_id=self.who,
            write=name,
            arguments=given,
            key=new_id(),
            agent_id=new_id() if name in REGISTRY else None,
        )
        outcome = await perform(self.db, self.judge, NOBODY, order)
        found["execution"] = not isinstance(outcome, Refused)
        if (request := _request(name, arguments)) is not None:
            found["http"] = await self._http(*request)
        return found

    async def _draft(self, name: str, arguments: dict[str, Any]) -> bool:
        box = AgentToolbox(self.db, self.judge, {name: REGISTRY[name]})
        try:
            await box.draft(_job(self.world.id, self.who), name, arguments)
        except Declined:
            return False
        return True

    async def _http(self, method: str, path: str, body: dict[str, Any] | None) -> bool:
        response = await self.http.request(method, f"/api{path}", json=body)
        assert response.status_code in (200, 201, 202, 401, 403, 404, 409), response.text
        return response.status_code not in (401, 403, 404)


def _job(workspace_id: UUID, member_id: UUID) -> JobState:
    id = new_id()
    return JobState(
        id=id,
        workspace_id=workspace_id,
        agent_id=id,
        member_id=member_id,
        place=Place("dm", id),
        message_id=id,
        prompt="do it",
        status=JobStatus.RUNNING,
        reason=None,
        rounds=0,
        waiting=0,
        cause=None,
        epoch=1,
        fence="f",
        stop_by=None,
        created_at=utc_now(),
        version=1,
    )


def _request(name: str, given: dict[str, Any]) -> tuple[str, str, dict[str, Any] | None] | None:
    """Return how the same is done by hand; None where it is done with something else than here."""
    rest = {key: value for key, value in given.items() if not key.endswith("_id")}
    match name:
        case "update_task_status" | "assign_task" | "set_task_due_date" | "edit_task":
            task = given["task_id"]
            return "PATCH", f"/tasks/{task}", {k: v for k, v in given.items() if k != "task_id"}
        case (
            "create_task"
            | "create_project"
            | "create_doc"
            | "create_team"
            | "create_channel"
            | "create_group"
        ):
            return "POST", f"/{name.removeprefix('create_')}s", given
        case "post_to_channel":
            return "POST", f"/channels/{given['channel']}/messages", {"body": given["text"]}
        case "send_dm" | "open_dm":
            return "POST", "/conversations", {"person_id": given["person_id"]}
        case "append_to_doc":
            return "PATCH", f"/docs/{given['doc_id']}", {"append": given["text"]}
        case "write_doc":
            return "PATCH", f"/docs/{given['doc_id']}", rest
        case "set_reminder":
            return "POST", "/reminders", given
        case "cancel_reminder":
            return "DELETE", f"/reminders/{given['reminder_id']}", None
        case "change_person":
            return "PATCH", f"/people/{given['person_id']}", rest
        case "add_member" | "remove_member" | "set_role":
            path = f"/{given['place']}s/{given['place_id']}/members"
            one = f"{path}/{given['person_id']}"
            return {
                "add_member": ("POST", path, {"person_id": given["person_id"]}),
                "remove_member": ("DELETE", one, None),
                "set_role": ("PATCH", one, {"role": given.get("role")}),
            }[name]
        case "message_group":
            return None  # groups and direct messages have one address by hand, and so another act
    raise AssertionError(f"{name} has no endpoint")


@pytest.fixture
async def house(
    database: DatabaseForTest, bus_url: str, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[InHouse]:
    """The gateway and the judge: nobody else has a say."""
    async with inhouse(database, bus_url, ScriptedChat("Hello."), monkeypatch) as made:
        await made.start("permissions", "gateway")
        yield made


async def _compared(house: InHouse, people: list[tuple[MemberRole, MemberStatus, Roles]]) -> Counter[bool]:
    seen: Counter[bool] = Counter()
    async with AsyncExitStack() as stack:
        world = await stack.enter_async_context(new_world(house.database))
        db = await Database.open(house.database.dsn("runner"), size=2)
        stack.push_async_callback(db.close)
        bus = await Bus.connect(house.nats_url, "matrix")
        stack.push_async_callback(bus.close)
        for place, status, roles in people:
            who = await world.member("Who", place, status)
            calls = await targets(world, who, roles)
            assert calls.keys() == WRITES.keys()
            async with house.as_(world, who) as client:
                verdicts = Verdicts(db, NatsJudge(bus.connection), client.http, world, who)
                for name, every in calls.items():
                    for call in every:
                        found = await verdicts.of(name, call)
                        assert len(set(found.values())) == 1, (place, status, roles, name, call, found)
                        seen[found["decide"]] += 1
    return seen


@pytest.mark.timeout(300)
@pytest.mark.parametrize("place", MemberRole)
async def test_all_verdicts_on_every_write_are_one_for_every_combination_of_roles(
    place: MemberRole, house: InHouse, capsys: pytest.CaptureFixture[str]
) -> None:
    combined = ALL if place is MemberRole.MEMBER else PAIRS
    seen = await _compared(house, [(place, MemberStatus.ACTIVE, roles) for roles in combined])
    with capsys.disabled():
        print(f"\n{place}: {seen[True]} allowed, {seen[False]} refused, by everybody alike")  # noqa: T201
    assert sum(seen.values()) > 60 * len(combined)
    assert min(seen.values()) > 15 * len(combined)


@pytest.mark.parametrize("place", MemberRole)
async def test_all_verdicts_on_somebody_deactivated_are_no(place: MemberRole, house: InHouse) -> None:
    alike = [(place, MemberStatus.DEACTIVATED, Roles.alike(role)) for role in (Role.ADMIN, None)]
    seen = await _compared(house, alike)
    assert seen[True] == 0
    assert seen[False] > 80
