"""Facts are kept only as long as nobody can have changed them."""

from uuid import UUID

import pytest

from handraise.common.ids import new_id
from handraise.permissions.cache import KEPT, FactsCache, Key
from handraise.workspace.policy import Facts, Person, Subject, SubjectKind
from handraise.workspace.words import MemberRole, MemberStatus

WS, OTHER = new_id(), new_id()
BEN = Person(new_id(), "Ben", MemberRole.MEMBER, MemberStatus.ACTIVE)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def key(workspace: UUID = WS, kind: SubjectKind = SubjectKind.TASK) -> Key:
    return Key(workspace, BEN.id, kind, new_id())


def facts(kind: SubjectKind = SubjectKind.TASK) -> Facts:
    return Facts(BEN, Subject(kind))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def cache(clock: Clock) -> FactsCache:
    return FactsCache(ttl=30, kept=3, clock=clock)


def keep(cache: FactsCache, key: Key, facts: Facts) -> None:
    cache.put(key, facts, cache.mark(key.workspace_id))


def test_what_is_kept_is_found_until_it_is_too_old(cache: FactsCache, clock: Clock) -> None:
    one, known = key(), facts()
    keep(cache, one, known)
    clock.now += 29.9
    assert cache.get(one) is known
    assert cache.get(key()) is None
    clock.now += 0.1
    assert cache.get(one) is None


def test_an_event_forgets_its_workspace_and_no_other(cache: FactsCache) -> None:
    here, there = key(), key(OTHER)
    keep(cache, here, facts())
    keep(cache, there, facts())
    cache.drop(WS)
    assert cache.get(here) is None
    assert cache.get(there) is not None
    assert len(cache) == 1


@pytest.mark.parametrize("change", ["drop", "suspend", "outage"])
def test_what_was_loaded_before_a_change_is_not_kept_after_it(cache: FactsCache, change: str) -> None:
    one = key()
    mark = cache.mark(WS)
    if change == "drop":
        cache.drop(WS)
    else:
        cache.suspend()
        if change == "outage":
            cache.resume()
    cache.put(one, facts(), mark)
    assert cache.get(one) is None
    assert len(cache) == 0


def test_while_events_do_not_arrive_nothing_is_kept(cache: FactsCache) -> None:
    one = key()
    keep(cache, one, facts())
    cache.suspend()
    assert cache.get(one) is None
    keep(cache, one, facts())
    assert cache.get(one) is None
    cache.resume()
    keep(cache, one, facts())
    assert cache.get(one) is not None


def test_what_is_not_there_is_not_kept(cache: FactsCache) -> None:
    one = key()
    keep(cache, one, Facts(BEN, None))
    keep(cache, one, Facts(None, Subject(SubjectKind.TASK)))
    assert cache.get(one) is None


@pytest.mark.parametrize("kind", SubjectKind)
def test_only_what_membership_alone_can_change_is_kept(cache: FactsCache, kind: SubjectKind) -> None:
    one = key(kind=kind)
    keep(cache, one, facts(kind))
    assert (cache.get(one) is not None) is (kind in KEPT)
    asked = (SubjectKind.REQUEST, SubjectKind.QUESTION, SubjectKind.ACTION, SubjectKind.JOB)
    never = {*asked, SubjectKind.DOC, SubjectKind.REMINDER}
    assert set(SubjectKind) == KEPT | never
    assert not KEPT & never


def test_there_is_never_more_kept_than_was_allowed(cache: FactsCache) -> None:
    for _ in range(10):
        keep(cache, key(), facts())
        assert 1 <= len(cache) <= 3
    one = key()
    keep(cache, one, facts())
    size = len(cache)
    keep(cache, one, facts())
    assert len(cache) == size
