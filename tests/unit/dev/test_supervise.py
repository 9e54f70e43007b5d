"""A process that ends is started again: soon at first, later each time, and forgiven after a good while."""

from handraise.dev.supervise import BackOff


def test_a_process_that_ended_is_due_half_a_second_later_and_not_before() -> None:
    back_off = BackOff()
    back_off.started(0.0)
    plan = back_off.ended(10.0)
    assert plan is not None
    assert plan.after == 0.5
    assert not back_off.due(10.4)
    assert back_off.due(10.5)


def test_an_end_is_told_once_however_often_it_is_seen() -> None:
    back_off = BackOff()
    back_off.started(0.0)
    assert back_off.ended(1.0) is not None
    assert back_off.ended(1.2) is None
    assert back_off.due(1.6)


def test_each_failure_doubles_the_wait_up_to_half_a_minute() -> None:
    back_off = BackOff()
    now = 0.0
    waits = []
    for _ in range(9):
        back_off.started(now)
        plan = back_off.ended(now)
        assert plan is not None
        waits.append(plan.after)
        now = plan.at
    assert waits == [0.5, 1, 2, 4, 8, 16, 30, 30, 30]


def test_a_minute_of_health_forgives_what_was_before() -> None:
    back_off = BackOff()
    for now in (0.0, 1.0, 3.0):
        back_off.started(now)
        back_off.ended(now)
    back_off.started(10.0)
    plan = back_off.ended(70.0)
    assert plan is not None
    assert plan.after == 0.5


def test_nothing_is_due_of_a_process_that_runs() -> None:
    back_off = BackOff()
    back_off.started(0.0)
    assert not back_off.due(1_000.0)
