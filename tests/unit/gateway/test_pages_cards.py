"""From a request to its card."""

import pytest

from handraise.common.questions import Question, render
from handraise.gateway.pages.cards import State, link, so_far, view
from handraise.gateway.pages.marks import lately_line, past_mark
from handraise.workspace.words import ActionStatus, RequestStatus, Surface
from tests.unit.gateway.pages import ADA, BEN, NOW, PLACE, ROOT, TIMES, ago, id_of, proposal, question


def test_a_question_shows_its_options_as_they_are_stored() -> None:
    options = ("yes", "no, wait")
    card = view(question(render(Question("Deploy?", options))), ADA, TIMES)
    assert card.title == "Deploy?"
    assert card.options == options
    assert card.is_open


@pytest.mark.parametrize(
    ("options", "layout"),
    [
        (("a", "b", "c", "d"), "row"),
        (("a", "b", "c", "d", "e"), "list"),
        (("a", "an option that is longer than a row"), "list"),
        (tuple(f"option {n} of many" for n in range(10, 20)), "find"),
    ],
)
def test_options_are_a_row_a_list_or_a_list_to_search(options: tuple[str, ...], layout: str) -> None:
    assert view(question(render(Question("Which?", options))), ADA, TIMES).layout == layout


def test_only_whoever_is_asked_or_whom_the_work_is_for_may_decide() -> None:
    row = question(asked_id=BEN, asked="Ben", runs_as_id=ADA)
    assert view(row, ADA, TIMES).may_decide
    assert view(row, BEN, TIMES).may_decide
    assert not view(row, id_of("chen"), TIMES).may_decide


def test_nobody_is_offered_to_answer_what_has_expired_or_is_decided() -> None:
    assert not view(question(expires_at=ago(minutes=1)), ADA, TIMES).may_decide
    assert not view(question(status=RequestStatus.ACCEPTED), ADA, TIMES).may_decide


@pytest.mark.parametrize(
    ("status", "state"),
    [
        (RequestStatus.OPEN, State.OPEN),
        (RequestStatus.ACCEPTED, State.ANSWERED),
        (RequestStatus.DECLINED, State.NOT_ANSWERED),
        (RequestStatus.CANCELLED, State.STOPPED),
        (RequestStatus.EXPIRED, State.EXPIRED),
    ],
)
def test_each_outcome_of_a_question_has_one_word(status: RequestStatus, state: State) -> None:
    assert view(question(status=status), ADA, TIMES).state is state


@pytest.mark.parametrize("status", list(ActionStatus))
def test_a_proposal_says_what_became_of_its_action(status: ActionStatus) -> None:
    decided = status is not ActionStatus.PROPOSED
    row = proposal(action_status=status, status=RequestStatus.ACCEPTED if decided else RequestStatus.OPEN)
    said = {ActionStatus.PROPOSED: "open", ActionStatus.CANCELLED: "stopped"}.get(status, status.value)
    assert view(row, ADA, TIMES).state == said


def test_a_decided_proposal_is_a_record_even_before_its_action_is_told() -> None:
    for status, state in (
        (RequestStatus.ACCEPTED, State.CONFIRMED),
        (RequestStatus.DECLINED, State.REJECTED),
    ):
        assert view(proposal(status=status), ADA, TIMES).state is state


def test_a_question_that_is_not_stored_in_our_form_is_shown_all_the_same() -> None:
    card = view(question(" \u202eodd "), ADA, TIMES)
    assert card.title == " \u202eodd "
    assert card.options == ()


def test_a_card_says_where_it_stands_and_leads_there() -> None:
    card = view(question(), ADA, TIMES)
    assert card.where == "#release › Open a task for the API deploy"
    assert card.link == f"/channels/{PLACE}/threads/{ROOT}#card-{card.id}"
    assert link(Surface.TASK, PLACE, None) == f"/tasks/{PLACE}"
    assert link(Surface.DM, PLACE, None, ROOT) == f"/dm/{PLACE}#card-{ROOT}"


def test_a_card_says_why_it_asks_in_the_words_of_whoever_began_it() -> None:
    assert view(question(), ADA, TIMES).why == "You asked: “open a task for the API deploy”"
    assert view(question(), BEN, TIMES).why == "Ada asked: “open a task for the API deploy”"


def test_whoever_stops_work_is_told_what_it_has_done() -> None:
    assert so_far(0, 0) == "nothing read, nothing changed"
    assert so_far(1, 2) == "1 thing read, 2 changes made"


@pytest.mark.parametrize("status", [status for status in ActionStatus if status is not ActionStatus.PROPOSED])
def test_every_record_has_a_mark_and_a_line(status: ActionStatus) -> None:
    row = proposal(action_status=status, status=RequestStatus.ACCEPTED, answerer="Ben", answered_at=NOW)
    card = view(row, ADA, TIMES)
    classes, sign = past_mark(card)
    assert classes.startswith("mark--")
    assert sign
    assert "12:20" in lately_line(card, ADA, TIMES)


def test_the_readers_own_answer_is_theirs_and_anothers_is_named() -> None:
    row = question(
        status=RequestStatus.ACCEPTED, option="staging", answerer_id=ADA, answerer="Ada", answered_at=NOW
    )
    assert lately_line(view(row, ADA, TIMES), ADA, TIMES) == "you: staging, 12:20"
    assert lately_line(view(row, BEN, TIMES), BEN, TIMES) == "Ada: staging, 12:20"
