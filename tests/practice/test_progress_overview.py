"""The page of progress in one piece: its periods, its queries, a long history."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, timedelta

import pytest
from sqlalchemy import event, insert
from sqlmodel import Session

from app.database import writing
from app.models import AnswerRow, RatingRow, SittingRow
from app.practice import marks, ratings
from app.practice.progress_overview import Overview, Period, overview
from app.practice.records import QuestionKey
from app.practice.schedule import Rating
from tests.practice.conftest import Practice

TODAY = date(2026, 3, 2)
MATRIX, MFU = QuestionKey("", "matrix"), QuestionKey("", "mfu")
TOPICS = {MATRIX: "attention", MFU: "utilization"}


def see(practice: Practice, period: Period = Period.ALL) -> Overview:
    return overview(practice.session, practice.user, TOPICS, period, practice.clock())


@contextmanager
def counted(session: Session) -> Iterator[list[str]]:
    """The statements that are sent meanwhile."""
    sent: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        sent.append(statement)

    engine = session.get_bind()
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(engine, "before_cursor_execute", note)


def live(practice: Practice, sittings: int) -> None:
    """A long history at once: a sitting an hour, each with a slip, a right answer and a rating."""
    begun = practice.clock() - timedelta(hours=sittings)
    moments = [begun + timedelta(hours=number) for number in range(sittings)]
    user, session = practice.user.id, practice.session
    last = practice.submit("x").sitting.id
    with writing(session):
        session.connection().execute(
            insert(SittingRow),
            [
                {
                    "id": last + 1 + number,
                    "user_id": user,
                    "session_id": practice.browser.id,
                    "pack": "",
                    "slug": ("matrix", "mfu")[number % 2],
                    "version": 1,
                    "seed": number + 1,
                    "content_hash": "",
                    "library_version": "",
                    "params": {},
                    "right": {},
                    "zone": "Europe/Berlin",
                    "study_day": at.date(),
                    "started_at": at,
                    "hints_used": 0,
                }
                for number, at in enumerate(moments)
            ],
        )
        session.connection().execute(
            insert(AnswerRow),
            [
                {
                    "user_id": user,
                    "sitting_id": last + 1 + number,
                    "part": "",
                    "idempotency_key": f"{number}-{outcome}",
                    "body_hash": "",
                    "text": outcome,
                    "outcome": outcome,
                    "credit": credit,
                    "mistake_id": mistake,
                    "verdict": {"html": "."},
                    "given_at": at + timedelta(minutes=minutes),
                }
                for number, at in enumerate(moments)
                for outcome, credit, mistake, minutes in (
                    ("mistake", 0.5, "gib-as-gb", 1),
                    ("right", 1.0, None, 3),
                )
            ],
        )
        session.connection().execute(
            insert(RatingRow),
            [
                {
                    "user_id": user,
                    "sitting_id": last + 1 + number,
                    "pack": "",
                    "rating": 3,
                    "slug": ("matrix", "mfu")[number % 2],
                    "key_points": [],
                    "moves_schedule": True,
                    "retention": 0.9,
                    "idempotency_key": f"{number}",
                    "body_hash": "",
                    "may_move": True,
                    "zone": "Europe/Berlin",
                    "study_day": at.date(),
                    "rated_at": at + timedelta(minutes=4),
                }
                for number, at in enumerate(moments)
            ],
        )
    ratings.rebuild_cards(session, practice.user)


def test_before_anything_everything_is_empty(practice: Practice) -> None:
    seen = see(practice)
    assert not seen.started
    assert not seen.practised
    assert (seen.topics, seen.mistakes, seen.hardest, seen.upcoming) == ((), (), (), ())
    assert [(each.topic, each.seen, each.remembered) for each in seen.mastery] == [
        ("attention", 0, None),
        ("utilization", 0, None),
    ]


@pytest.mark.parametrize(
    ("period", "starts"),
    [(Period.FOUR_WEEKS, date(2026, 2, 3)), (Period.TWELVE_WEEKS, date(2025, 12, 9)), (Period.ALL, None)],
)
def test_a_period_ends_today(period: Period, starts: date | None) -> None:
    assert period.starts_on(TODAY) == starts


def test_a_period_narrows_the_results_and_not_what_is_so_now(practice: Practice) -> None:
    practice.submit("x", outcome="wrong", credit=0.0)
    practice.rate(Rating.AGAIN)
    practice.clock.advance(days=40)
    practice.submit("x", slug="mfu")
    short, everything = see(practice, Period.FOUR_WEEKS), see(practice)
    assert [result.topic for result in short.topics] == ["utilization"]
    assert [result.topic for result in everything.topics] == ["attention", "utilization"]
    assert (len(short.hardest), len(everything.hardest)) == (0, 1)
    assert short.calendar == everything.calendar
    assert short.mastery == everything.mastery
    assert short.forecast.overdue == 1


def test_a_suspended_question_is_neither_announced_nor_drilled(practice: Practice) -> None:
    practice.rate(Rating.AGAIN)
    marks.suspend(practice.session, practice.user, MATRIX, practice.clock(), on=True)
    seen = see(practice)
    assert seen.upcoming == ()
    assert seen.drillable == {MFU}


def test_another_users_history_is_not_told(practice: Practice, session: Session) -> None:
    practice.rate(Rating.AGAIN)
    stranger = replace(practice.user, id=practice.user.id + 1, login="other")
    seen = overview(session, stranger, TOPICS, Period.ALL, practice.clock())
    assert not seen.started
    assert seen.calendar.practised == 0


def test_more_history_takes_no_more_queries(practice: Practice) -> None:
    practice.rate(Rating.GOOD)
    with counted(practice.session) as few:
        see(practice)
    live(practice, 300)
    practice.session.expire_all()
    with counted(practice.session) as many:
        seen = see(practice)
    assert len(seen.time.weeks) > 1
    [made] = seen.mistakes
    assert made.times == 300
    assert len(many) == len(few)
