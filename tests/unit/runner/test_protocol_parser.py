"""Reading replies: what models really write is taken, what is unclear is told back, nothing is invented."""

import json
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from handraise.runner.protocol import Call, Reply, parse_reply, render_call
from handraise.runner.protocol.parser import MAX_CALLS, MAX_CHARS

CORPUS = Path(__file__).parents[2] / "corpora" / "replies" / "replies.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in CORPUS.read_text().splitlines()]

storable = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"))
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | storable,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(storable, inner, max_size=4),
    max_leaves=12,
)
calls = st.builds(
    Call,
    tool=st.from_regex(r"[A-Za-z_][A-Za-z0-9_.\-]{0,30}", fullmatch=True),
    args=st.dictionaries(storable, values, max_size=5),
)
pieces = st.sampled_from(
    [
        *("<tool_call>", "</tool_call>", "<function=a>", "</function>", "<parameter=x>", "</parameter>"),
        *("<think>", "</think>", "<thinking>", "```json\n", "```", "`", "\n", "> ", "{", "}", "[", "]", ","),
        *('"', "'", "“", "”", "\\", "\\u", ":", '"tool"', '"args"', '"name"', "{}", '{"tool": "a"}', "null"),
        *("<<<fence 0123456789ab x>>>", "<<<end fence 0123456789ab>>>", "\x00", "\ud800", "\u200b", "1e999"),
    ]
)
scraps = st.lists(pieces | st.text(max_size=6), max_size=24).map("".join)


@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
def test_a_reply_as_models_write_it_is_read_as_meant(row: dict[str, Any]) -> None:
    reply = parse_reply(row["reply"])
    assert [{"tool": call.tool, "args": call.args} for call in reply.calls] == row["calls"]
    assert len(reply.problems) == row["problems"], reply.problems
    assert reply.text == row["text"]


def test_every_problem_says_what_was_read_and_what_is_wrong_with_it() -> None:
    for row in ROWS:
        for problem in parse_reply(row["reply"]).problems:
            assert problem.excerpt.strip()
            assert len(problem.excerpt) <= 161
            assert len(problem.reason) > 15


@given(scraps)
@example("<tool_call>" + "[" * 5_000)
@example("<tool_call>" + '{"a":' * 5_000)
@example('<tool_call>{"tool": "a", "args": ' + "9" * 5_000 + "}</tool_call>")
@example("<tool_call>{'a': '\\")
@example('<tool_call>{"\\u12')
@settings(max_examples=500)
def test_no_reply_makes_it_raise_and_whatever_comes_out_can_be_stored(text: str) -> None:
    reply = parse_reply(text)
    assert isinstance(reply, Reply)
    assert b"\x00" not in msgspec.json.encode(reply)


@given(
    st.lists(calls, min_size=1, max_size=5), scraps.filter(lambda text: "<" not in text and ">" not in text)
)
def test_what_is_rendered_is_read_back_the_same(made: list[Call], prose: str) -> None:
    text = prose.replace("`", "") + "\n" + "\n".join(render_call(call) for call in made)
    reply = parse_reply(text)
    assert reply.calls == tuple(made)
    assert reply.problems == ()


@given(calls, scraps)
def test_no_call_is_taken_from_inside_thinking(made: Call, noise: str) -> None:
    thought = (
        f"{noise}{render_call(made)}".replace("</think", "")
        .replace("</thinking", "")
        .replace("</thought", "")
    )
    inside = f"<think>{thought}</think>"
    assert parse_reply(f"{inside}Hello.").calls == ()
    assert parse_reply(f"<think>{thought}").calls == ()
    assert parse_reply(f"{render_call(made)}</think>Hello.").calls == ()


@given(calls, scraps)
def test_no_call_is_taken_from_inside_an_echoed_fence(made: Call, noise: str) -> None:
    noise = noise.replace("<<<", "")
    echoed = f"<<<fence abcdef0123456789 x>>>\n{noise}{render_call(made)}\n<<<end fence abcdef0123456789>>>"
    assert parse_reply(f"Look: {echoed}").calls == ()
    assert parse_reply(echoed.partition("<<<end")[0]).calls == ()
    assert parse_reply(f"{render_call(made)}\n<<<end fence abcdef0123456789>>>").calls == ()


@given(scraps)
def test_a_call_is_never_shown_as_prose(noise: str) -> None:
    shown = parse_reply(f'{noise}\n<tool_call>{{"tool": "hidden_tool", "args": {{}}}}</tool_call>').text
    assert '<tool_call>{"tool": "hidden_tool"' not in shown


def test_more_calls_than_the_limit_are_told_and_not_taken() -> None:
    reply = parse_reply(render_call(Call("a")) * (MAX_CALLS + 5))
    assert len(reply.calls) == MAX_CALLS
    assert "only the first" in reply.problems[-1].reason


def test_a_reply_past_its_limit_is_told() -> None:
    reply = parse_reply("x" * MAX_CHARS + render_call(Call("a")))
    assert reply.calls == ()
    assert "longer than 1 MiB" in reply.problems[0].reason


@pytest.mark.parametrize(
    "scrap",
    [
        *(
            "<",
            "<tool_call>",
            "`<tool_call>` ",
            "<tool_call>{",
            "<tool_call>{'",
            '<tool_call>{"a":"',
            "<tool_call>[",
        ),
        *(
            "<think>",
            "</think>",
            "<function=a>",
            "<function=a><parameter=b>",
            "```",
            "\n \n",
            "[",
            "{",
            "“",
            "> ",
        ),
        *(
            "<<<fence 0123456789ab x>>>",
            "<<<end fence 0123456789ab>>>",
            '<tool_call>{"tool": "a",}',
            "<tool_call> ",
        ),
    ],
)
def test_a_megabyte_of_anything_is_read_in_bounded_time(scrap: str) -> None:
    text = (scrap * (MAX_CHARS // len(scrap) + 1))[:MAX_CHARS]
    started = time.process_time()
    reply = parse_reply(text)
    assert time.process_time() - started < 5
    assert len(reply.calls) + len(reply.problems) <= MAX_CALLS + 2


def test_numbers_in_texts_stay_texts_until_a_schema_says_otherwise() -> None:
    reply = parse_reply("<function=a><parameter=n>50</parameter></function>")
    assert reply.calls == (Call("a", {"n": "50"}),)
