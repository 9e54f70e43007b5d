"""Sessions and bearer tokens: stored hashed, looked up once in a while, dropped everywhere when rights change."""

import asyncio
import time
from datetime import datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

from sqlalchemy import delete, insert, select, text

from handraise.common import telemetry
from handraise.common.clock import Clock
from handraise.common.ids import parse_id
from handraise.common.passwords import new_token, token_hash, verify
from handraise.workspace.audit import Entry, Tag, insertion
from handraise.workspace.database import Database
from handraise.workspace.schema import members, sessions, workspaces
from handraise.workspace.words import MemberStatus, SessionKind, Verdict

if TYPE_CHECKING:
    from handraise.gateway.state import Signed

_KEPT = 15.0  # seconds a found session is believed without asking again
_MOST = 20_000  # of them


class Sessions:
    """Who is signed in. A token names its workspace, so that even finding it is held to one tenant."""

    def __init__(self, db: Database, clock: Clock, hours: int) -> None:
        self._db = db
        self._clock = clock
        self._life = timedelta(hours=hours)
        self._kept: dict[bytes, tuple[float, datetime, Signed]] = {}  # until when, at the longest
        self._slugs: dict[str, UUID] = {}

    async def sign_in(self, slug: str, email: str, password: str) -> "tuple[str, Signed] | None":
        """Check e-mail and password; return a new token and its member, or None.

        Takes as long for a member who does not exist.
        """
        workspace_id = await self._workspace(slug)
        row = None
        if workspace_id:
            async with self._db.read(workspace_id) as connection:
                row = (
                    await connection.execute(
                        select(members.c.id, members.c.password_hash, members.c.status).where(
                            members.c.email == email.strip().lower()
                        )
                    )
                ).first()
        # Deliberately slow, so not on the loop that serves everybody else.
        matched = await asyncio.to_thread(verify, password, row.password_hash if row else None)
        if not workspace_id or row is None or not matched or row.status != MemberStatus.ACTIVE:
            if workspace_id:
                await self._note(workspace_id, Tag.MEMBER_SIGN_IN, row.id if row else None, Verdict.REFUSED)
            return None
        token = await self._issue(workspace_id, row.id, SessionKind.COOKIE, "", (), self._life)
        signed = await self.find(token)
        return (token, signed) if signed else None

    async def issue_bearer(self, who: "Signed", name: str, scopes: tuple[str, ...], life: timedelta) -> str:
        """Make a bearer token for a member. It is shown once: only its hash is stored."""
        token = await self._issue(who.workspace_id, who.member_id, SessionKind.BEARER, name, scopes, life)
        await self._note(who.workspace_id, Tag.TOKEN_CREATE, who.member_id, Verdict.ALLOWED)
        return token

    async def find(self, token: str) -> "Signed | None":
        """Return who is behind a token; None for one that is unknown, expired, or a deactivated member's."""
        from handraise.gateway.state import Signed

        hashed = token_hash(token)
        kept = self._kept.get(hashed)
        if kept and time.monotonic() - kept[0] < _KEPT and self._clock() < kept[1]:
            return kept[2]
        workspace_id = parse_id(token.partition(".")[0])
        if workspace_id is None:
            return None
        statement = (
            select(
                members.c.id,
                members.c.name,
                members.c.handle,
                members.c.role,
                members.c.timezone,
                sessions.c.kind,
                sessions.c.csrf,
                sessions.c.scopes,
                sessions.c.expires_at,
                workspaces.c.name.label("workspace"),
            )
            .join(members, members.c.id == sessions.c.member_id)
            .join(workspaces, workspaces.c.id == sessions.c.workspace_id)
            .where(
                sessions.c.token_hash == hashed,
                sessions.c.expires_at > self._clock(),
                members.c.status == MemberStatus.ACTIVE.value,
            )
        )
        async with self._db.read(workspace_id) as connection:
            row = (await connection.execute(statement)).first()
        if row is None:
            self._kept.pop(hashed, None)
            return None
        signed = Signed(
            member_id=row.id,
            workspace_id=workspace_id,
            workspace_name=row.workspace,
            name=row.name,
            handle=row.handle,
            role=row.role,
            timezone=row.timezone,
            session_kind=row.kind,
            csrf=row.csrf or "",
            scopes=tuple(row.scopes),
        )
        if len(self._kept) >= _MOST:
            self._kept.clear()
        self._kept[hashed] = (time.monotonic(), row.expires_at, signed)
        return signed

    async def sign_out(self, token: str, who: "Signed") -> None:
        """End a session."""
        self._kept.pop(token_hash(token), None)
        async with self._db.write(who.workspace_id) as connection:
            await connection.execute(delete(sessions).where(sessions.c.token_hash == token_hash(token)))
        await self._note(who.workspace_id, Tag.MEMBER_SIGN_OUT, who.member_id, Verdict.ALLOWED)

    def forget(self, member_id: UUID | None = None) -> None:
        """Drop what is kept of a member, or of all: their rights or sessions changed somewhere."""
        if member_id is None:
            self._kept.clear()
        else:
            self._kept = {h: k for h, k in self._kept.items() if k[2].member_id != member_id}

    async def _issue(
        self,
        workspace_id: UUID,
        member_id: UUID,
        kind: SessionKind,
        name: str,
        scopes: tuple[str, ...],
        life: timedelta,
    ) -> str:
        token = f"{workspace_id.hex}.{new_token()}"
        async with self._db.write(workspace_id) as connection:
            await connection.execute(
                insert(sessions).values(
                    token_hash=token_hash(token),
                    workspace_id=workspace_id,
                    member_id=member_id,
                    kind=kind.value,
                    name=name,
                    scopes=list(scopes),
                    csrf=new_token() if kind is SessionKind.COOKIE else None,
                    expires_at=self._clock() + life,
                )
            )
            if kind is SessionKind.COOKIE:
                await connection.execute(insertion(self._entry(workspace_id, Tag.MEMBER_SIGN_IN, member_id)))
        return token

    async def _workspace(self, slug: str) -> UUID | None:
        if slug in self._slugs:
            return self._slugs[slug]
        async with self._db.engine.begin() as connection:
            await connection.execute(text("SELECT set_config('handraise.slug', :slug, true)"), {"slug": slug})
            found: UUID | None = await connection.scalar(
                select(workspaces.c.id).where(workspaces.c.slug == slug)
            )
        if found:
            self._slugs[slug] = found
        return found

    async def _note(self, workspace_id: UUID, tag: Tag, member_id: UUID | None, verdict: Verdict) -> None:
        async with self._db.write(workspace_id) as connection:
            await connection.execute(insertion(self._entry(workspace_id, tag, member_id, verdict)))

    def _entry(
        self, workspace_id: UUID, tag: Tag, member_id: UUID | None, verdict: Verdict = Verdict.ALLOWED
    ) -> Entry:
        return Entry(
            workspace_id=workspace_id,
            tag=tag,
            subject_kind="member",
            subject_id=member_id,
            verdict=verdict,
            actor_id=member_id,
            as_id=member_id,
            trace_id=telemetry.trace_id(),
        )
