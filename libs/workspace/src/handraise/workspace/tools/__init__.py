"""What an agent can do: the tools, what they take, and what a person is shown before a write.

Reads run here. Writes are only ever proposed here; `handraise.workspace.actions` makes them.
"""

from collections.abc import Mapping

from handraise.workspace.tools.propose import Proposal, preview, propose
from handraise.workspace.tools.reads import READS
from handraise.workspace.tools.tool import InvalidArguments, Preview, Tool, digest
from handraise.workspace.tools.validate import validate
from handraise.workspace.tools.writes import WRITING

REGISTRY: Mapping[str, Tool] = {tool.name: tool for tool in (*READS, *WRITING)}
"""Every tool there is. A name that is not in here counts as a write and is never run."""

__all__ = [
    "REGISTRY",
    "InvalidArguments",
    "Preview",
    "Proposal",
    "Tool",
    "digest",
    "preview",
    "propose",
    "validate",
]
