"""The question to the permissions service, and its ruling: how every write is asked for before it is made."""

from typing import Protocol
from uuid import UUID

import msgspec
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.errors import NoRespondersError

from handraise.common import telemetry
from handraise.common.gather import Gatherer

JUDGE_SUBJECT = "judge.check"
JUDGE_QUEUE = "permissions"


class Check(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """May this member do this act to this subject?"""

    workspace_id: UUID
    member_id: UUID
    act: str  # `handraise.workspace.policy.Act`
    subject_kind: str | None = None
    subject_id: UUID | None = None


class Checks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Several questions in one round trip. What travels on `JUDGE_SUBJECT`."""

    checks: tuple[Check, ...]


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The verdict. `reason` says which right is missing and who has it; empty where allowed."""

    allowed: bool
    reason: str = ""


class Rulings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One ruling a check, in order. What travels back. `error` where nothing could be judged."""

    rulings: tuple[Ruling, ...] = ()
    error: str = ""


class JudgeUnavailable(RuntimeError):
    """No ruling was to be had: nothing may be written. The person is told to try again."""


class Judge(Protocol):
    """Whoever answers checks."""

    async def check(self, check: Check) -> Ruling:
        """Return the ruling, or raise JudgeUnavailable."""
        ...

    async def check_all(self, checks: tuple[Check, ...]) -> tuple[Ruling, ...]:
        """Return the rulings in order, or raise JudgeUnavailable."""
        ...


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Rulings)


class NatsJudge:
    """Asks the permissions service over request/reply. Fails closed."""

    def __init__(self, connection: Client, within: float = 5.0) -> None:
        self._connection = connection
        self._within = within  # seconds
        self._gatherer = Gatherer(self._ask, at_once=4)  # a check that takes long keeps no others waiting

    async def check(self, check: Check) -> Ruling:
        """Return the ruling, or raise JudgeUnavailable."""
        return await self._gatherer(check)

    async def _ask(self, checks: list[Check]) -> list[Ruling]:
        return list(await self.check_all(tuple(checks)))

    async def check_all(self, checks: tuple[Check, ...]) -> tuple[Ruling, ...]:
        """Return the rulings in order, or raise JudgeUnavailable."""
        body = _encoder.encode(Checks(checks))
        try:
            reply = await self._connection.request(
                JUDGE_SUBJECT, body, timeout=self._within, headers=telemetry.headers()
            )
            answer = _decoder.decode(reply.data)
        except NoRespondersError:
            raise JudgeUnavailable("the permissions service is not running") from None
        except TimeoutError:  # nats-py's own is a subclass
            raise JudgeUnavailable("the permissions service did not answer in time") from None
        except (NatsError, msgspec.MsgspecError, OSError) as error:
            raise JudgeUnavailable(f"the permissions service can't be asked: {error}") from error
        if answer.error or len(answer.rulings) != len(checks):
            raise JudgeUnavailable(
                f"the permissions service could not judge: {answer.error or 'short answer'}"
            )
        return answer.rulings
