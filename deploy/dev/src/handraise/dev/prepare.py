"""Makes servers fit for our services: schema, roles, streams, sample workspace. Skipped where it was done before.

Knowing that nothing is to do must cost nothing, so what does the work is imported only when there is some.
"""

import asyncio
import hashlib
import importlib.util
from collections.abc import Iterator
from pathlib import Path

from handraise.dev.services import START_ORDER
from handraise.dev.state import Prepared, State

_MAKES_THE_DATABASE = ("migrations", "schema", "database", "rls.py")


def ensure(state: State, *, nats_url: str, database_url: str, sample: bool, kept: bool) -> dict[str, str]:
    """Prepare both servers, and return each service's own database address.

    `kept`: both servers' stores are in the state folder, so that its note of what was done holds for them.
    """
    recipe = _recipe(sample)
    before = state.prepared()
    if kept and before and (before.recipe, before.database_url) == (recipe, database_url):
        return before.service_urls
    urls = asyncio.run(_everything(state, nats_url, database_url, sample))
    state.write_prepared(Prepared(recipe=recipe, database_url=database_url, service_urls=urls))
    return urls


async def _everything(state: State, nats_url: str, database_url: str, sample: bool) -> dict[str, str]:
    from handraise.common.bus import topology
    from handraise.dev import sample as sample_workspace
    from handraise.workspace.database import prepare, service_dsn

    passwords = state.secrets().database_passwords

    async def database() -> None:
        await prepare(database_url, passwords)
        if sample:
            await sample_workspace.load(database_url)

    async with asyncio.TaskGroup() as group:
        group.create_task(database())
        group.create_task(topology.ensure(nats_url))
    return {name: service_dsn(database_url, name, passwords[name]) for name in START_ORDER}


def _recipe(sample: bool) -> str:
    """Return a digest of every source that says what is made: when one changes, it is made anew."""
    digest = hashlib.sha256(str(sample).encode())
    for file in sorted(_sources()):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _sources() -> Iterator[Path]:
    workspace, bus = _folder("handraise.workspace"), _folder("handraise.common") / "bus"
    for name in _MAKES_THE_DATABASE:
        yield from (workspace / name).rglob("*.py") if (workspace / name).is_dir() else [workspace / name]
    yield from bus.rglob("*.py")
    yield from (Path(__file__).parent / "sample").rglob("*.py")


def _folder(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent
