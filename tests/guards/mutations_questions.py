"""Breaks the question, the matching and the secrets rules one by one; each break must be seen by a test."""

_QUESTIONS = "libs/common/src/handraise/common/questions"
_SECRETS = "libs/common/src/handraise/common/secrets"
_UNIT = "tests/unit/common"

# (name, path, source as it is, source as it must not be, test that must then fail)
MUTATIONS: list[tuple[str, str, str, str, str]] = [
    (
        "render leaves a free question's list unescaped",
        f"{_QUESTIONS}/_codec.py",
        r'return f"{head}{gap}1\\{tail[1:]}" if _list_of(head, tail) is not None else question.text',
        "return question.text",
        f"{_UNIT}/test_questions.py::test_every_question_is_read_back_as_it_was_written",
    ),
    (
        "parse takes more than one spelling of a question",
        f"{_QUESTIONS}/_codec.py",
        r're.compile(r"1(\\*)\. ")',
        r're.compile(r"0?1(\\*)\. ")',
        f"{_UNIT}/test_questions.py::test_every_text_that_is_read_is_the_only_spelling_of_its_question",
    ),
    (
        "a question may carry a byte that the database can't hold",
        f"{_QUESTIONS}/_question.py",
        '    "Cc": "a control character",\n',
        "",
        f"{_UNIT}/test_questions.py::test_what_could_not_survive_the_trip_is_refused_with_its_reason",
    ),
    (
        "options that fold to one another are taken",
        f"{_QUESTIONS}/_forms.py",
        "if (other := owner.setdefault(key, position)) != position:",
        "if option in options[: position - 1] and (other := owner.setdefault(key, position)):",
        f"{_UNIT}/test_questions.py::test_options_that_a_reply_could_not_tell_apart_are_refused",
    ),
    (
        "what somebody else said is taken for the answer",
        f"{_QUESTIONS}/_matching.py",
        'if not collapse(line).startswith(">")',
        "if True",
        f"{_UNIT}/test_matching.py::test_a_reply_that_is_an_option_is_that_option",
    ),
    (
        "a number that is a value is taken for a position",
        f"{_QUESTIONS}/_matching.py",
        "(None if numbers_only(keys) else bare)",
        "bare",
        f"{_UNIT}/test_matching.py::test_a_number_names_a_position_only_where_it_can_mean_nothing_else",
    ),
    (
        "a cancel is recorded as a decline",
        f"{_QUESTIONS}/_matching.py",
        "return Answer(Outcome.CANCEL, None, reply)",
        "return Answer(Outcome.DECLINE, None, reply)",
        f"{_UNIT}/test_matching.py::test_a_whole_phrase_cancels",
    ),
    (
        "a doubtful reply chooses",
        f"{_QUESTIONS}/_matching.py",
        "return fold(collapsed) if",
        "return fold(collapsed, doubt=False) if",
        f"{_UNIT}/test_matching.py::test_any_other_reply_is_a_free_answer_byte_for_byte",
    ),
    (
        "a free answer is tidied up",
        f"{_QUESTIONS}/_matching.py",
        "    if key is None:\n        return Answer(Outcome.ACCEPT, None, reply)",
        "    reply = reply.strip()\n    if key is None:\n        return Answer(Outcome.ACCEPT, None, reply)",
        f"{_UNIT}/test_matching.py::test_every_reply_is_kept_as_written_and_has_an_option_only_by_accept",
    ),
    (
        "options are not searched for secrets",
        f"{_SECRETS}/_judge.py",
        "if (found := _offered(option, named)) is not None:",
        "if (found := None) is not None:",
        f"{_UNIT}/test_secrets.py::test_an_option_may_not_offer_to_hand_a_secret_over",
    ),
    (
        "a word spelled with gaps gets past",
        f"{_SECRETS}/_plain.py",
        "text = _SPACED.sub(_joined, text)",
        "text = str(text)",
        f"{_UNIT}/test_secrets.py::test_a_disguise_does_not_get_a_secret_past",
    ),
    (
        "naming a secret is taken for asking",
        f"{_SECRETS}/_judge.py",
        'return found is not None and not ASIDE.intersection(_last(found["gap"]))',
        "return found is not None",
        f"{_UNIT}/test_secrets.py::test_secrets_are_caught_and_near_misses_let_through",
    ),
]
