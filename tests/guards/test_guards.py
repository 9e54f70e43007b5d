"""Every mutation still fits the sources. That its guard really fails is shown by `make guards`, which is slow."""

from pathlib import Path

import pytest

from tests.guards.mutation import ROOT, Mutation, all_mutations, node_exists
from tests.guards.runner import run

MUTATIONS = all_mutations()


def test_there_are_mutations_and_no_two_share_a_name() -> None:
    names = [mutation.name for mutation in MUTATIONS]
    assert names
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_a_mutation_fits_the_source_and_names_a_test_that_is_there(mutation: Mutation) -> None:
    assert mutation.mutate(ROOT)
    assert node_exists(ROOT, mutation.node)


def test_a_snippet_that_stands_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\nx = 1\n")
    with pytest.raises(ValueError, match="2 times"):
        Mutation("twice", "a.py", "x = 1", "x = 2", "tests/a.py::test_a").mutate(tmp_path)


_GUARD = "tests/guards/test_guards.py::test_a_snippet_that_stands_twice_is_refused"


def test_the_runner_knows_a_guard_that_fails_from_one_that_sleeps_and_one_that_can_not_run() -> None:
    path = "tests/guards/mutation.py"
    watched = Mutation("watched", path, "if found != 1:", "if found < 1:", _GUARD)
    unwatched = Mutation("unwatched", path, "changes nothing", "changes little", _GUARD)
    unimportable = Mutation("unimportable", path, "import msgspec\n", "import msgspeck as msgspec\n", _GUARD)
    verdicts = run([watched, unwatched, unimportable])
    assert verdicts[0].fault == ""
    assert "although what it guards is broken" in verdicts[1].fault
    assert verdicts[2].fault.startswith(("says nothing", "never ran"))
