"""A job's path through the database: one named statement a stage, each one round trip and one transaction.

`statements.sql` holds them, `store` calls them by name. Each is guarded by the state it expects (status, epoch,
round), so that a redelivered message, a late runner or a second answer changes nothing.
"""

from handraise.workspace.jobs.store import (
    Claimed,
    Closing,
    JobState,
    JobStore,
    NewRequest,
    RoundRecord,
    Said,
    Settled,
    Woken,
)

__all__ = [
    "Claimed",
    "Closing",
    "JobState",
    "JobStore",
    "NewRequest",
    "RoundRecord",
    "Said",
    "Settled",
    "Woken",
]
