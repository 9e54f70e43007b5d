"""What is ordered and what comes of it: the values that go into and out of the one door."""

from collections.abc import Awaitable, Callable
from enum import Enum, auto
from typing import Any
from uuid import UUID

from msgspec import Struct
from sqlalchemy.ext.asyncio import AsyncConnection

from handraise.common.ids import derive
from handraise.workspace.policy import Act, SubjectKind


class Order(Struct, frozen=True, kw_only=True):
    """One write, ordered: by whom, as whom, and under which key it happens at most once."""

    workspace_id: UUID
    member_id: UUID
    """Whose rights it runs under: by hand the person, of a job whoever started it."""
    actor_id: UUID
    """Who clicked."""
    write: str
    """The name of a write in `WRITES`."""
    arguments: Struct
    """What that write takes, an instance of its `arguments`."""
    key: UUID
    """Of an agent's action its id. An order with a key that was used is the same order come again."""
    expected_version: int | None = None
    """Of a change by hand: the version that was on the page. A newer one is not overwritten."""
    agent_id: UUID | None = None
    job_id: UUID | None = None
    trace_id: str | None = None

    def derived(self, what: str) -> UUID:
        """Return the id that `what` made by this order always gets. A key means nothing to anybody else."""
        return derive(self.key, str(self.workspace_id), str(self.member_id), what)


class Receipt(Struct, frozen=True, forbid_unknown_fields=True):
    """What a write really did. The only thing that may be reported as done."""

    title: str
    """One sentence in the past tense, without a full stop: Marked “Fix login bug” done."""
    link: str
    """The path of the page where it can be seen."""
    facts: dict[str, str]
    """What the card says beside it: label to value, in order."""
    ids: dict[str, str]
    """The ids of what was made or changed: `task`, `project`, `message`, `channel`, `conversation`, `doc` …"""

    def written(self) -> str:
        """Return it as an audit row keeps it: readable, and exactly what `read` reads back."""
        lines = [self.title, f"link: {self.link}"]
        lines.extend(f"id {name}: {id}" for name, id in self.ids.items())
        lines.extend(f"{label}: {value}" for label, value in self.facts.items())
        return "\n".join(lines)

    @classmethod
    def read(cls, text: str) -> "Receipt":
        """Read what `written` wrote."""
        title, link, *rest = text.split("\n")
        pairs = [line.split(": ", 1) for line in rest]
        ids = {name.removeprefix("id "): value for name, value in pairs if name.startswith("id ")}
        facts = {label: value for label, value in pairs if not label.startswith("id ")}
        return cls(title, link.removeprefix("link: "), facts, ids)


class Done(Struct, frozen=True):
    """It is written. `again` when it already was and nothing happened now: the receipt is the first one's."""

    receipt: Receipt
    again: bool = False


class Refused(Struct, frozen=True):
    """A right is missing; nothing was written but the audit row. The reason says which and who has it."""

    reason: str


class Failed(Struct, frozen=True):
    """It could not be done by anybody: the target is gone, an argument does not fit. Nothing was changed."""

    reason: str


Outcome = Done | Refused | Failed


class Cannot(Exception):
    """Raised inside a write to give up: everything is rolled back and the text becomes `Failed.reason`."""


class Again(Exception):
    """Raised inside a write that another run under the same key has committed."""


class Effect(Enum):
    """What a write leads to beside its rows. `perform` sees to it, so that no caller can forget it."""

    SETS_TIMER = auto()  # its reminder is to fire
    STOPS_TIMER = auto()  # its reminder is not to fire any more
    CHANGES_RIGHTS = auto()  # who may do what is different after it: caches of facts are told


class Write(Struct, frozen=True, kw_only=True):
    """One kind of write."""

    name: str
    arguments: type[Struct]
    act: Act
    run: Callable[[AsyncConnection, Order, Any], Awaitable[Receipt]]
    """Makes the change inside the given transaction, or raises Cannot."""
    check: Callable[[Any], None]
    """Says what is wrong with the arguments by themselves, by raising Cannot."""
    subjects: tuple[tuple[str, SubjectKind], ...] = ()
    """Which arguments can hold the id of what the act is done to, and of what kind that is; the first that is
    given counts. Of a write on the workspace: none."""
    or_workspace: bool = False
    """Where none of them is given, the act is done to the workspace."""
    subject_of: Callable[[Any], tuple[SubjectKind, UUID]] | None = None
    """Tells the subject where the kind too is an argument."""
    by_hand: bool = False
    """Only people make it; no agent can propose it."""
    leads_to: "Effect | None" = None

    def subject(self, arguments: Struct) -> tuple[SubjectKind, UUID | None]:
        """Return what the act is done to. Raises Cannot when the argument holds no id."""
        if self.subject_of is not None:
            return self.subject_of(arguments)
        for argument, kind in self.subjects:
            value = getattr(arguments, argument)
            if value is None:
                continue
            try:
                id = UUID(str(value))
            except ValueError:
                raise Cannot(f"{argument} must be an id; “{value}” is none. Look it up.") from None
            return kind, id
        if self.subjects and not self.or_workspace:
            raise Cannot(f"{self.subjects[0][0]} is missing; nothing was changed.")
        return SubjectKind.WORKSPACE, None
