"""The workspace's tools, as one agent may use them in one job: looked up, checked, run or drafted."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import func, select

from handraise.common.ids import parse_id
from handraise.common.judge import Check, Judge, JudgeUnavailable, Ruling
from handraise.common.secrets import text_asks_for_secret
from handraise.runner.calls import Declined, Draft
from handraise.runner.protocol import ResultStatus, ToolCard, needs_human_card
from handraise.workspace.actions import WRITES
from handraise.workspace.database import Database
from handraise.workspace.jobs import JobState
from handraise.workspace.policy import Act, SubjectKind
from handraise.workspace.schema import members
from handraise.workspace.tools import REGISTRY, InvalidArguments, Tool, digest, validate
from handraise.workspace.words import Surface

_PLACES = {
    Surface.CHANNEL_THREAD: (Act.CHANNEL_READ, SubjectKind.CHANNEL),
    Surface.TASK: (Act.TASK_READ, SubjectKind.TASK),
    Surface.DM: (Act.CONVERSATION_READ, SubjectKind.CONVERSATION),
    Surface.GROUP: (Act.CONVERSATION_READ, SubjectKind.CONVERSATION),
}
_READING = {
    "list_my_tasks": "Looked at the person's tasks",
    "list_projects": "Looked at the projects",
    "list_project_tasks": "Looked at a project's tasks",
    "find_people": "Looked for people",
    "read_doc": "Read a doc",
}


class WorkspaceTools:
    """All tools there are, over one database and one judge."""

    def __init__(self, db: Database, judge: Judge) -> None:
        self._db = db
        self._judge = judge
        self._ask = needs_human_card()
        self._cards = {
            t.name: ToolCard(t.name, t.description, t.schema, t.read_only) for t in REGISTRY.values()
        }

    def cards(self, names: Sequence[str]) -> Sequence[ToolCard]:
        """Return the cards of those of `names` that exist, and of the tool that asks people."""
        return [self._ask, *(self._cards[n] for n in names if n in self._cards)]

    def box(self, names: Sequence[str]) -> "AgentToolbox":
        """Return a toolbox with those of `names` that exist."""
        return AgentToolbox(self._db, self._judge, {n: REGISTRY[n] for n in names if n in REGISTRY})


class AgentToolbox:
    """One agent's tools."""

    def __init__(self, db: Database, judge: Judge, tools: dict[str, Tool]) -> None:
        self._db = db
        self._judge = judge
        self._tools = tools

    def reads(self, tool: str) -> bool:
        """Say whether the tool only reads. Raises Declined for one that is not the agent's."""
        return self._tool(tool).read_only

    async def read(self, job: JobState, tool: str, args: dict[str, Any]) -> tuple[dict[str, Any], str]:
        """Run a read as the job's person; return its data and its title. Raises Declined."""
        found = self._tool(tool)
        assert found.run is not None
        try:
            body = await found.run(self._db, job.workspace_id, job.member_id, validate(found, args))
        except InvalidArguments as error:
            raise Declined(ResultStatus.INVALID, str(error)) from None
        return body, _title(tool, args)

    async def person(self, job: JobState, named: str) -> UUID:
        """Return the member who is to be asked, if they can read where the question stands. Raises Declined."""
        handle = named.removeprefix("@").casefold()
        by_id = parse_id(named)
        wanted = (members.c.id == by_id) if by_id else (func.lower(members.c.handle) == handle)
        async with self._db.read(job.workspace_id) as connection:
            found: UUID | None = await connection.scalar(select(members.c.id).where(wanted))
        if found is None:
            raise Declined(
                ResultStatus.INVALID,
                f"There is nobody called “{named[:60]}”. Look people up with find_people.",
            )
        act, kind = _PLACES[Surface(job.place.surface)]
        check = Check(
            workspace_id=job.workspace_id,
            member_id=found,
            act=act,
            subject_kind=kind,
            subject_id=job.place.place_id,
        )
        if not (await self._ruling(check, "")).allowed:
            raise Declined(
                ResultStatus.INVALID,
                f"“{named[:60]}” can't read along here, so they can't be asked here. Ask somebody who can, or nobody.",
            )
        return found

    async def draft(self, job: JobState, tool: str, args: dict[str, Any]) -> Draft:
        """Check a write and the person's right to it, and say what it would do. Raises Declined."""
        found = self._tool(tool)
        assert found.resolve is not None
        try:
            resolved, preview = await found.resolve(
                self._db, job.workspace_id, job.member_id, validate(found, args)
            )
        except InvalidArguments as error:
            raise Declined(ResultStatus.INVALID, str(error)) from None
        if preview.draft and (reason := text_asks_for_secret(preview.draft)):
            raise Declined(ResultStatus.REFUSED, reason, preview.sentence)
        kind, subject = WRITES[tool].subject(resolved)
        check = Check(
            workspace_id=job.workspace_id,
            member_id=job.member_id,
            act=found.act,
            subject_kind=kind,
            subject_id=subject,
        )
        ruling = await self._ruling(check, preview.sentence)
        if not ruling.allowed:
            raise Declined(ResultStatus.REFUSED, ruling.reason, preview.sentence)
        return Draft(
            arguments=msgspec.to_builtins(resolved),
            digest=digest(tool, resolved),
            sentence=preview.sentence,
            preview=msgspec.to_builtins(preview),
        )

    async def _ruling(self, check: Check, title: str) -> Ruling:
        try:
            return await self._judge.check(check)
        except JudgeUnavailable as error:
            raise Declined(
                ResultStatus.FAILED,
                f"Whether this is permitted can't be found out now: {error}. "
                "Tell the person to try again in a moment.",
                title,
            ) from None

    def _tool(self, name: str) -> Tool:
        found = self._tools.get(name)
        if found is None:
            known = ", ".join(self._tools) or "none"
            raise Declined(
                ResultStatus.INVALID,
                f"There is no tool “{name[:60]}” for you. You have: needs_human, {known}.",
            )
        return found


def _title(tool: str, args: dict[str, Any]) -> str:
    if tool == "search_workspace":
        return f"Searched “{str(args.get('query', ''))[:80]}”"
    if tool == "summarize_channel":
        return f"#{str(args.get('channel', '')).lstrip('#')[:80]}, last {args.get('limit', 50)} messages"
    return _READING.get(tool, tool.replace("_", " ").capitalize())
