"""Breaks what guards the way a model is spoken with: fence, thinking, inventing, claims, secrets of ours."""

_RUNNER = "services/agent-runner/src/handraise/runner"
_PARSER = f"{_RUNNER}/protocol/parser.py"
_FENCE = f"{_RUNNER}/protocol/fence.py"
_RESULTS = f"{_RUNNER}/protocol/results.py"
_TESTS = "tests/unit/runner"

MUTATIONS: list[tuple[str, str, str, str, str]] = [
    (
        "a disguised tag passes the fence",
        _FENCE,
        "    return name.startswith(_NAMES) or (",
        '    return content[at:].startswith("tool_call>") or (',
        f"{_TESTS}/test_fence.py::test_a_disguised_tag_is_plain_text_inside",
    ),
    (
        "content may hold the fence's own boundary",
        _FENCE,
        'return re.sub(re.escape(self.boundary), "(boundary)", text, flags=re.IGNORECASE)',
        "return text",
        f"{_TESTS}/test_fence.py::test_a_wrapped_content_ends_where_its_fence_ends_and_nowhere_else",
    ),
    (
        "every job has the same boundary",
        _FENCE,
        "return cls(secrets.token_hex(12))",
        'return cls("0123456789abcdef01234567")',
        f"{_TESTS}/test_fence.py::test_boundaries_are_drawn_anew_and_too_long_to_guess",
    ),
    (
        "calls are taken from inside thinking",
        _PARSER,
        "                at = end.end()\n",
        "                at = mark.end()\n",
        f"{_TESTS}/test_protocol_parser.py::test_a_reply_as_models_write_it_is_read_as_meant",
    ),
    (
        "calls are taken from thinking whose start is missing",
        _PARSER,
        "                self.calls.clear()\n",
        "",
        f"{_TESTS}/test_protocol_parser.py::test_no_call_is_taken_from_inside_thinking",
    ),
    (
        "calls are taken from data that the model repeats",
        f"{_RUNNER}/protocol/marks.py",
        r"<<<fence\ (?P<fence>",
        r"<<<opened\ (?P<fence>",
        f"{_TESTS}/test_protocol_parser.py::test_no_call_is_taken_from_inside_an_echoed_fence",
    ),
    (
        "of two equal keys one is silently dropped",
        f"{_RUNNER}/protocol/jsonish.py",
        "    if len(made) != len(pairs):",
        "    if len(made) > len(pairs):",
        f"{_TESTS}/test_protocol_parser.py::test_a_reply_as_models_write_it_is_read_as_meant",
    ),
    (
        "a call that was cut off is completed by guess",
        f"{_RUNNER}/protocol/jsonish.py",
        "        if not self._complete:",
        "        if self._end < 0:",
        f"{_TESTS}/test_protocol_parser.py::test_a_reply_as_models_write_it_is_read_as_meant",
    ),
    (
        "a decline is not told as a refusal",
        _RESULTS,
        '"The person declined to answer. That is a refusal: do not ask this again. "',
        '"There is no answer yet. "',
        f"{_TESTS}/test_protocol_prompt.py::test_a_decline_is_told_as_a_refusal_not_to_be_asked_again",
    ),
    (
        "a person's own words are changed on their way to the model",
        _RESULTS,
        "in their own words:\\n{fence.quote('words', text)}",
        "in their own words:\\n{fence.wrap('words', text)}",
        f"{_TESTS}/test_protocol_prompt.py::test_a_free_answer_reaches_the_model_byte_for_byte",
    ),
    (
        "a claim without a receipt is read by people",
        f"{_RUNNER}/claims.py",
        "        if not claim.verbs <= backed or _names_more(said, receipts):",
        "        if _names_more(said, receipts):",
        f"{_TESTS}/test_claims.py::test_a_sentence_is_a_claim_only_where_it_reports_what_no_receipt_shows",
    ),
    (
        "an endpoint's error message shows the key",
        f"{_RUNNER}/chat/openai.py",
        '            said = said.replace(self._key, "(key)")',
        "            said = said.strip()",
        "tests/contract/runner/test_chat_openai.py::test_a_rejection_says_what_to_check",
    ),
]
