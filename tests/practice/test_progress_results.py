"""Results by topic, ratings against numbers, the hardest questions."""

from datetime import date

import pytest

from app.practice import progress_history, ratings
from app.practice.progress_history import History, PastSitting
from app.practice.progress_results import TopicResult, calibration, hardest, results_by_topic
from app.practice.records import QuestionKey
from app.practice.schedule import Rating
from app.practice.standing import Standing
from tests.practice.conftest import Practice

MATRIX, LINEAR, MFU, CACHE = (QuestionKey("", slug) for slug in ("matrix", "linear", "mfu", "cache"))
TOPICS = {MATRIX: "attention", LINEAR: "attention", MFU: "utilization", CACHE: "decoding"}


def rated(rating: Rating | None, *credits: float, question: QuestionKey = MATRIX) -> PastSitting:
    return PastSitting(date(2026, 3, 2), question, bool(credits), credits, rating)


def history(*sittings: PastSitting) -> History:
    return History(sittings, (), ())


class TestTopics:
    def results(self, practice: Practice) -> dict[str, TopicResult]:
        lived = progress_history.load(practice.session, practice.user)
        return {result.topic: result for result in results_by_topic(lived, TOPICS)}

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
        assert (attention.graded, attention.right_at_once) == (3, 1)
        assert attention.credit == pytest.approx(0.5)

    def test_right_at_once_means_every_part(self, practice: Practice) -> None:
        practice.submit("1", part="a", credit=1.0)
        practice.submit("2", part="b", credit=0.5)
        attention = self.results(practice)["attention"]
        assert (attention.graded, attention.right_at_once, attention.credit) == (1, 0, 0.75)

    def test_words_are_tried_and_not_graded(self, practice: Practice) -> None:
        practice.submit("my words", slug="cache", outcome="written", credit=None)
        decoding = self.results(practice)["decoding"]
        assert (decoding.graded, decoding.credit) == (0, None)


class TestCalibration:
    def test_each_rating_has_the_mean_credit_of_its_sittings(self) -> None:
        seen = calibration(
            history(
                rated(Rating.GOOD, 1.0),
                rated(Rating.GOOD, 0.0, 0.5),  # two parts
                rated(Rating.AGAIN, 0.0),
                rated(Rating.HARD),  # in words
                rated(None, 1.0),  # never rated
            )
        )
        found = {each.rating: (each.sittings, each.credit) for each in seen.ratings}
        assert found == {
            Rating.AGAIN: (1, 0.0),
            Rating.HARD: (0, None),
            Rating.GOOD: (2, 0.625),
            Rating.EASY: (0, None),
        }

    def test_the_rating_that_counts_is_held_against_the_first_answer(self, practice: Practice) -> None:
        practice.submit("2 GB", outcome="mistake", credit=0.5)
        practice.submit("2 GiB", outcome="right", credit=1.0)
        first = practice.rate(Rating.EASY)
        practice.rate(Rating.HARD, sitting_id=first.sitting_id)
        taken_back = practice.rate(Rating.GOOD, slug="mfu")
        ratings.undo(practice.session, practice.user, taken_back.id, practice.clock())
        seen = calibration(progress_history.load(practice.session, practice.user))
        assert [(each.sittings, each.credit) for each in seen.ratings] == [
            (0, None),
            (1, 0.5),
            (0, None),
            (0, None),
        ]

    @pytest.mark.parametrize(
        ("rating", "credit", "times", "leaning"),
        [
            (Rating.GOOD, 0.6, 5, "kind"),
            (Rating.EASY, 0.0, 5, "kind"),
            (Rating.GOOD, 0.6, 4, None),  # too few to tell
            (Rating.GOOD, 0.7, 5, None),
            (Rating.AGAIN, 1.0, 5, "harsh"),
            (Rating.AGAIN, 0.8, 5, None),
            (Rating.HARD, 1.0, 9, None),  # right with a hint
        ],
    )
    def test_a_leaning_is_told_once_there_is_enough(
        self, rating: Rating, credit: float, times: int, leaning: str | None
    ) -> None:
        assert calibration(history(*[rated(rating, credit)] * times)).leaning == leaning


class TestHardest:
    def test_lapses_come_first_then_credit_then_difficulty(self) -> None:
        known = {
            MATRIX: Standing(outcome="right", difficulty=3.0, lapses=1),
            LINEAR: Standing(outcome="wrong", difficulty=5.0),
            MFU: Standing(outcome="right", difficulty=7.0),
            CACHE: Standing(outcome="right", difficulty=5.9),
        }
        lived = history(
            rated(Rating.GOOD, 1.0, question=CACHE),
            rated(Rating.AGAIN, 1.0, question=MFU),
            rated(Rating.HARD, 0.0, question=LINEAR),
            rated(Rating.HARD, 0.5, question=LINEAR),
            rated(Rating.GOOD, 1.0, question=MATRIX),
        )
        found = hardest(lived, known)
        assert [each.question for each in found] == [MATRIX, LINEAR, MFU], "one that goes well is not hard"
        assert (found[1].credit, found[1].sittings, found[1].lapses) == (0.25, 2, 0)
        assert hardest(lived, known, limit=1) == found[:1]

    def test_only_known_questions_of_the_period_count(self) -> None:
        known = {MATRIX: Standing(difficulty=9.0, lapses=4), CACHE: Standing(difficulty=9.0, lapses=4)}
        lived = history(rated(Rating.AGAIN, 0.0, question=MATRIX), rated(Rating.AGAIN, 0.0, question=MFU))
        assert [each.question for each in hardest(lived, known)] == [MATRIX]
