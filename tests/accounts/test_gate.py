"""A gate: a few at a time, a few waiting, the others turned away at once."""

import threading

import pytest

from app.accounts.gate import Busy, Gate


def test_who_is_too_many_is_turned_away_and_later_let_in() -> None:
    gate = Gate(at_once=2, waiting=0, patience=0)
    with gate.through():
        with gate.through(), pytest.raises(Busy), gate.through():
            raise AssertionError("three were let in")
        with gate.through():
            pass


def test_who_waits_is_let_in_when_somebody_leaves() -> None:
    gate = Gate(at_once=1, waiting=1, patience=30)
    inside, entered = threading.Event(), threading.Event()

    def wait() -> None:
        inside.set()
        with gate.through():
            entered.set()

    with gate.through():
        waiting = threading.Thread(target=wait)
        waiting.start()
        inside.wait()
        assert not entered.wait(0.05)
    assert entered.wait(10)
    waiting.join()


def test_who_waits_too_long_is_turned_away() -> None:
    gate = Gate(at_once=1, waiting=1, patience=0.01)
    with gate.through(), pytest.raises(Busy), gate.through():
        raise AssertionError("two were let in")
