"""What a tool tells a model, what it makes of the answer, and what an approval is bound to."""

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handraise.common.ids import new_id
from handraise.workspace.actions import WRITES
from handraise.workspace.actions.wording import said
from handraise.workspace.policy import RULES, SubjectKind
from handraise.workspace.tools import REGISTRY, InvalidArguments, Tool, digest, validate
from handraise.workspace.tools.reads import Nothing
from handraise.workspace.views.search_terms import query_of

ID = str(new_id())
_json = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def test_the_tools_that_write_are_the_writes_that_are_not_by_hand_alone() -> None:
    writing = {name for name, tool in REGISTRY.items() if not tool.read_only}
    assert writing == {name for name, write in WRITES.items() if not write.by_hand}
    for name in writing:
        assert (REGISTRY[name].act, REGISTRY[name].arguments) == (WRITES[name].act, WRITES[name].arguments)


def test_a_write_finds_what_it_is_done_to_in_its_arguments() -> None:
    for write in WRITES.values():
        for argument, kind in write.subjects:
            assert argument in write.arguments.__struct_fields__
            assert kind in RULES[write.act].on
        assert write.subjects or write.subject_of or SubjectKind.WORKSPACE in RULES[write.act].on
        assert not write.or_workspace or SubjectKind.WORKSPACE in RULES[write.act].on


def test_a_tool_either_runs_or_is_shown() -> None:
    with pytest.raises(TypeError, match="must either run or be shown"):
        Tool(name="x", description="", arguments=Nothing, act=REGISTRY["list_projects"].act)


@pytest.mark.parametrize("tool", REGISTRY.values(), ids=lambda tool: tool.name)
def test_a_tool_tells_a_model_all_it_needs_in_one_piece(tool: Tool) -> None:
    schema = tool.schema
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert b"$ref" not in msgspec.json.encode(schema)
    assert all("description" in value or value.get("anyOf") for value in schema["properties"].values())
    assert tool.description.endswith(".")
    assert set(schema["required"]) <= set(schema["properties"])


@pytest.mark.parametrize(
    ("tool", "arguments", "reason"),
    [
        ("update_task_status", {"task_id": "ATL-118", "status": "done"}, "“ATL-118” is none. Look it up with"),
        ("update_task_status", {"task_id": ID, "status": "closed"}, "done, in_progress, in_review, todo"),
        ("update_task_status", {"task_id": ID}, "needs “status”"),
        ("update_task_status", {"task_id": ID, "status": "done", "x": 1}, "no argument “x”; it takes status, task_id"),
        ("update_task_status", {"task_id": 7, "status": "done"}, "task_id: expected `uuid`"),
        ("create_task", {"project_id": ID, "title": 7}, "title: expected `str`"),
        ("create_task", {"project_id": ID, "title": "a\x00b"}, "can't be stored"),
        ("create_task", {"project_id": ID, "title": "a\ud800b"}, "can't be stored"),
        ("create_task", {"project_id": ID, "title": "a", "due_at": "2026-11-05T10:00:00"}, "has no time zone"),
        ("create_task", {"project_id": ID, "title": "a", "due_at": "soon"}, "must be a date and time like"),
        ("summarize_channel", {"channel": "general", "limit": 201}, "limit: expected `int` <= 200"),
        ("summarize_channel", {"channel": "general", "limit": 0}, "limit: expected `int` >= 1"),
        ("list_projects", {"all": True}, "no argument “all”; it takes none"),
        ("list_projects", [], "must be a JSON object"),
    ],
)  # fmt: skip
def test_arguments_that_fit_nothing_are_explained(tool: str, arguments: Any, reason: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        validate(REGISTRY[tool], arguments)
    assert reason in str(caught.value)


@given(
    st.dictionaries(st.sampled_from(["task_id", "status", "title", "project_id", "due_at", "limit"]), _json)
)
def test_whatever_a_model_writes_it_is_told_so_or_it_fits(arguments: dict[str, Any]) -> None:
    for name in ("update_task_status", "create_task", "summarize_channel"):
        told, made = "", None
        try:
            made = validate(REGISTRY[name], arguments)
        except InvalidArguments as error:
            told = str(error)
        assert isinstance(made, REGISTRY[name].arguments) or name in told


def test_a_number_that_is_written_as_a_word_is_read() -> None:
    made = validate(REGISTRY["summarize_channel"], {"channel": "general", "limit": "30"})
    assert msgspec.to_builtins(made) == {"channel": "general", "limit": 30}


@given(st.dictionaries(st.text(max_size=5), _json, max_size=5))
def test_a_digest_does_not_depend_on_the_order_of_keys(arguments: dict[str, Any]) -> None:
    turned = dict(reversed(arguments.items()))
    assert digest("create_task", arguments) == digest("create_task", turned)


@given(_json, _json)
def test_other_arguments_or_another_tool_have_another_digest(one: Any, other: Any) -> None:
    same = msgspec.json.encode(one, order="deterministic") == msgspec.json.encode(
        other, order="deterministic"
    )
    assert (digest("create_task", {"x": one}) == digest("create_task", {"x": other})) is same
    assert digest("create_task", {"x": one}) != digest("create_doc", {"x": one})


def test_a_digest_stays_what_it_was() -> None:
    arguments = validate(REGISTRY["update_task_status"], {"status": "done", "task_id": "0" * 32})
    expected = "04a88e"
    assert digest("update_task_status", arguments)[:6] == expected
    assert digest("update_task_status", msgspec.to_builtins(arguments))[:6] == expected


@given(st.text(max_size=40))
def test_a_query_has_a_term_for_each_word_with_a_letter_or_digit(query: str) -> None:
    wanted = [word for word in query.split() if any(map(str.isalnum, word))]
    found = query_of(query)
    made = found.words if found else None
    assert (made is None) is (wanted == [])
    for word in wanted[:12]:
        assert made is not None
        assert "'" + word.replace("\\", "\\\\").replace("'", "''") + "':*" in made


def test_a_moment_is_said_in_its_zone_and_an_unknown_zone_is_utc() -> None:
    moment = datetime(1999, 11, 5, 9, 0, tzinfo=UTC)
    assert said(moment, "Europe/Berlin") == "Fri 5 Nov 1999, 10:00"
    assert said(moment, "Mars/Olympus") == "Fri 5 Nov 1999, 09:00"
    assert said(None, "Europe/Berlin") == "none"
