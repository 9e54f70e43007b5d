"""Dead letters of one workspace: what could not be handled, why, and how to have it handled after all."""

import base64
import contextlib
from datetime import datetime
from uuid import UUID

import msgspec
from nats.js.api import ConsumerConfig, DeliverPolicy
from nats.js.errors import NotFoundError

from handraise.common.bus.messages import DeadLetter
from handraise.common.ids import parse_id
from handraise.common.problems import not_found
from handraise.gateway.state import Gateway, Signed
from handraise.workspace.policy import Act, SubjectKind

_letter = msgspec.json.Decoder(DeadLetter)
_MOST = 200
_EXCERPT = 2_000  # characters of a body that are shown


class Letter(msgspec.Struct, frozen=True, kw_only=True):
    """One message that ended with the dead letters. `seq` names it."""

    seq: int
    at: datetime
    subject: str
    consumer: str
    reason: str
    deliveries: int
    body: str


async def letters(gateway: Gateway, who: Signed) -> list[Letter]:
    """Return the workspace's dead letters, newest first. Raises Problem 403 for all but its admins."""
    await gateway.permit(who, Act.LETTERS_REPLAY, SubjectKind.WORKSPACE, None)
    found: list[Letter] = []
    subscription = await gateway.bus.jetstream.pull_subscribe(
        "dlq.>",
        stream="DLQ",
        config=ConsumerConfig(deliver_policy=DeliverPolicy.ALL, inactive_threshold=30.0, mem_storage=True),
    )
    try:
        while pending := (await subscription.consumer_info()).num_pending:
            for message in await subscription.fetch(min(pending, 100), timeout=2):
                await message.ack()
                letter = _read(message.data)
                if letter and await _belongs(gateway, who, letter):
                    meta = message.metadata
                    found.append(_shown(letter, meta.sequence.stream, meta.timestamp))
    finally:
        with contextlib.suppress(Exception):
            await subscription.unsubscribe()
    return found[::-1][:_MOST]


async def replay(gateway: Gateway, who: Signed, seq: int) -> None:
    """Put a dead letter back where it came from, and take it off the list. Raises Problem 403 or 404."""
    await gateway.permit(who, Act.LETTERS_REPLAY, SubjectKind.WORKSPACE, None)
    try:
        message = await gateway.bus.jetstream.get_msg("DLQ", seq)
    except NotFoundError:
        raise not_found("dead letter") from None
    letter = _read(message.data or b"")
    if letter is None or not await _belongs(gateway, who, letter):
        raise not_found("dead letter")
    await gateway.bus.jetstream.publish(
        letter.subject, body_of(letter), headers={"Nats-Msg-Id": f"replay.{seq}"}
    )
    await gateway.bus.jetstream.delete_msg("DLQ", seq)


def body_of(letter: DeadLetter) -> bytes:
    """Return the message's body as it was."""
    return base64.b64decode(letter.body) if letter.encoding == "base64" else letter.body.encode()


def _read(data: bytes) -> DeadLetter | None:
    try:
        return _letter.decode(data)
    except msgspec.MsgspecError:
        return None  # an advisory of the broker's: it names a message and holds none


def _shown(letter: DeadLetter, seq: int, at: datetime) -> Letter:
    return Letter(
        seq=seq,
        at=at,
        subject=letter.subject,
        consumer=letter.consumer,
        reason=letter.reason,
        deliveries=letter.deliveries,
        body=letter.body[:_EXCERPT],
    )


async def _belongs(gateway: Gateway, who: Signed, letter: DeadLetter) -> bool:
    """Say whether it is this workspace's: by its subject, or by the request that its subject names."""
    first, *rest = letter.subject.split(".")
    if first in ("cmd", "evt"):
        return str(who.workspace_id) in rest
    request_id: UUID | None = parse_id(rest[-1]) if rest else None
    return request_id is not None and await gateway.store.request(who.workspace_id, request_id) is not None
