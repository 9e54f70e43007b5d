"""How a write becomes a tool: its arguments are checked, then a person is shown what it would do."""

from typing import Any
from uuid import UUID

from handraise.workspace.actions.order import Cannot
from handraise.workspace.actions.registry import WRITES
from handraise.workspace.database import Database
from handraise.workspace.tools.tool import InvalidArguments, Preview, Resolve, Tool


def writing(name: str, description: str, show: Resolve) -> Tool:
    """Return the tool for the write of that name; `show` finds what it names and makes the preview."""
    write = WRITES[name]

    async def resolve(db: Database, workspace_id: UUID, member_id: UUID, args: Any) -> tuple[Any, Preview]:
        try:
            write.check(args)
        except Cannot as cannot:
            raise InvalidArguments(str(cannot)) from None
        return await show(db, workspace_id, member_id, args)

    return Tool(name=name, description=description, arguments=write.arguments, act=write.act, resolve=resolve)
