"""The tools that write: what a person is shown before anything happens. The writes are in `actions`."""

from handraise.workspace.tools import writes_docs, writes_talk, writes_tasks

WRITING = (*writes_tasks.WRITING, *writes_talk.WRITING, *writes_docs.WRITING)
