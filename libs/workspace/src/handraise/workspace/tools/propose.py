"""From what a model wrote to what a person decides on: arguments, their digest, and the preview."""

from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct

from handraise.workspace.database import Database
from handraise.workspace.tools.tool import Preview, Tool, digest
from handraise.workspace.tools.validate import validate


class Proposal(Struct, frozen=True):
    """A write as it is stored: these arguments run when it is confirmed, and no others."""

    tool: str
    arguments: dict[str, Any]
    """With names turned into ids, as JSON values. `validate` turns them back into what the write takes."""
    digest: str
    preview: Preview


async def propose(
    db: Database, workspace_id: UUID, member_id: UUID, tool: Tool, arguments: object
) -> Proposal:
    """Validate a call of a write tool, find what it names, and show what it would do.

    Raises InvalidArguments with what the model can do about it. Rights are not judged here.
    """
    if tool.resolve is None:
        raise ValueError(f"{tool.name} reads; there is nothing to propose")
    resolved, shown = await tool.resolve(db, workspace_id, member_id, validate(tool, arguments))
    kept: dict[str, Any] = msgspec.to_builtins(resolved)
    return Proposal(tool.name, kept, digest(tool.name, kept), shown)


async def preview(
    db: Database, workspace_id: UUID, member_id: UUID, tool: Tool, arguments: Struct
) -> Preview:
    """Return what a person is shown of a write. Raises InvalidArguments where its target is not to be seen."""
    if tool.resolve is None:
        raise ValueError(f"{tool.name} reads; there is nothing to preview")
    return (await tool.resolve(db, workspace_id, member_id, arguments))[1]
