"""Loads what a decision stands on, the person and the subject as seen from them, in one statement.

Plain SQL: the permissions service answers before every write, and what it knows of a subject fits one JSON
object. `$1` is the member, `$2` the workspace, `$3` the subject's id.
"""

from collections.abc import Iterator
from uuid import UUID

import msgspec

from handraise.workspace.actions import WRITES
from handraise.workspace.database import Hot
from handraise.workspace.policy import Facts, Person, Subject, SubjectKind

_WHO = """(SELECT jsonb_build_object('id', id, 'name', name, 'role', role, 'status', status)
  FROM members WHERE id = $1 AND workspace_id = $2)"""

_HOLDERS = """(SELECT coalesce(jsonb_agg(m.name ORDER BY m.name), '[]')
    FROM {membership} x JOIN members m ON m.id = x.member_id
    WHERE x.{column} = {target} AND x.role = 'admin' AND m.status = 'active')"""

_UUID = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"

_ROLE = "(SELECT x.role FROM {membership} x WHERE x.{column} = {target} AND x.member_id = $1)"

# One sub-select a kind. Its `{id}` is whatever gives the subject's id: the parameter, or an argument of a
# proposed action.
_SUBJECTS = {
    SubjectKind.WORKSPACE: """(SELECT jsonb_build_object('kind', 'workspace',
    'name', 'the workspace ' || w.name,
    'role', (SELECT nullif(m.role, 'guest') FROM members m WHERE m.id = $1 AND m.workspace_id = w.id),
    'holders', (SELECT coalesce(jsonb_agg(m.name ORDER BY m.name), '[]') FROM members m
      WHERE m.workspace_id = w.id AND m.role = 'admin' AND m.status = 'active'))
  FROM workspaces w WHERE w.id = $2)""",
    SubjectKind.TEAM: """(SELECT jsonb_build_object('kind', 'team', 'name', 'the team ' || s.name,
    'role', {role:team_members.team_id}, 'holders', {holders:team_members.team_id})
  FROM teams s WHERE s.id = {id} AND s.workspace_id = $2)""",
    SubjectKind.PROJECT: """(SELECT jsonb_build_object('kind', 'project', 'name', 'the project ' || s.name,
    'role', {role:project_members.project_id}, 'holders', {holders:project_members.project_id})
  FROM projects s WHERE s.id = {id} AND s.workspace_id = $2)""",
    SubjectKind.TASK: """(SELECT jsonb_build_object('kind', 'task', 'name', 'the project ' || s.name,
    'role', {role:project_members.project_id}, 'holders', {holders:project_members.project_id})
  FROM tasks t JOIN projects s ON s.id = t.project_id WHERE t.id = {id} AND t.workspace_id = $2)""",
    SubjectKind.CHANNEL: """(SELECT jsonb_build_object('kind', 'channel', 'name', '#' || s.name,
    'role', {role:channel_members.channel_id}, 'holders', {holders:channel_members.channel_id},
    'channel', s.kind)
  FROM channels s WHERE s.id = {id} AND s.workspace_id = $2)""",
    SubjectKind.CONVERSATION: """(SELECT jsonb_build_object('kind', 'conversation',
    'name', coalesce('the group ' || nullif(s.name, ''), peer.name, 'this conversation'),
    'role', (SELECT 'member' FROM conversation_members x
      WHERE x.conversation_id = s.id AND x.member_id = $1),
    'conversation', s.kind, 'peer', peer.status)
  FROM conversations s LEFT JOIN LATERAL (
    SELECT a.name, CASE WHEN a.active THEN 'active' ELSE 'deactivated' END AS status
      FROM agents a WHERE a.id = s.agent_id
    UNION ALL SELECT m.name, m.status
      FROM conversation_members x JOIN members m ON m.id = x.member_id
      WHERE x.conversation_id = s.id AND x.member_id <> $1 AND s.agent_id IS NULL
    LIMIT 1
  ) peer ON s.kind = 'dm'
  WHERE s.id = {id} AND s.workspace_id = $2)""",
    SubjectKind.MEMBER: """(SELECT jsonb_build_object('kind', 'member', 'name', s.name,
    'mine', s.id = $1, 'peer', s.status)
  FROM members s WHERE s.id = {id} AND s.workspace_id = $2)""",
    SubjectKind.DOC: """(SELECT jsonb_build_object('kind', 'doc', 'name', '“' || s.title || '”',
    'visibility', s.visibility, 'mine', s.owner_id = $1,
    'role', CASE
      WHEN s.visibility = 'private' THEN NULL
      WHEN s.visibility = 'project' OR (s.visibility = 'workspace' AND s.project_id IS NOT NULL) THEN
        (SELECT x.role FROM project_members x WHERE x.project_id = s.project_id AND x.member_id = $1)
      WHEN s.visibility = 'team' OR s.team_id IS NOT NULL THEN
        (SELECT x.role FROM team_members x WHERE x.team_id = s.team_id AND x.member_id = $1)
      ELSE (SELECT nullif(m.role, 'guest') FROM members m WHERE m.id = $1 AND m.workspace_id = $2)
    END)
  FROM docs s WHERE s.id = {id} AND s.workspace_id = $2)""",
    SubjectKind.REMINDER: """(SELECT jsonb_build_object('kind', 'reminder', 'name', 'this reminder',
    'mine', s.member_id = $1)
  FROM reminders s WHERE s.id = {id} AND s.workspace_id = $2)""",
    SubjectKind.JOB: """(SELECT jsonb_build_object('kind', 'job', 'name', 'this work',
    'mine', s.member_id = $1,
    'holders', (SELECT coalesce(jsonb_agg(m.name ORDER BY m.name), '[]') FROM members m
      WHERE m.workspace_id = $2 AND m.status = 'active' AND (m.id = s.member_id OR m.role = 'admin')))
  FROM jobs s WHERE s.id = {id} AND s.workspace_id = $2)""",
}

_PROPOSABLE = [write for write in WRITES.values() if not write.by_hand]

_REQUEST = """(SELECT jsonb_build_object('kind', '{kind}', 'name', 'this request',
    'mine', j.member_id = $1, 'named', r.member_id = $1,
    'holders', (SELECT coalesce(jsonb_agg(m.name ORDER BY m.name), '[]') FROM members m
      WHERE m.workspace_id = $2 AND m.status = 'active' AND m.id IN (j.member_id, r.member_id)),
    'approval', r.kind = 'approval',
    'act', CASE a.tool {acts} END,
    'target', CASE {targets} END)
  FROM requests r JOIN jobs j ON j.id = r.job_id AND j.workspace_id = $2
  LEFT JOIN actions a ON a.request_id = r.id AND a.workspace_id = $2
  WHERE {which} AND r.workspace_id = $2)"""


_QUESTION = """(SELECT jsonb_build_object('kind', 'question', 'name', 'this question',
    'mine', j.member_id = $1, 'named', r.member_id = $1,
    'holders', (SELECT coalesce(jsonb_agg(m.name ORDER BY m.name), '[]') FROM members m
      WHERE m.workspace_id = $2 AND m.status = 'active' AND m.id IN (j.member_id, r.member_id)))
  FROM requests r JOIN jobs j ON j.id = r.job_id AND j.workspace_id = $2
  WHERE r.id = $3 AND r.workspace_id = $2 AND r.kind = 'question')"""


def _spelled(kind: SubjectKind, id: str) -> str:
    text = _SUBJECTS[kind]
    for word, shape in (("role", _ROLE), ("holders", _HOLDERS)):
        head, mark, rest = text.partition(f"{{{word}:")
        if mark:
            place, _, tail = rest.partition("}")
            membership, _, column = place.partition(".")
            text = head + shape.format(membership=membership, column=column, target="s.id") + tail
    return text.replace("{id}", id)


def _request(kind: SubjectKind, which: str) -> str:
    return (
        _REQUEST.replace("{kind}", kind)
        .replace("{which}", which)
        .replace("{acts}", " ".join(f"WHEN '{w.name}' THEN '{w.act}'" for w in _PROPOSABLE))
        .replace("{targets}", " ".join(_targets()))
    )


def _targets() -> Iterator[str]:
    """Yield one branch for all the writes that name the same kinds of subject in the same arguments."""
    alike: dict[tuple[tuple[tuple[str, SubjectKind], ...], bool], list[str]] = {}
    for write in _PROPOSABLE:
        alike.setdefault((write.subjects, write.or_workspace), []).append(f"'{write.name}'")
    for (subjects, or_workspace), names in alike.items():
        yield f"WHEN a.tool IN ({', '.join(names)}) THEN {_target(subjects, or_workspace)}"


def _target(subjects: tuple[tuple[str, SubjectKind], ...], or_workspace: bool) -> str:
    branches = []
    for argument, kind in subjects:
        value = f"(a.arguments->>'{argument}')"
        # What is stored was validated; were it not, a bad id is no subject rather than an error for everybody.
        target = _spelled(kind, f"(CASE WHEN {value} ~ '{_UUID}' THEN {value} END)::uuid")
        branches.append(f"WHEN {value} IS NOT NULL THEN {target}")
    workspace = _SUBJECTS[SubjectKind.WORKSPACE]
    if not branches:
        return workspace
    return f"CASE {' '.join(branches)} {f'ELSE {workspace}' if or_workspace else ''} END"


def _statement(subject: str) -> str:
    return f"SELECT {_WHO} AS person, {subject} AS subject"


_STATEMENTS = {kind: _statement(_spelled(kind, "$3")) for kind in _SUBJECTS} | {
    SubjectKind.REQUEST: _statement(_request(SubjectKind.REQUEST, "r.id = $3")),
    SubjectKind.QUESTION: _statement(_QUESTION),
    SubjectKind.ACTION: _statement(_request(SubjectKind.ACTION, "a.id = $3")),
}


async def load(
    connection: Hot, workspace_id: UUID, member_id: UUID, kind: SubjectKind, subject_id: UUID | None
) -> Facts:
    """Return what is known of the member and the subject, in one statement.

    The workspace as a subject needs no id, and every other kind is not there without one. Raises what
    asyncpg raises when the database can't be asked.
    """
    statement = _STATEMENTS[kind]
    given = [] if kind is SubjectKind.WORKSPACE else [subject_id]
    row = await connection.fetchrow(statement, member_id, workspace_id, *given)
    assert row is not None  # a SELECT without FROM
    return Facts(
        msgspec.convert(row["person"], Person | None),
        msgspec.convert(row["subject"], Subject | None),
    )
