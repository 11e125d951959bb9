from datetime import date, timedelta

import pytest

from app.practice import progress, ratings, sittings
from app.practice.records import QuestionKey
from app.practice.schedule import Rating
from tests.practice.conftest import Practice

TODAY = date(2026, 3, 2)
TOPICS = {
    QuestionKey("", "matrix"): "attention",
    QuestionKey("", "linear"): "attention",
    QuestionKey("", "mfu"): "utilization",
    QuestionKey("", "cache"): "decoding",
}


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
        assert oldest.best is not None
        assert oldest.best.text == "2 GiB"

    def test_a_rating_taken_back_is_not_shown(self, practice: Practice) -> None:
        rated = practice.rate(Rating.HARD)
        ratings.undo(practice.session, practice.user, rated.id, practice.clock())
        assert progress.attempts(practice.session, practice.user).attempts[0].rating is None

    def test_one_that_only_looked_has_no_best_answer(self, practice: Practice) -> None:
        sittings.reveal(
            practice.session, practice.user, practice.browser, practice.variant(), practice.clock()
        )
        (attempt,) = progress.attempts(practice.session, practice.user).attempts
        assert attempt.sitting.revealed
        assert attempt.best is None

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


class TestTopics:
    def results(self, practice: Practice) -> dict[str, progress.TopicResult]:
        return {
            result.topic: result
            for result in progress.results_by_topic(practice.session, practice.user, TOPICS)
        }

    def test_only_what_was_tried_is_listed(self, practice: Practice) -> None:
        assert self.results(practice) == {}
        practice.submit("x", slug="mfu")
        practice.submit("x", slug="gone")  # no longer in the bank
        assert list(self.results(practice)) == ["utilization"]

    def test_the_first_answer_of_each_sitting_tells_how_it_went(self, practice: Practice) -> None:
        practice.submit("2,5", slug="matrix", outcome="format", credit=None)
        practice.submit("2 GB", slug="matrix", outcome="near", credit=0.5)
        practice.submit("2 GiB", slug="matrix", outcome="right", credit=1.0)
        practice.submit("n", slug="linear", outcome="right", credit=1.0)
        practice.submit("n", slug="linear", seed=1, outcome="wrong", credit=0.0)
        attention = self.results(practice)["attention"]
        assert (attention.questions, attention.graded, attention.right_at_once) == (2, 3, 1)
        assert attention.credit == pytest.approx(0.5)

    def test_right_at_once_means_every_part(self, practice: Practice) -> None:
        practice.submit("1", part="a", credit=1.0)
        practice.submit("2", part="b", credit=0.5)
        attention = self.results(practice)["attention"]
        assert (attention.graded, attention.right_at_once, attention.credit) == (1, 0, 0.75)

    def test_ratings_are_counted_unless_taken_back(self, practice: Practice) -> None:
        practice.submit("my words", slug="cache", outcome="written", credit=None)
        rated = practice.rate(Rating.GOOD, slug="mfu")
        practice.rate(Rating.EASY, sitting_id=rated.sitting_id)
        results = self.results(practice)
        assert results["utilization"].ratings == {Rating.EASY: 1}
        assert (results["decoding"].questions, results["decoding"].graded) == (1, 0)
        assert results["decoding"].credit is None


class TestForecast:
    def test_counts_the_reviews_of_the_days_to_come(self, practice: Practice) -> None:
        practice.rate(Rating.AGAIN, slug="matrix")
        practice.rate(Rating.AGAIN, slug="mfu")
        forecast = progress.forecast(practice.session, practice.user, list(TOPICS), practice.clock())
        assert forecast.overdue == 0
        assert [day.day for day in forecast.days] == [TODAY + timedelta(days=ahead) for ahead in range(14)]
        assert [day.due for day in forecast.days] == [0, 2, *[0] * 12]

    def test_what_is_overdue_is_counted_apart(self, practice: Practice) -> None:
        practice.rate(Rating.AGAIN, slug="matrix")
        practice.clock.advance(days=5)
        forecast = progress.forecast(practice.session, practice.user, list(TOPICS), practice.clock())
        assert (forecast.overdue, sum(day.due for day in forecast.days)) == (1, 0)

    def test_what_left_the_bank_is_not_counted(self, practice: Practice) -> None:
        practice.rate(Rating.AGAIN, slug="gone")
        forecast = progress.forecast(practice.session, practice.user, list(TOPICS), practice.clock())
        assert sum(day.due for day in forecast.days) == 0
