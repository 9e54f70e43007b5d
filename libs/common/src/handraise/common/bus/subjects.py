"""Every subject's name, made in one place."""

import zlib
from uuid import UUID

SHARDS = 16


def shard(request_id: UUID) -> str:
    """Return the two digits of the shard that a request parks on."""
    return f"{zlib.crc32(request_id.bytes) % SHARDS:02d}"


def cmd_run(workspace_id: UUID, job_id: UUID) -> str:
    """The command to run a job."""
    return f"cmd.run.{workspace_id}.{job_id}"


def cmd_execute(workspace_id: UUID, action_id: UUID) -> str:
    """The command to execute a confirmed action."""
    return f"cmd.execute.{workspace_id}.{action_id}"


def park(request_id: UUID) -> str:
    """Where a request waits for its expiry."""
    return f"park.{shard(request_id)}.{request_id}"


def wake(request_id: UUID) -> str:
    """Where its outcome arrives, from a person or from the broker's clock."""
    return f"wake.{shard(request_id)}.{request_id}"


def timer(reminder_id: UUID) -> str:
    """Where a reminder waits for its time."""
    return f"timer.reminder.{reminder_id}"


def due(reminder_id: UUID) -> str:
    """Where it arrives then."""
    return f"due.reminder.{reminder_id}"


def evt(workspace_id: UUID, kind: str, about: UUID) -> str:
    """What happened."""
    return f"evt.{workspace_id}.{kind}.{about}"


def live(workspace_id: UUID) -> str:
    """What open pages should know. Captured by no stream."""
    return f"live.{workspace_id}"


def ctl_job(job_id: UUID) -> str:
    """Stop and steer, to whichever runner has the job now."""
    return f"ctl.job.{job_id}"


def dlq(subject: str) -> str:
    """Where a message ends that was delivered too often, or that nobody can read."""
    return f"dlq.{subject}"
