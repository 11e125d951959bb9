from datetime import date, timedelta

import pytest

from app.practice import marks, progress, ratings, sittings
from app.practice.records import QuestionKey
from app.practice.schedule import Rating
from app.practice.standing import standings
from app.practice.study_day import study_day
from tests.practice.conftest import Practice

TODAY = date(2026, 3, 2)
KEYS = [QuestionKey("", slug) for slug in ("matrix", "linear", "mfu", "cache")]


class TestAttempts:
    def test_are_listed_with_what_came_of_them_newest_first(self, practice: Practice) -> None:
        practice.submit("2 GB", outcome="wrong", credit=0.0)
        practice.submit("2 GiB", outcome="right", credit=1.0)
        practice.rate(Rating.HARD)
        practice.clock.advance(days=3)
        practice.submit("5%", slug="mfu", outcome="near", credit=0.5)
        page = progress.attempts(practice.session, practice.user)
        assert page.before is None
        newest, oldest = page.attempts
        assert (newest.sitting.question.slug, newest.rating) == ("mfu", None)
        assert [answer.text for answer in oldest.answers] == ["2 GB", "2 GiB", "an answer"]
        assert oldest.rating == Rating.HARD

    def test_a_rating_taken_back_is_not_shown(self, practice: Practice) -> None:
        rated = practice.rate(Rating.HARD)
        ratings.undo(practice.session, practice.user, rated.id, practice.clock())
        assert progress.attempts(practice.session, practice.user).attempts[0].rating is None

    def test_one_that_only_looked_has_no_answer(self, practice: Practice) -> None:
        sittings.reveal(
            practice.session, practice.user, practice.browser, practice.variant(), practice.clock()
        )
        (attempt,) = progress.attempts(practice.session, practice.user).attempts
        assert attempt.sitting.revealed
        assert attempt.answers == ()

    def test_come_in_pages(self, practice: Practice) -> None:
        for seed in range(7):
            practice.submit("x", seed=seed)
        seeds: list[int] = []
        before: int | None = None
        for _ in range(3):
            page = progress.attempts(practice.session, practice.user, before=before, limit=3)
            seeds += [attempt.sitting.seed for attempt in page.attempts]
            before = page.before
        assert seeds == [6, 5, 4, 3, 2, 1, 0]
        assert before is None

    @pytest.mark.parametrize("limit", [-1, 0, 10**9])
    @pytest.mark.parametrize("before", [None, -5, 0, 10**40])
    def test_any_page_can_be_asked_for(self, practice: Practice, limit: int, before: int | None) -> None:
        practice.submit("x")
        page = progress.attempts(practice.session, practice.user, before=before, limit=limit)
        assert len(page.attempts) <= 1


class TestForecast:
    def forecast(self, practice: Practice, **marked: marks.Marks) -> progress.Forecast:
        known = standings(practice.session, practice.user, KEYS, practice.clock())
        suspended = {QuestionKey("", slug): each for slug, each in marked.items()}
        today = study_day(practice.clock(), practice.user.zone)
        return progress.forecast(known, suspended, today)

    def test_counts_the_reviews_of_the_days_to_come(self, practice: Practice) -> None:
        practice.rate(Rating.AGAIN, slug="matrix")
        practice.rate(Rating.AGAIN, slug="mfu")
        practice.rate(Rating.EASY, slug="gone")  # no longer in the bank
        forecast = self.forecast(practice)
        assert [day.day for day in forecast.days] == [TODAY + timedelta(days=ahead) for ahead in range(30)]
        assert [day.due for day in forecast.days] == [0, 2, *[0] * 28]
        assert (forecast.overdue, forecast.later) == (0, 0)

    def test_what_is_overdue_is_due_today(self, practice: Practice) -> None:
        practice.rate(Rating.AGAIN, slug="matrix")
        practice.clock.advance(days=5)
        forecast = self.forecast(practice)
        assert (forecast.overdue, forecast.days[0].due) == (1, 1)
        assert sum(day.due for day in forecast.days) == 1

    def test_what_comes_after_the_last_day_is_counted_apart(self, practice: Practice) -> None:
        practice.rate(Rating.EASY, slug="matrix")
        practice.clock.advance(days=8)
        practice.rate(Rating.EASY, slug="matrix", seed=1)
        forecast = self.forecast(practice)
        assert (sum(day.due for day in forecast.days), forecast.later) == (0, 1)

    def test_a_suspended_question_has_no_reviews_to_come(self, practice: Practice) -> None:
        practice.rate(Rating.AGAIN, slug="matrix")
        forecast = self.forecast(practice, matrix=marks.Marks(suspended=True))
        assert sum(day.due for day in forecast.days) == 0
