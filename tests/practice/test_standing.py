"""Where a learner stands with each question."""

from datetime import datetime
from typing import Protocol

import pytest
from sqlmodel import Session

from app.accounts import browser_sessions
from app.accounts.users import User
from app.practice import attempts, ratings, sittings
from app.practice.attempts import Graded, Submission
from app.practice.records import QuestionKey, VariantSnapshot
from app.practice.schedule import Rating
from app.practice.standing import NEW, mastery_by_topic, standings, upcoming


class Clock(Protocol):
    def __call__(self) -> datetime: ...
    def advance(self, **by: float) -> datetime: ...


KEYS = [QuestionKey("bank", slug) for slug in ("first", "second", "third")]


def snapshot(key: QuestionKey) -> VariantSnapshot:
    return VariantSnapshot(key, 0, 1, "hash", "1", {}, {})


def test_from_new_over_answered_to_rated(session: Session, user: User, clock: Clock) -> None:
    _, browser = browser_sessions.open_session(session, user, clock())
    first, second, third = KEYS
    for number, outcome in enumerate(["right", "wrong"]):
        graded = Graded(outcome, float(outcome == "right"))
        sent = Submission(f"key-{number}", "", f"text {number}")
        sitting = attempts.submit(session, user, browser, snapshot(first), sent, graded, clock()).sitting
    shown = sittings.reveal(session, user, browser, snapshot(second), clock())
    ratings.rate(session, user, shown.id, Rating.HARD, [], key="a", now=clock())

    known = standings(session, user, KEYS, clock())
    assert known[third] == NEW
    assert known[third].new
    assert known[first].outcome == "wrong", "the last one"
    assert not known[first].new
    assert known[first].due_day is None
    assert known[second].rating == Rating.HARD
    assert known[second].recall == pytest.approx(1)
    assert upcoming(known) == [(second, known[second])]

    ratings.rate(session, user, sitting.id, Rating.EASY, [], key="b", now=clock())
    known = standings(session, user, KEYS, clock())
    assert [question for question, _ in upcoming(known)] == [second, first]

    clock.advance(days=30)
    later = standings(session, user, KEYS, clock())
    assert 0 < (later[second].recall or 0) < (later[first].recall or 0) < 1
    [topic] = mastery_by_topic(later, {"attention": KEYS, "kernels": []})
    assert (topic.topic, topic.questions, topic.seen) == ("attention", 3, 2)
    recalls = [later[first].recall or 0, later[second].recall or 0]
    assert topic.remembered == pytest.approx(sum(recalls) / 2), "what was not met is no part of it"
    [unmet] = mastery_by_topic(later, {"attention": [third]})
    assert unmet.remembered is None
