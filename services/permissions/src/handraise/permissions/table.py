"""Writes `docs/permissions.md` from the rules themselves: `python -m handraise.permissions.table`."""

import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

from handraise.workspace.policy import RULES, Act, Facts, Person, Subject, SubjectKind, decide
from handraise.workspace.tools import REGISTRY
from handraise.workspace.words import ChannelKind, MemberRole, MemberStatus, Role

_HEAD = """\
# Who may do what

<!-- Written by `python -m handraise.permissions.table docs/permissions.md` from `handraise.workspace.policy`. -->

One rule for each act, the same for a person who clicks and for an agent that works for them. The permissions
service judges every write at the moment it is made; the same rule, as a condition of the query, gates every
read. Whoever is deactivated may do nothing, and what is in another workspace is not there.

| act | done to | needs to be | tools |
|---|---|---|---|
"""

_ROLES = """
“Admin” and “member” are roles on that very team, project or channel. An admin of the workspace has no more
rights on a project or a private channel than anybody else. Of the workspace itself, a guest is no member. A
task goes by its project.

An approval is decided by those who could do the action by hand, and it is judged once more when the action runs,
as whom the job runs as. To decline a request, or to stop the work with it, it is enough to be asked.

## How a refusal reads

It says which right is missing, who has it, and so what to do. It speaks of the person by name, because everybody
in a thread reads it:

"""

_HIDDEN = """
What somebody may not know of is never named. It reads exactly like what is not there:

"""

_BEN = Person(UUID(int=1), "Ben", MemberRole.MEMBER, MemberStatus.ACTIVE)
_REFUSALS = (
    (Act.TASK_STATUS, Subject(SubjectKind.TASK, "the project Atlas", Role.MEMBER, ("Ada", "Dita"))),
    (
        Act.CHANNEL_POST,
        Subject(
            SubjectKind.CHANNEL, "#announcements", Role.MEMBER, ("Dita",), channel=ChannelKind.ANNOUNCEMENT
        ),
    ),
    (Act.REQUEST_ANSWER, Subject(SubjectKind.REQUEST, "this request", holders=("Ada", "Chen"))),
    (Act.DM_SEND, Subject(SubjectKind.MEMBER, "Chen", peer=MemberStatus.DEACTIVATED)),
)


def page() -> str:
    """Return the page."""
    return "".join(
        (_HEAD, *_rows(), _ROLES, *_quoted(_REFUSALS), _HIDDEN, *_quoted(((Act.TASK_STATUS, None),)))
    )


def _rows() -> Iterator[str]:
    for act, rule in RULES.items():
        tools = ", ".join(f"`{tool.name}`" for tool in REGISTRY.values() if tool.act is act)
        yield f"| `{act}` | {', '.join(rule.on)} | {rule.needs} | {tools} |\n"


def _quoted(refusals: tuple[tuple[Act, Subject | None], ...]) -> Iterator[str]:
    for act, subject in refusals:
        yield f"- `{act}`: {decide(act, Facts(_BEN, subject)).reason}\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")
