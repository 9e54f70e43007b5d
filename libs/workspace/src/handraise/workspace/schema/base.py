"""What all tables share: naming, the columns every row has, the types they are made of."""

from enum import StrEnum

from sqlalchemy import CheckConstraint, Column, Computed, DateTime, ForeignKey, MetaData, Text, Uuid, func
from sqlalchemy.dialects.postgresql import TSVECTOR

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def key() -> Column[object]:
    """The primary key: a time-ordered or derived UUID that we make ourselves."""
    return Column("id", Uuid, primary_key=True)


def tenant(*, hot: bool = False) -> Column[object]:
    """The workspace a row belongs to."""
    if hot:
        return Column("workspace_id", Uuid, nullable=False)
    return Column("workspace_id", Uuid, ForeignKey("workspaces.id", ondelete="CASCADE"), nullable=False)


def ref(name: str, target: str, *, nullable: bool = False, ondelete: str = "CASCADE") -> Column[object]:
    """A foreign key to another table's id."""
    return Column(name, Uuid, ForeignKey(f"{target}.id", ondelete=ondelete), nullable=nullable)


def moment(name: str, *, nullable: bool = False, now: bool = False) -> Column[object]:
    """A point in time, always with its zone."""
    if now:
        return Column(name, DateTime(timezone=True), nullable=False, server_default=func.now())
    return Column(name, DateTime(timezone=True), nullable=nullable)


def word(name: str, words: type[StrEnum], *, default: StrEnum | None = None) -> Column[object]:
    """A column that holds one word of an enum. The check that goes with it is `one_of`."""
    return Column(name, Text, nullable=False, server_default=default.value if default else None)


def searched(*columns: str) -> Column[object]:
    """The words of `columns`, as full-text search looks them up."""
    text = " || ' ' || ".join(columns)
    return Column("words", TSVECTOR, Computed(f"to_tsvector('simple', {text})", persisted=True))


def one_of(name: str, words: type[StrEnum]) -> CheckConstraint:
    """The check that a column holds a word of its enum."""
    listed = ", ".join(f"'{w.value}'" for w in words)
    return CheckConstraint(f"{name} IN ({listed})", name=name)
