from datetime import UTC, date, datetime, timedelta

import fsrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.practice.schedule import (
    MAX_INTERVAL,
    MAX_RETENTION,
    MIN_RETENTION,
    Card,
    Rating,
    Review,
    fuzzed,
    limited,
    preview,
    recall,
    replay,
    review,
    sensible_days,
)

DAY = date(2026, 3, 2)
DECAY = -fsrs.Scheduler().parameters[20]


def noon(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, 12, tzinfo=UTC)


ratings = st.sampled_from(Rating)
histories = st.lists(st.tuples(ratings, st.integers(-3, 400)), min_size=1, max_size=25)
retentions = st.floats(0.70, 0.97)


def as_reviews(history: list[tuple[Rating, int]], retention: float = 0.9) -> list[Review]:
    """Each rating so many days after the one before; a negative number is a clock set back."""
    day, reviews = DAY, []
    for rating, gap in history:
        day += timedelta(days=gap)
        reviews.append(Review(rating, day, retention))
    return reviews


class TestReview:
    def test_agrees_with_fsrs_given_the_days_as_moments(self) -> None:
        """Ten days apart at the same hour, so that its own count of days is the same."""
        scheduler = fsrs.Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
        theirs = fsrs.Card(card_id=1)
        ours: Card | None = None
        for number, rating in enumerate([Rating.GOOD, Rating.HARD, Rating.AGAIN, Rating.EASY, Rating.GOOD]):
            day = DAY + timedelta(days=10 * number)
            moment = datetime(day.year, day.month, day.day, 9, tzinfo=UTC)
            theirs, _ = scheduler.review_card(theirs, fsrs.Rating(rating), moment)
            ours = review(ours, Review(rating, day, 0.9), "seed")
            assert ours.stability == theirs.stability
            assert ours.difficulty == theirs.difficulty
            assert ours.due_day == day + timedelta(
                days=fuzzed((theirs.due - moment).days, f"seed|{number + 1}", sensible_days(ours.stability))
            )

    @given(histories, retentions)
    def test_the_next_day_lies_ahead_and_within_reach(
        self, history: list[tuple[Rating, int]], retention: float
    ) -> None:
        card: Card | None = None
        for given_review in as_reviews(history, retention):
            before, card = card, review(card, given_review, "seed")
            assert 1 <= card.interval <= MAX_INTERVAL
            assert card.last_day == (max(given_review.day, before.last_day) if before else given_review.day)

    @given(histories, st.integers(-3, 400), retentions)
    def test_a_better_rating_never_brings_it_back_sooner(
        self, history: list[tuple[Rating, int]], gap: int, retention: float
    ) -> None:
        card = replay(as_reviews(history), "seed")
        assert card is not None
        offered = preview(card, card.last_day + timedelta(days=gap), retention, "seed")
        days = [offered[rating].due_day for rating in Rating]
        assert days == sorted(days)

    def test_again_comes_back_tomorrow_when_new(self) -> None:
        assert preview(None, DAY, 0.9, "seed")[Rating.AGAIN].due_day == DAY + timedelta(days=1)

    def test_the_evening_and_the_next_morning_are_a_day_apart(self) -> None:
        """As moments they are less than 24 hours apart, which FSRS by itself takes for the same day."""
        evening = review(None, Review(Rating.GOOD, DAY, 0.9), "seed")
        same_day = review(evening, Review(Rating.GOOD, DAY, 0.9), "seed")
        next_day = review(evening, Review(Rating.GOOD, DAY + timedelta(days=1), 0.9), "seed")
        assert next_day.stability > same_day.stability

    def test_a_clock_set_back_counts_as_the_day_of_the_last_review(self) -> None:
        card = review(None, Review(Rating.GOOD, DAY, 0.9), "seed")
        back = review(card, Review(Rating.GOOD, DAY - timedelta(days=30), 0.9), "seed")
        assert back == review(card, Review(Rating.GOOD, DAY, 0.9), "seed")

    def test_a_lapse_is_an_again_of_what_was_known(self) -> None:
        reviews = as_reviews([(Rating.AGAIN, 0), (Rating.GOOD, 1), (Rating.AGAIN, 3)])
        card = replay(reviews, "seed")
        assert card is not None
        assert (card.reviews, card.lapses) == (3, 1)

    def test_at_95_percent_it_comes_back_after_0_4_of_the_days_at_90(self) -> None:
        """As the page of the settings says."""
        scheduler = fsrs.Scheduler(desired_retention=0.95)
        assert scheduler._next_interval(stability=1000) / 1000 == pytest.approx(0.4, abs=0.03)

    def test_a_higher_retention_asks_sooner(self) -> None:
        reviews = [(Rating.GOOD, 0), (Rating.GOOD, 20)]
        often, seldom = replay(as_reviews(reviews, 0.97), "s"), replay(as_reviews(reviews, 0.70), "s")
        assert often is not None
        assert seldom is not None
        assert often.due_day < seldom.due_day


class TestReplay:
    def test_nothing_gives_nothing(self) -> None:
        assert replay([], "seed") is None

    @given(histories)
    def test_is_reviewing_one_by_one(self, history: list[tuple[Rating, int]]) -> None:
        card: Card | None = None
        for given_review in as_reviews(history):
            card = review(card, given_review, "seed")
        assert replay(as_reviews(history), "seed") == card

    @given(histories, ratings)
    def test_the_preview_is_what_the_rating_does(
        self, history: list[tuple[Rating, int]], last: Rating
    ) -> None:
        reviews = as_reviews(history)
        day = max(given_review.day for given_review in reviews) + timedelta(days=5)
        offered = preview(replay(reviews, "seed"), day, 0.9, "seed")[last]
        assert replay([*reviews, Review(last, day, 0.9)], "seed") == offered


class TestRetention:
    @pytest.mark.parametrize(("given_value", "used"), [(0.1, 0.70), (0.85, 0.85), (0.999, 0.97)])
    def test_is_limited(self, given_value: float, used: float) -> None:
        assert limited(given_value) == used


class TestFuzz:
    @given(st.integers(1, MAX_INTERVAL), st.text(max_size=20))
    def test_is_the_same_every_time_and_small(self, days: int, seed: str) -> None:
        assert fuzzed(days, seed) == fuzzed(days, seed)
        assert abs(fuzzed(days, seed) - days) <= 1 + 0.15 * days
        assert 1 <= fuzzed(days, seed) <= MAX_INTERVAL

    @given(st.integers(1, MAX_INTERVAL - 1), st.text(max_size=20))
    def test_keeps_the_order(self, days: int, seed: str) -> None:
        assert fuzzed(days, seed) <= fuzzed(days + 1, seed)

    @pytest.mark.parametrize("days", [1, 2])
    def test_leaves_a_day_or_two_alone(self, days: int) -> None:
        assert {fuzzed(days, str(seed)) for seed in range(50)} == {days}

    @given(histories, ratings, retentions, st.text(max_size=8))
    def test_never_takes_recall_out_of_what_can_be_wanted(
        self, history: list[tuple[Rating, int]], last: Rating, retention: float, seed: str
    ) -> None:
        """Unless whole days cannot do better: then the interval is the one that FSRS asks for."""
        card = replay(as_reviews(history), seed)
        assert card is not None
        card = review(card, Review(last, card.last_day + timedelta(days=9), retention), seed)
        theirs = fsrs.Scheduler(desired_retention=retention, learning_steps=(), relearning_steps=())
        plain = theirs._next_interval(stability=card.stability)
        recall = theirs.get_card_retrievability(
            fsrs.Card(card_id=1, stability=card.stability, last_review=noon(card.last_day)),
            noon(card.due_day),
        )
        assert MIN_RETENTION <= round(recall, 9) <= MAX_RETENTION or card.interval == plain

    @given(st.floats(0.1, 3000))
    def test_sensible_days_are_those_of_the_forgetting_curve(self, stability: float) -> None:
        first, last = sensible_days(stability)
        scheduler = fsrs.Scheduler()
        card = fsrs.Card(card_id=1, stability=stability, last_review=noon(DAY))

        def recall(days: int) -> float:
            return scheduler.get_card_retrievability(card, noon(DAY + timedelta(days=days)))

        assert recall(first) <= MAX_RETENTION + 1e-9
        assert first == 1 or recall(first - 1) > MAX_RETENTION - 1e-9
        assert last == 0 or recall(last) >= MIN_RETENTION - 1e-9
        assert recall(last + 1) < MIN_RETENTION + 1e-9

    def test_two_hundred_learned_together_do_not_come_back_together(self) -> None:
        """20 days reach 1 + 0.15 * 4.5 + 0.1 * 13 = 2.975 to either side: 7 days, about 29 questions each."""
        due = [fuzzed(20, f"local||question-{number}|3") for number in range(200)]
        assert sorted(set(due)) == [17, 18, 19, 20, 21, 22, 23]
        assert all(15 < due.count(days) < 45 for days in set(due))

    def test_spreads_evenly_to_both_sides(self) -> None:
        drawn = [fuzzed(10, str(seed)) for seed in range(2000)]
        assert set(drawn) == {
            8,
            9,
            10,
            11,
            12,
        }  # 10 days reach 1 + 0.15 * 4.5 + 0.1 * 3 = 1.975 to either side
        assert all(300 < drawn.count(days) < 500 for days in range(8, 13))


@pytest.mark.parametrize("stability", [0.2, 2.3, 40.0, 3650.0])
def test_recall_falls_from_certain_to_nine_tenths_after_the_stability(stability: float) -> None:
    """FSRS's stability is the number of days after which recall is 90%, whatever retention is wanted."""
    assert recall(stability, DAY, DAY) == 1
    assert recall(stability, DAY, DAY - timedelta(days=3)) == 1, "as after a clock that was set back"
    days = max(round(stability), 1)
    curve = (1 + (0.9 ** (1 / DECAY) - 1) * days / stability) ** DECAY
    assert recall(stability, DAY, DAY + timedelta(days=days)) == pytest.approx(curve)
    assert recall(stability, DAY, DAY + timedelta(days=days + 1)) < curve
