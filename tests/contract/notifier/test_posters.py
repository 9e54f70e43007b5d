"""What every poster of a surface keeps: its message is a row that the database takes, once."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from handraise.common.bus.messages import Place
from handraise.common.clock import utc_now
from handraise.common.ids import new_id
from handraise.notifier.surfaces import POSTERS, Post, UnknownSurface, poster_for
from handraise.workspace.database import Database
from handraise.workspace.jobs import JobStore
from handraise.workspace.words import MessageKind, Surface
from tests.integration.workspace.world import World, new_world
from tests.support.databases import DatabaseForTest


@pytest.fixture
async def world(module_database: DatabaseForTest) -> AsyncIterator[World]:
    async with new_world(module_database) as made:
        yield made


@pytest.fixture
async def store(module_database: DatabaseForTest) -> AsyncIterator[JobStore]:
    """The store with the notifier's own rights."""
    db = await Database.open(module_database.dsn("notifier"), size=2)
    yield JobStore(db)
    await db.close()


def a_post(surface: str, **more: Any) -> Post:
    return Post(
        id=new_id(),
        place=Place(surface, new_id(), new_id()),
        kind=more.pop("kind", MessageKind.FINAL),
        body=more.pop("body", "So."),
        job_id=new_id(),
        at=utc_now(),
        agent_id=new_id(),
        **more,
    )


@pytest.mark.parametrize("surface", sorted(POSTERS))
@pytest.mark.parametrize("kind", sorted(MessageKind))
async def test_a_post_is_stored_where_it_belongs_and_once(
    surface: str, kind: MessageKind, world: World, store: JobStore
) -> None:
    post = a_post(surface, kind=kind, request_id=new_id())
    row = poster_for(surface).message(post)
    for _ in range(2):
        await store.post(world.id, [row])
    stored = await world.value("SELECT count(*) FROM messages WHERE id = $1", post.id)
    assert stored == 1
    for column, expected in (
        ("surface", surface),
        ("place_id", post.place.place_id),
        ("thread_id", post.place.thread_id if surface == Surface.CHANNEL_THREAD else None),
        ("agent_id", post.agent_id),
        ("job_id", post.job_id),
        ("request_id", post.request_id),
        ("kind", kind.value),
        ("body", "So."),
        ("created_at", post.at),
        ("workspace_id", world.id),
    ):
        assert await world.value(f"SELECT {column} FROM messages WHERE id = $1", post.id) == expected


@pytest.mark.parametrize("surface", sorted(POSTERS))
async def test_any_words_are_kept_as_they_are(surface: str, world: World, store: JobStore) -> None:
    words = "“quotes” \n\t <b>&amp;</b> 🎨 '; DROP TABLE messages; --" * 500
    post = a_post(surface, body=words)
    await store.post(world.id, [poster_for(surface).message(post)])
    assert await world.value("SELECT body FROM messages WHERE id = $1", post.id) == words


def test_every_surface_that_is_spoken_on_has_its_poster() -> None:
    assert set(POSTERS) == {Surface.CHANNEL_THREAD, Surface.DM, Surface.GROUP, Surface.TASK}


def test_a_surface_without_a_poster_is_an_error_and_no_silence() -> None:
    with pytest.raises(UnknownSurface):
        poster_for("carrier-pigeon")
