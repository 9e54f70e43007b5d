"""Breaks, one after the other, what each guard guards, and demands that the guard fails. `make guards`.

Works on copies of the tree; the sources here are never touched.
"""
# ruff: noqa: T201 - a table on the terminal is what this is for

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import msgspec

from tests.guards.mutation import ROOT, Mutation, all_mutations
from tests.guards.witness import Testimony

_AT_ONCE = 2
_WITHIN = 300.0
"""Seconds one run of pytest may take."""
_PLUGINS = ("pytest_asyncio.plugin", "pytest_timeout", "_hypothesis_pytestplugin")
"""What guards need. What else is installed would double the time of each run just by being loaded."""
_LEAVE = shutil.ignore_patterns("__pycache__", "*.pyc", ".hypothesis", "node_modules", "*.egg-info")


class Verdict(msgspec.Struct, frozen=True):
    """What came of one mutation. `fault` is empty when the guard failed as it must."""

    mutation: Mutation
    seconds: float
    fault: str = ""


def run(mutations: Sequence[Mutation]) -> list[Verdict]:
    """Try every mutation, whose guards must first pass on the sources as they are."""
    nodes = list(dict.fromkeys(mutation.node for mutation in mutations))
    sound = _sound(nodes)

    def attempt(mutation: Mutation) -> Verdict:
        began = time.monotonic()
        fault = sound[mutation.node] or _fault(mutation)
        verdict = Verdict(mutation, time.monotonic() - began, fault)
        _print(verdict)
        return verdict

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(attempt, mutations))


def _sound(nodes: Sequence[str]) -> dict[str, str]:
    """Return for each node why it does not pass on the unbroken sources; empty where it does."""
    with _copy() as root:
        seen, output = _pytest(root, nodes)
    faults = {}
    for node in nodes:
        bad = [name for name in (*seen.failed, *seen.broken) if _belongs(name, node)]
        if seen.strangers:
            faults[node] = f"the copies were not what ran: {seen.strangers[0]}"
        elif bad or not any(_belongs(name, node) for name in seen.passed):
            reason = (seen.broken | seen.failed)[bad[0]] if bad else output[-400:]
            faults[node] = f"does not pass unbroken: {reason}"
        else:
            faults[node] = ""
    return faults


def _fault(mutation: Mutation) -> str:
    with _copy() as root:
        try:
            broken = mutation.mutate(root)
        except (ValueError, SyntaxError, OSError) as error:
            return str(error)
        (root / mutation.path).write_text(broken)
        seen, output = _pytest(root, [mutation.node])
    if seen.strangers:
        return f"the copies were not what ran: {seen.strangers[0]}"
    if seen.broken:
        node, reason = next(iter(seen.broken.items()))
        return f"says nothing, {node} {reason}"
    if not seen.failed:
        return "passes although what it guards is broken" if seen.passed else f"never ran: {output[-400:]}"
    return ""


def _belongs(name: str, node: str) -> bool:
    return name == node or name.startswith((f"{node}[", f"{node}::"))


@contextmanager
def _copy() -> Iterator[Path]:
    """Lend a copy of all sources and tests."""
    with tempfile.TemporaryDirectory(prefix="handraise-guards-") as folder:
        root = Path(folder)
        for source in _sources(ROOT):
            shutil.copytree(source, root / source.relative_to(ROOT), ignore=_LEAVE)
        shutil.copytree(ROOT / "tests", root / "tests", ignore=_LEAVE)
        for file in ("pyproject.toml", "Makefile"):
            shutil.copy(ROOT / file, root / file)
        yield root


def _sources(root: Path) -> list[Path]:
    return sorted([*root.glob("libs/*/src"), *root.glob("services/*/src"), *root.glob("deploy/*/src")])


def _pytest(root: Path, nodes: Sequence[str]) -> tuple[Testimony, str]:
    """Run the nodes in the copy, whose sources come before those that are installed."""
    testimony = root / "testimony.json"
    path = os.pathsep.join(map(str, [root, *_sources(root)]))
    env = os.environ | {
        "PYTHONPATH": path,
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "GUARD_ROOT": str(root),
        "GUARD_TESTIMONY": str(testimony),
    }
    options = ["-q", "--tb=short", "--no-header", "-p", "no:cacheprovider"]
    for plugin in (*_PLUGINS, "tests.guards.witness"):
        options += ["-p", plugin]
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *options, *nodes],
            cwd=root,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=_WITHIN,
        )
    except subprocess.TimeoutExpired:
        return Testimony(), f"took longer than {_WITHIN:g} s"
    if not testimony.exists():
        return Testimony(), done.stdout
    return msgspec.json.decode(testimony.read_bytes(), type=Testimony), done.stdout


def _print(verdict: Verdict) -> None:
    mark = "broken" if verdict.fault else "guards"
    print(
        f"{mark}  {verdict.seconds:5.1f} s  {verdict.mutation.name:<60}  {verdict.mutation.node}", flush=True
    )
    if verdict.fault:
        print(f"        {verdict.fault}", flush=True)


def main() -> int:
    """Try all mutations, or those whose name or file contains the argument."""
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    mutations = [m for m in all_mutations() if wanted in m.name or wanted in m.path or wanted in m.node]
    if not mutations:
        print("there is no such mutation", file=sys.stderr)
        return 2
    verdicts = run(mutations)
    broken = [verdict for verdict in verdicts if verdict.fault]
    print(f"{len(verdicts) - len(broken)} of {len(verdicts)} guards fail when what they guard is broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
