"""What a mutation is, and where all of them are written down."""

import ast
import importlib
from pathlib import Path

import msgspec

ROOT = Path(__file__).parents[2]


class Mutation(msgspec.Struct, frozen=True):
    """One way to break what a test guards."""

    name: str
    path: str
    """Of the source file, from the root of the repository."""
    old: str
    """A snippet that stands exactly once in it."""
    new: str
    node: str
    """The pytest node that has to fail then."""

    def mutate(self, root: Path) -> str:
        """Return the broken source of the file below `root`. Raises ValueError unless `old` is there once."""
        source = (root / self.path).read_text()
        found = source.count(self.old)
        if found != 1:
            raise ValueError(f"the snippet stands {found} times in {self.path}, not once: {self.old!r}")
        broken = source.replace(self.old, self.new)
        if broken == source:
            raise ValueError(f"the mutation of {self.path} changes nothing")
        if self.path.endswith(".py"):
            ast.parse(broken)
        return broken


def all_mutations() -> list[Mutation]:
    """Collect `MUTATIONS` of every `mutations_*.py`, in the order of their names."""
    mutations = []
    for file in sorted(Path(__file__).parent.glob("mutations_*.py")):
        module = importlib.import_module(f"tests.guards.{file.stem}")
        mutations += [Mutation(*fields) for fields in module.MUTATIONS]
    return mutations


def node_exists(root: Path, node: str) -> bool:
    """Say whether a node id names a test function that its file defines, parameters aside."""
    file, *names = node.partition("[")[0].split("::")
    if not names or not (root / file).is_file():
        return False
    scope: list[ast.stmt] = ast.parse((root / file).read_text()).body
    for name in names:
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
        inner = [item for item in scope if isinstance(item, kinds) and item.name == name]
        if not inner:
            return False
        scope = inner[0].body
    return True
