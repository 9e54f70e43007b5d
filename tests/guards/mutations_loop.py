"""Ways to break the main job: what is asked once, answered once, executed once, stopped, and kept from others."""

_COMMON = "libs/common/src/handraise/common"
_JOBS = "libs/workspace/src/handraise/workspace/jobs"
_RUNNER = "services/agent-runner/src/handraise/runner"
_GATEWAY = "services/gateway/src/handraise/gateway"
_NOTIFIER = "services/notifier/src/handraise/notifier"
_TESTS = "tests/integration"

MUTATIONS = [
    (
        "a second answer is taken as well",
        f"{_COMMON}/parking.py",
        '                "Nats-Expected-Last-Subject-Sequence": str(seq),\n'
        '                "Nats-Expected-Last-Subject-Sequence-Subject": subject,\n',
        "",
        f"{_TESTS}/bus/test_parking.py::test_of_many_answers_at_once_exactly_one_is_taken",
    ),
    (
        "an answer leaves the clock running",
        f"{_COMMON}/parking.py",
        '                "Nats-Scheduler": subject,\n                "Nats-Schedule-Next": "purge",\n',
        "",
        f"{_TESTS}/bus/test_parking.py::test_an_answer_wakes_at_once_and_ends_the_schedule",
    ),
    (
        "a message is acknowledged before it is handled",
        f"{_COMMON}/bus/consume.py",
        "        await _outlasting(handler, message, delivery, consumer)\n        await raw.ack()\n",
        "        await raw.ack()\n        await _outlasting(handler, message, delivery, consumer)\n",
        f"{_TESTS}/bus/test_consume.py::test_a_handler_that_raises_gets_it_again_and_it_is_acked_only_after",
    ),
    (
        "what fails to the last is dropped",
        f"{_COMMON}/bus/consume.py",
        'await bus.publish(dlq(raw.subject), letter, id=f"dlq.{consumer}.{delivery.seq}")',
        "assert letter and dlq",
        f"{_TESTS}/bus/test_consume.py::test_what_fails_to_the_last_goes_to_the_dead_letters_whole",
    ),
    (
        "nobody says that a long handler lives",
        f"{_COMMON}/bus/consume.py",
        "await self._raw.in_progress()",
        "await asyncio.sleep(0)",
        f"{_TESTS}/bus/test_consume.py::test_a_long_handler_says_that_it_lives_and_gets_its_message_once",
    ),
    (
        "the same id is stored again",
        f"{_COMMON}/bus/publish.py",
        ', "Nats-Msg-Id": id}',
        "}",
        f"{_TESTS}/bus/test_topology.py::test_the_same_id_is_stored_once",
    ),
    (
        "a message with unknown fields is read as if it had none",
        f"{_COMMON}/bus/messages.py",
        "class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):",
        "class Message(msgspec.Struct, frozen=True, kw_only=True):",
        "tests/contract/bus/test_messages.py::test_another_version_or_an_unknown_field_is_not_taken_for_it",
    ),
    (
        "what is asked for between two groups is left lying",
        f"{_COMMON}/gather.py",
        "            self._under_way.discard(asyncio.current_task())",
        "            asyncio.get_running_loop().call_soon(self._under_way.discard, asyncio.current_task())",
        "tests/unit/common/test_gather.py::test_whoever_asks_again_as_soon_as_they_are_answered_is_answered_again",
    ),
    (
        "a runner that lost its job parks it all the same",
        f"{_JOBS}/statements.sql",
        "epoch = $2 AND status = 'running' AND rounds = $3 - 1 AND stop_by IS NULL",
        "(epoch = $2 OR true) AND status = 'running' AND rounds = $3 - 1 AND stop_by IS NULL",
        f"{_TESTS}/runner/test_store.py::"
        "test_a_redelivered_run_takes_over_with_a_new_epoch_and_the_old_one_writes_nothing",
    ),
    (
        "a second outcome overwrites the first",
        f"{_JOBS}/statements.sql",
        "    WHERE id = $1 AND status = 'open'\n    RETURNING *\n",
        "    WHERE id = $1\n    RETURNING *\n",
        f"{_TESTS}/runner/test_store.py::test_the_second_wake_of_a_request_changes_nothing",
    ),
    (
        "whoever goes on is told what was so before",
        f"{_JOBS}/store.py",
        "if wake.outcome is not Outcome.CANCEL and any(",
        "if False and any(",
        f"{_TESTS}/runner/test_store.py::"
        "test_whoever_goes_on_is_told_what_was_recorded_while_it_waited_its_turn",
    ),
    (
        "what was approved is not held against what runs",
        f"{_RUNNER}/execute.py",
        'if not (digest(tool, arguments) == action["digest"] == command.digest):',
        "if False:",
        f"{_TESTS}/runner/test_executing.py::test_arguments_that_were_changed_after_the_click_do_not_run",
    ),
    (
        "a write is proposed whatever the judge says",
        f"{_RUNNER}/toolbox.py",
        "        if not ruling.allowed:\n"
        "            raise Declined(ResultStatus.REFUSED, ruling.reason, preview.sentence)\n",
        "        assert ruling\n",
        f"{_TESTS}/runner/test_executing.py::test_what_somebody_may_not_do_by_hand_is_not_even_proposed",
    ),
    (
        "a declined question is asked again",
        f"{_RUNNER}/calls.py",
        "if (before := past.earlier(question)) is not None:",
        'if (before := past.earlier(question)) is not None and before.status != "declined":',
        f"{_TESTS}/runner/test_questions.py::test_what_was_declined_may_not_be_asked_again_in_other_dress",
    ),
    (
        "a request for a secret reaches a person",
        f"{_RUNNER}/calls.py",
        "reason = asks_for_secret(question) or asks_for_lookup_id(question)",
        'reason = ""',
        f"{_TESTS}/runner/test_questions.py::test_a_request_for_a_secret_never_reaches_a_person",
    ),
    (
        "a cancel is taken for a decline",
        f"{_GATEWAY}/answering.py",
        'Answer(Outcome.CANCEL, None, "")',
        'Answer(Outcome.DECLINE, None, "")',
        f"{_TESTS}/runner/test_questions.py::test_a_cancel_stops_the_work_and_asks_the_model_nothing_more",
    ),
    (
        "a model call goes on when its job is stopped",
        f"{_RUNNER}/control.py",
        'if (work := getattr(self, "_work", None)) is not None:',
        'if (work := getattr(self, "_nothing", None)) is not None:',
        f"{_TESTS}/runner/test_stopping.py::test_a_model_call_under_way_is_cut_short",
    ),
    (
        "a change that another site sends is made",
        f"{_GATEWAY}/auth.py",
        "if not isinstance(given, str) or not hmac.compare_digest(given.encode(), who.csrf.encode()):",
        "if False:",
        f"{_TESTS}/gateway/test_sessions.py::test_a_change_by_cookie_needs_its_csrf_token",
    ),
    (
        "a session outlives its time",
        f"{_GATEWAY}/sessions.py",
        "                sessions.c.expires_at > self._clock(),\n",
        "",
        f"{_TESTS}/gateway/test_sessions.py::test_an_expired_session_is_none",
    ),
    (
        "a write is made while nobody can judge",
        f"{_GATEWAY}/state.py",
        "        except JudgeUnavailable as error:\n",
        "        except JudgeUnavailable as error:\n            return\n",
        f"{_TESTS}/gateway/test_outages.py::"
        "test_without_a_judge_nothing_is_written_and_one_is_told_to_try_again",
    ),
    (
        "a thread is shown to whoever knows its id",
        "libs/workspace/src/handraise/workspace/views/api.py",
        "            or_(messages.c.thread_id == thread_id, messages.c.id == thread_id),\n"
        "            exists().where(channels.c.id == channel_id, may_read_channel(member_id)),\n",
        "            or_(messages.c.thread_id == thread_id, messages.c.id == thread_id),\n",
        f"{_TESTS}/gateway/test_walls.py::"
        "test_every_route_answers_what_is_kept_from_a_member_as_what_does_not_exist",
    ),
    (
        "the event stream tells everybody",
        f"{_GATEWAY}/live.py",
        "if not mine and not (message.place and await self._may_see(reader.who, message.place)):",
        "if mine is None:",
        f"{_TESTS}/gateway/test_events.py::test_only_what_one_may_read_is_told",
    ),
    (
        "a refusal does not stand in the thread",
        f"{_NOTIFIER}/posts.py",
        "return [*_notices(event), end]",
        "return [end]",
        f"{_TESTS}/runner/test_executing.py::test_what_somebody_may_not_do_by_hand_is_not_even_proposed",
    ),
    (
        "a final message may ask for a secret",
        f"{_RUNNER}/loop.py",
        "            outcome = _without_secrets(reply, outcome)\n",
        "",
        "tests/integration/runner/test_secrets_in_words.py::"
        "test_a_final_message_that_asks_for_a_secret_is_told_back_and_shown_to_nobody",
    ),
]
