"""Where checks are judged: facts from the cache or in one statement, the rule, and a note of each refusal."""

import asyncio

from prometheus_client import Counter

from handraise.common import telemetry
from handraise.common.judge import Check, Ruling
from handraise.permissions.cache import FactsCache, Key
from handraise.workspace import audit, facts
from handraise.workspace.database import Database
from handraise.workspace.policy import Act, Facts, SubjectKind, decide, read_act
from handraise.workspace.words import Verdict

_checks = Counter("handraise_checks_total", "Permission checks", ["facts"])  # cache, database
_refused = Counter("handraise_checks_refused_total", "Permission checks that were refused", ["act"])


class Bench:
    """Judges checks. Is itself a `handraise.common.judge.Judge`, for whoever is in the same process."""

    def __init__(self, db: Database, cache: FactsCache) -> None:
        self._db = db
        self._cache = cache

    async def check_all(self, checks: tuple[Check, ...]) -> tuple[Ruling, ...]:
        """Return the rulings in order. Raises what the database raises when it can't be asked."""
        return tuple(await asyncio.gather(*map(self.check, checks)))

    async def check(self, check: Check) -> Ruling:
        """Return the ruling. What is not known, act or subject, is refused."""
        act, kind = read_act(check.act), _kind(check.subject_kind)
        if act is None:
            return await self._refuse(
                check, None, f"There is no act “{check.act[:60]}”, so nobody may do it."
            )
        if kind is None:
            return await self._refuse(
                check,
                act,
                f"There is no kind of subject “{str(check.subject_kind)[:60]}”, so nobody may do it.",
            )
        decision = decide(act, await self._facts(check, kind))
        return Ruling(True) if decision.allowed else await self._refuse(check, act, decision.reason)

    async def _facts(self, check: Check, kind: SubjectKind) -> Facts:
        subject_id = None if kind is SubjectKind.WORKSPACE else check.subject_id
        key = Key(check.workspace_id, check.member_id, kind, subject_id)
        known = self._cache.get(key)
        _checks.labels("cache" if known else "database").inc()
        if known:
            return known
        mark = self._cache.mark(check.workspace_id)
        async with self._db.hot(check.workspace_id) as connection:
            loaded = await facts.load(connection, check.workspace_id, check.member_id, kind, subject_id)
        self._cache.put(key, loaded, mark)
        return loaded

    async def _refuse(self, check: Check, act: Act | None, reason: str) -> Ruling:
        _refused.labels(act or "unknown").inc()
        entry = audit.Entry(
            workspace_id=check.workspace_id,
            tag=audit.Tag(act) if act else audit.Tag.ACT_UNKNOWN,
            subject_kind=str(check.subject_kind or SubjectKind.WORKSPACE)[:60],
            subject_id=check.subject_id,
            verdict=Verdict.REFUSED,
            actor_id=check.member_id,
            as_id=check.member_id,
            reason=reason,
            trace_id=telemetry.trace_id(),
        )
        async with self._db.write(check.workspace_id) as connection:
            await connection.execute(audit.insertion(entry))
        return Ruling(False, reason)


def _kind(word: str | None) -> SubjectKind | None:
    try:
        return SubjectKind(word) if word else SubjectKind.WORKSPACE
    except ValueError:
        return None
