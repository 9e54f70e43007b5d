"""What the database stores as JSON, read back as values, and how one statement answers with many rows."""

from typing import Any, TypeVar

import msgspec
from sqlalchemy import JSON, ColumnElement, Select, Text, cast, func, literal_column, select
from sqlalchemy.ext.asyncio import AsyncConnection

T = TypeVar("T")


class Preview(msgspec.Struct, frozen=True):
    """What a person is shown of a proposed action."""

    sentence: str = ""
    audience: int | None = None  # people whom it reaches, where it reaches more than the one who confirms
    before_after: tuple[tuple[str, str | None, str | None], ...] = ()
    draft: str | None = None
    facts: tuple[tuple[str, str], ...] = ()
    confirm: str = "Confirm"
    heavy: tuple[str, ...] = ()  # why it can't be lightly done, in words
    link: str | None = None


class Receipt(msgspec.Struct, frozen=True):
    """What an executed action really did."""

    title: str = ""
    link: str | None = None
    facts: dict[str, str] = {}


class Read(msgspec.Struct, frozen=True):
    """One thing that an agent read on its own."""

    tool: str = ""
    title: str | None = None  # in people's words, where the tool gave any
    args: dict[str, Any] = {}


def gathered(statement: Select[Any]) -> ColumnElement[Any]:
    """Return the rows of `statement` as one JSON array, in its order, to be a column of another statement."""
    rows = statement.subquery()
    every = func.json_agg(rows.table_valued())
    return select(func.coalesce(every, literal_column("'[]'::json"), type_=JSON)).scalar_subquery()


async def answered(connection: AsyncConnection, statement: Select[Any], shape: type[T]) -> T | None:
    """Run a statement of at most one row and read it as `shape`, column by column; None when there is none."""
    row = statement.subquery()
    text = await connection.scalar(select(cast(func.row_to_json(row.table_valued()), Text)))
    return None if text is None else msgspec.json.decode(text, type=shape)
