-- The named statements of a job's path. Each is one round trip and one transaction of its own: rows that
-- follow are inserted from what the guarded update returned, so that a duplicate inserts nothing. A part stands
-- for {its name} in any of them. `$1` names what a statement is about, and comes back as `key`: statements of one
-- name that are asked for at the same time run in one transaction, and that tells their rows apart.

-- name: job_in
-- The message that starts a job, and the job. The gateway calls it with 'queued', a runner with 'running';
-- whoever comes first inserts. Returns the job to the runner that may work on it now, else nothing.
WITH message AS (
    INSERT INTO messages (id, workspace_id, surface, place_id, thread_id, author_id, job_id, kind, body, created_at)
    VALUES ($3, $2, $6, $7, nullif($8::uuid, $3::uuid), $5, $1, 'text', $9, $10)
    ON CONFLICT (id) DO NOTHING
), job AS (
    INSERT INTO jobs (id, workspace_id, message_id, agent_id, member_id, surface, place_id, thread_id,
                      prompt, created_at, status, fence, cause, epoch, started_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
            CASE WHEN $11 = 'running' THEN $3 END, CASE WHEN $11 = 'running' THEN 1 ELSE 0 END,
            CASE WHEN $11 = 'running' THEN now() END)
    ON CONFLICT (id) DO UPDATE
    SET status = 'running', cause = excluded.cause, epoch = jobs.epoch + 1,
        started_at = coalesce(jobs.started_at, now())
    WHERE excluded.status = 'running'
      AND (jobs.status = 'queued' OR (jobs.status = 'running' AND jobs.cause = excluded.cause))
    RETURNING *
), noted AS (
    INSERT INTO audit (id, workspace_id, tag, actor_id, as_id, agent_id, job_id, subject_kind, subject_id, verdict, trace_id)
    SELECT $13, workspace_id, 'job:start', member_id, member_id, agent_id, id, 'job', id, 'allowed', $14
    FROM job WHERE epoch = 1 AND status = 'running'
)
SELECT id AS key, status, epoch, rounds, fence, stop_by FROM job WHERE $11 = 'running';

-- name: job_state
SELECT id AS key, id, workspace_id, agent_id, member_id, surface, place_id, thread_id, message_id, prompt, status,
       reason, final, rounds, waiting, cause, epoch, fence, stop_by, created_at, version
FROM jobs WHERE id = $1;

-- name: keep_round
-- A round whose calls were all reads. Nothing is returned when the job is another runner's by now.
WITH job AS (
    UPDATE jobs SET rounds = $3 WHERE id = $1 AND epoch = $2 AND status = 'running' AND rounds = $3 - 1
    RETURNING id, workspace_id, stop_by
), round AS (
    INSERT INTO rounds (job_id, number, workspace_id, reply, calls, model, input_tokens, output_tokens, latency_us)
    SELECT id, $3, workspace_id, $4, $5, $6, $7, $8, $9 FROM job
)
SELECT id AS key, stop_by FROM job;

-- name: park
-- The round that asks or proposes, its requests and actions, and the job that waits for them. Nothing is
-- returned when the job is another runner's by now, or somebody wants it stopped.
WITH job AS (
    UPDATE jobs SET status = 'parked', rounds = $3, waiting = jsonb_array_length($10::jsonb)
    WHERE id = $1 AND epoch = $2 AND status = 'running' AND rounds = $3 - 1 AND stop_by IS NULL
    RETURNING id, workspace_id, agent_id, member_id, surface, place_id, thread_id
), round AS (
    INSERT INTO rounds (job_id, number, workspace_id, reply, calls, model, input_tokens, output_tokens, latency_us)
    SELECT id, $3, workspace_id, $4, $5, $6, $7, $8, $9 FROM job
), asked AS (
    INSERT INTO requests (id, workspace_id, job_id, round, call, kind, agent_id, member_id, surface, place_id,
                          thread_id, text, expires_at)
    SELECT r.id, job.workspace_id, job.id, $3, r.call, r.kind, job.agent_id,
           coalesce(r.member_id, job.member_id), job.surface,
           job.place_id, job.thread_id, r.text, $11
    FROM job, jsonb_to_recordset($10::jsonb) AS r(id uuid, call int, kind text, text text, member_id uuid)
), proposed AS (
    INSERT INTO actions (id, workspace_id, job_id, request_id, tool, arguments, digest, preview)
    SELECT a.action_id, job.workspace_id, job.id, a.id, a.tool, a.arguments, a.digest, a.preview
    FROM job, jsonb_to_recordset($10)
         AS a(id uuid, action_id uuid, tool text, arguments jsonb, digest text, preview jsonb)
    WHERE a.action_id IS NOT NULL
), noted AS (
    INSERT INTO audit (id, workspace_id, tag, as_id, agent_id, job_id, subject_kind, subject_id, verdict, trace_id)
    SELECT r.audit_id, job.workspace_id,
           CASE r.kind WHEN 'question' THEN 'request:ask' ELSE 'action:propose' END,
           job.member_id, job.agent_id, job.id, 'request', r.id, 'allowed', $12
    FROM job, jsonb_to_recordset($10::jsonb) AS r(id uuid, audit_id uuid, kind text)
)
SELECT id AS key FROM job;

-- name: wake
-- The outcome of a request, once, and the answer as the person's own message where it was not typed there. The job runs again when nothing else is outstanding, or when it is to be
-- stopped; a confirmed action stays outstanding until it has run. With a job that runs comes its transcript, as
-- it stood before: what this statement changes is known to whoever calls it.
WITH request AS (
    UPDATE requests SET status = $2, option = $3, answer = $4, answered_by = $5, answered_at = $6, answered_from = $7
    WHERE id = $1 AND status = 'open'
    RETURNING *
), action AS (
    UPDATE actions
    SET status = CASE $2 WHEN 'accepted' THEN 'confirmed' WHEN 'declined' THEN 'rejected'
                         WHEN 'expired' THEN 'expired' ELSE 'cancelled' END,
        reason = CASE WHEN $2 = 'declined' THEN nullif($4, '') END, decided_by = $5, decided_at = $6
    FROM request WHERE actions.request_id = request.id AND actions.status = 'proposed'
    RETURNING actions.id, actions.digest
), job AS (
    UPDATE jobs
    SET waiting = CASE WHEN request.kind = 'approval' AND $2 = 'accepted' THEN waiting ELSE waiting - 1 END,
        status = CASE WHEN $2 = 'cancelled' THEN 'running'
                      WHEN request.kind = 'approval' AND $2 = 'accepted' THEN jobs.status
                      WHEN waiting <= 1 THEN 'running' ELSE jobs.status END,
        cause = $1, epoch = epoch + 1
    FROM request WHERE jobs.id = request.job_id AND jobs.status = 'parked'
    RETURNING jobs.*
), said AS (
    INSERT INTO messages (id, workspace_id, surface, place_id, thread_id, author_id, job_id, request_id, kind, body,
                          created_at)
    SELECT $10, workspace_id, surface, place_id, CASE WHEN surface = 'channel_thread' THEN thread_id END, $5, job_id,
           id, 'answer', coalesce($3, $4), $6
    FROM request
    WHERE kind = 'question' AND $2 = 'accepted' AND $7 <> 'thread' AND $5 IS NOT NULL
), noted AS (
    INSERT INTO audit (id, workspace_id, tag, actor_id, as_id, agent_id, job_id, subject_kind, subject_id, verdict,
                       reason, trace_id)
    SELECT $8, request.workspace_id,
           CASE request.kind WHEN 'question' THEN 'request:' ELSE 'action:' END
             || CASE $2 WHEN 'accepted' THEN CASE request.kind WHEN 'question' THEN 'answer' ELSE 'confirm' END
                        WHEN 'declined' THEN CASE request.kind WHEN 'question' THEN 'decline' ELSE 'reject' END
                        WHEN 'cancelled' THEN 'cancel' ELSE 'expire' END,
           $5, request.member_id, request.agent_id, request.job_id, 'request', request.id, 'allowed', $7, $9
    FROM request
)
SELECT request.id AS key, job.id, job.workspace_id, job.agent_id, job.member_id, job.surface, job.place_id,
       job.thread_id, job.message_id, job.prompt, job.status, job.reason, job.final, job.rounds, job.waiting, job.cause,
       job.epoch, job.fence, job.stop_by, job.created_at, job.version,
       request.kind AS request_kind, request.member_id AS asked, action.id AS action_id, action.digest AS action_digest,
       CASE WHEN job.status = 'running' THEN {rounds_of_job} END AS told_rounds,
       CASE WHEN job.status = 'running' THEN {requests_of_job} END AS told_requests
FROM job JOIN request ON true LEFT JOIN action ON true;

-- name: take_over
-- A runner takes a job over that this same cause had set running before its runner was lost.
UPDATE jobs SET epoch = epoch + 1 WHERE id = $1 AND status = 'running' AND cause = $2
RETURNING id AS key, id, workspace_id, agent_id, member_id, surface, place_id, thread_id, message_id, prompt, status,
          reason, final, rounds, waiting, cause, epoch, fence, stop_by, created_at, version;

-- name: request_state
SELECT r.id AS key, r.id, r.job_id, r.member_id, r.kind, r.status, r.text, r.option, r.answer, r.answered_by, r.answered_at, r.answered_from,
       r.expires_at, a.id AS action_id, a.status AS action_status, a.digest
FROM requests r LEFT JOIN actions a ON a.request_id = r.id WHERE r.id = $1;

-- name: action_state
SELECT a.id AS key, a.id, a.job_id, a.request_id, a.tool, a.arguments, a.digest, a.preview, a.status, a.reason, a.receipt,
       a.decided_by, j.agent_id, j.member_id
FROM actions a JOIN jobs j ON j.id = a.job_id WHERE a.id = $1;

-- name: settle
-- What came of a confirmed action, once, with its receipt, in the transaction of the write itself. The job
-- runs again when nothing else is outstanding.
WITH action AS (
    UPDATE actions SET status = $2, reason = $3, receipt = $4, executed_at = now()
    WHERE id = $1 AND status = 'confirmed'
    RETURNING *
), job AS (
    UPDATE jobs
    SET waiting = waiting - 1, status = CASE WHEN waiting <= 1 THEN 'running' ELSE jobs.status END,
        cause = $1, epoch = epoch + 1
    FROM action WHERE jobs.id = action.job_id AND jobs.status = 'parked'
    RETURNING jobs.*
)
SELECT job.id, job.workspace_id, job.agent_id, job.member_id, job.surface, job.place_id, job.thread_id,
       job.message_id, job.prompt, job.status, job.reason, job.final, job.rounds, job.waiting, job.cause, job.epoch,
       job.fence, job.stop_by, job.created_at, job.version
FROM action LEFT JOIN job ON true;

-- name: transcript
-- All that a resumed job needs to go on: its rounds, and what came of what they asked and proposed.
SELECT job.id AS key, {rounds_of_job} AS told_rounds, {requests_of_job} AS told_requests FROM jobs job WHERE job.id = $1;

-- part: rounds_of_job
(SELECT coalesce(jsonb_agg(jsonb_build_object('number', t.number, 'reply', t.reply, 'calls', t.calls)
                           ORDER BY t.number), '[]')
 FROM rounds t WHERE t.job_id = job.id)

-- part: requests_of_job
(SELECT coalesce(jsonb_agg(jsonb_build_object(
            'id', r.id, 'round', r.round, 'call', r.call, 'kind', r.kind, 'text', r.text, 'status', r.status,
            'member_id', r.member_id, 'option', r.option, 'answer', r.answer, 'expires_at', r.expires_at,
            'tool', a.tool, 'digest', a.digest, 'action_id', a.id, 'action_status', a.status, 'reason', a.reason,
            'receipt', a.receipt) ORDER BY r.round, r.call), '[]')
 FROM requests r LEFT JOIN actions a ON a.request_id = r.id WHERE r.job_id = job.id)

-- name: finish
-- The end of a job, with its last round where there is one. What was still open closes with it.
WITH job AS (
    UPDATE jobs SET status = $3, reason = $4, final = $15, finished_at = now(), waiting = 0,
                    rounds = CASE WHEN $6::text IS NULL THEN rounds ELSE $5 END
    WHERE id = $1 AND epoch = $2 AND status = 'running'
    RETURNING id, workspace_id, agent_id, member_id
), round AS (
    INSERT INTO rounds (job_id, number, workspace_id, reply, calls, model, input_tokens, output_tokens, latency_us)
    SELECT id, $5, workspace_id, $6, $7, $8, $9, $10, $11 FROM job WHERE $6::text IS NOT NULL
    ON CONFLICT DO NOTHING
), closed AS (
    UPDATE requests SET status = 'cancelled', answered_by = $12, answered_at = now()
    FROM job WHERE requests.job_id = job.id AND requests.status = 'open'
    RETURNING requests.id
), withdrawn AS (
    UPDATE actions SET status = 'cancelled'
    FROM job WHERE actions.job_id = job.id AND actions.status IN ('proposed', 'confirmed')
), noted AS (
    INSERT INTO audit (id, workspace_id, tag, actor_id, as_id, agent_id, job_id, subject_kind, subject_id, verdict,
                       reason, trace_id)
    SELECT $13, workspace_id, 'job:' || CASE $3 WHEN 'done' THEN 'done' WHEN 'stopped' THEN 'stop' ELSE 'fail' END,
           $12, member_id, agent_id, id, 'job', id, CASE $3 WHEN 'failed' THEN 'failed' ELSE 'allowed' END, $4, $14
    FROM job
)
SELECT id AS key, (SELECT coalesce(array_agg(id), '{}') FROM closed) AS closed FROM job;

-- name: stop
-- Somebody wants a job stopped. Holds also when no runner has it.
UPDATE jobs SET stop_by = $2 WHERE id = $1 AND status IN ('queued', 'running', 'parked')
RETURNING id AS key, status, (SELECT array_agg(id) FROM requests WHERE job_id = $1 AND status = 'open') AS open;

-- name: post
-- Messages of agents and records, each once.
INSERT INTO messages (id, workspace_id, surface, place_id, thread_id, author_id, agent_id, job_id, request_id,
                      kind, body, created_at)
SELECT m.id, $1, m.surface, m.place_id, m.thread_id, m.author_id, m.agent_id, m.job_id, m.request_id, m.kind,
       m.body, m.created_at
FROM jsonb_to_recordset($2) AS m(id uuid, surface text, place_id uuid, thread_id uuid, author_id uuid,
     agent_id uuid, job_id uuid, request_id uuid, kind text, body text, created_at timestamptz)
ON CONFLICT (id) DO NOTHING;

-- name: briefing
SELECT a.handle, a.name, a.instructions, a.tools, a.max_rounds, a.request_ttl, a.active,
       m.name AS member_name, m.handle AS member_handle, m.timezone, m.status AS member_status,
       w.name AS workspace_name
FROM agents a, members m, workspaces w WHERE a.id = $1 AND m.id = $2 AND w.id = a.workspace_id;

-- name: say
-- What a person wrote, that starts no job. Nothing twice under the same id.
WITH message AS (
    INSERT INTO messages (id, workspace_id, surface, place_id, thread_id, author_id, request_id, kind, body, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, 'text', $8, $9)
    ON CONFLICT (id) DO NOTHING
    RETURNING id, workspace_id
)
INSERT INTO audit (id, workspace_id, tag, actor_id, as_id, subject_kind, subject_id, verdict, trace_id)
SELECT $10, workspace_id, $11, $6, $6, 'message', id, 'allowed', $12 FROM message;

-- name: open_questions
-- The questions that wait for this member in one thread or place.
SELECT id, job_id, text FROM requests
WHERE place_id = $1 AND status = 'open' AND kind = 'question' AND ($3::uuid IS NULL OR thread_id = $3)
  AND (member_id = $2 OR EXISTS (SELECT 1 FROM jobs WHERE jobs.id = requests.job_id AND jobs.member_id = $2))
ORDER BY created_at;
