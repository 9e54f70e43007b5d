"""Rows as the views return them, to build pages from without a database."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from handraise.common.ids import derive
from handraise.gateway.pages.times import Times
from handraise.workspace.views.shapes import Preview
from handraise.workspace.views.talk import Card, Message
from handraise.workspace.words import MessageKind, RequestKind, RequestStatus, Surface

NOW = datetime(2026, 11, 3, 11, 20, tzinfo=UTC)  # 12:20 in Berlin, a Tuesday
TIMES = Times(NOW, "Europe/Berlin")
WORKSPACE = UUID(int=1)


def id_of(name: str) -> UUID:
    """Return the id that always belongs to a name."""
    return derive(WORKSPACE, name)


ADA, BEN, JOB, PLACE, ROOT = map(id_of, ("ada", "ben", "job", "place", "root"))


def ago(**length: float) -> datetime:
    """Return a moment that long before now."""
    return NOW - timedelta(**length)


def question(text: str = "Which environment?\n\n1. staging\n2. production", **fields: Any) -> Card:
    """A question to Ada, open since 09:31 in Berlin."""
    return Card(
        **{
            "id": id_of(text),
            "kind": RequestKind.QUESTION,
            "status": RequestStatus.OPEN,
            "text": text,
            "option": None,
            "answer": None,
            "answered_from": None,
            "answered_at": None,
            "expires_at": ago(minutes=169) + timedelta(hours=72),
            "created_at": ago(minutes=169),
            "asked_id": ADA,
            "asked": "Ada",
            "answerer_id": None,
            "answerer": None,
            "runs_as_id": ADA,
            "runs_as": "Ada",
            "agent": "ray",
            "prompt": "@ray open a task for the API deploy",
            "job_id": JOB,
            "round": 1,
            "surface": Surface.CHANNEL_THREAD,
            "place_id": PLACE,
            "thread_id": ROOT,
            "place": "#release",
            "thread": "@ray open a task for the API deploy",
            "action_id": None,
            "action_status": None,
            "preview": None,
            "receipt": None,
            "reason": None,
            "executed_at": None,
            "reads": 2,
            "changes": 0,
            **fields,
        }
    )


def proposal(sentence: str = "Mark “Fix login bug” done", **fields: Any) -> Card:
    """A proposal to Ada."""
    return question(
        sentence,
        **{
            "kind": RequestKind.APPROVAL,
            "action_id": id_of("action"),
            "action_status": "proposed",
            "preview": Preview(sentence=sentence),
            **fields,
        },
    )


def message(body: str, **fields: Any) -> Message:
    """What Ada wrote at 08:58 in Berlin."""
    return Message(
        **{
            "id": id_of(body),
            "kind": MessageKind.TEXT,
            "body": body,
            "created_at": ago(minutes=202),
            "author_id": ADA,
            "author": "Ada",
            "agent": None,
            "for_whom": None,
            "job_id": None,
            "job_status": None,
            "request_id": None,
            **fields,
        }
    )


def by_ray(body: str, **fields: Any) -> Message:
    """What @ray said in its job for Ada."""
    return message(
        body,
        **{"author_id": None, "author": None, "agent": "ray", "for_whom": "Ada", "job_id": JOB, **fields},
    )
