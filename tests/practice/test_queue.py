from dataclasses import replace
from datetime import UTC, date, datetime

from app.bank.load import Bank
from app.practice import marks, preferences, queue, ratings, sittings
from app.practice.queue import Item, Queue, State
from app.practice.records import QuestionKey
from app.practice.schedule import Rating
from tests.practice.conftest import Practice

BANK = [QuestionKey("", slug) for slug in ("first", "second", "third", "fourth")]
TODAY = date(2026, 3, 2)


def build(practice: Practice, bank: list[QuestionKey] = BANK) -> Queue:
    return queue.build(practice.session, practice.user, bank, practice.clock())


def served(practice: Practice, bank: list[QuestionKey] = BANK) -> list[tuple[str, State]]:
    return [(item.question.slug, item.state) for item in build(practice, bank).items]


def due(*slugs: str) -> list[tuple[str, State]]:
    return [(slug, State.DUE) for slug in slugs]


def new(*slugs: str) -> list[tuple[str, State]]:
    return [(slug, State.NEW) for slug in slugs]


def start_again(practice: Practice, slug: str) -> None:
    question = QuestionKey("", slug)
    sittings.start_again(practice.session, practice.user, practice.browser, question, 0, practice.clock())


def with_goal(practice: Practice, goal: int) -> Practice:
    return replace(practice, user=replace(practice.user, daily_goal=goal))


class TestPlan:
    def test_all_is_new_at_first_in_the_order_of_the_bank(self, practice: Practice) -> None:
        assert build(practice).items == tuple(Item(question, State.NEW) for question in BANK)

    def test_the_longest_due_comes_before_the_others(self, practice: Practice) -> None:
        practice.rate(Rating.AGAIN, slug="third")
        practice.clock.advance(days=1)
        practice.rate(Rating.AGAIN, slug="second")
        practice.rate(Rating.AGAIN, slug="first")
        practice.clock.advance(days=2)
        practice = with_goal(practice, 3)
        assert served(practice) == due("third", "first", "second"), "what is due fills the goal first"
        assert build(practice).new == 1

    def test_due_is_by_study_day_not_by_the_hour(self, practice: Practice) -> None:
        practice.clock.advance(hours=10)  # 23:00 in Berlin
        practice.rate(Rating.AGAIN, slug="first")
        practice.clock.advance(hours=4, minutes=59)  # 03:59
        assert ("first", State.DUE) not in served(practice)
        practice.clock.advance(minutes=1)
        assert ("first", State.DUE) in served(practice)

    def test_due_over_a_night_in_which_the_clocks_change(self, practice: Practice) -> None:
        for evening, morning in (
            (datetime(2026, 3, 28, 22, 0, tzinfo=UTC), datetime(2026, 3, 29, 2, 0, tzinfo=UTC)),  # 1 h lost
            (datetime(2026, 10, 24, 21, 0, tzinfo=UTC), datetime(2026, 10, 25, 3, 0, tzinfo=UTC)),  # 1 h won
        ):
            practice.clock.now = evening
            slug = f"of-{evening:%B}".lower()
            practice.rate(Rating.AGAIN, slug=slug)
            bank = [QuestionKey("", slug)]
            practice.clock.now = morning
            assert served(practice, bank) == due(slug), "04:00 in Berlin"
            practice.clock.advance(seconds=-1)
            assert served(practice, bank) == [(slug, State.AGAIN)]

    def test_reviews_and_new_questions_come_mixed_and_stay_where_they_are(self, practice: Practice) -> None:
        reviews = [QuestionKey("", f"review-{number}") for number in range(4)]
        fresh = [QuestionKey("", f"fresh-{number}") for number in range(8)]
        for question in reviews:
            practice.rate(Rating.AGAIN, slug=question.slug)
        practice.clock.advance(days=1)
        practice = with_goal(practice, 12)
        plan = [slug for slug, _ in served(practice, [*reviews, *fresh])]
        places = [place for place, slug in enumerate(plan) if slug.startswith("review")]
        assert places == [1, 4, 7, 10]
        met = []
        for _ in plan:
            slug = build(practice, [*reviews, *fresh]).items[0].question.slug
            practice.rate(Rating.EASY, slug=slug)
            met.append(slug)
        assert met == plan, "worked through in the order that was announced"

    def test_what_is_known_is_not_served_before_its_day(self, practice: Practice) -> None:
        practice.rate(Rating.EASY, slug="first")
        assert served(practice) == new("second", "third", "fourth")

    def test_new_questions_come_from_what_was_chosen_due_ones_from_all(self, practice: Practice) -> None:
        practice.rate(Rating.AGAIN, slug="first")
        practice.clock.advance(days=1)
        plan = queue.build(*(practice.session, practice.user, BANK, practice.clock()), new_from={BANK[2]})
        assert {item.question.slug for item in plan.items} == {"first", "third"}
        assert (plan.due, plan.new) == (1, 1)

    def test_what_left_the_bank_is_not_served_and_waits(self, practice: Practice) -> None:
        practice.rate(Rating.AGAIN, slug="first")
        practice.clock.advance(days=1)
        assert served(practice, BANK[1:]) == new("second", "third", "fourth")
        assert ("first", State.DUE) in served(practice)

    def test_a_question_named_twice_is_served_once(self, practice: Practice) -> None:
        assert len(build(practice, [*BANK, *BANK]).items) == len(BANK)

    def test_the_order_takes_the_topics_in_turn_from_the_junior_level_up(self, bank: Bank) -> None:
        order = [bank.questions[key.slug] for key in queue.serving_order(bank.questions.values())]
        assert len(order) == len(bank.questions)
        topics = [question.meta.topics[0] for question in order]
        assert len(set(topics[: len(set(topics))])) == len(set(topics)), "each once before any comes twice"


class TestAgain:
    def test_comes_back_once_with_others_between_and_then_tomorrow(self, practice: Practice) -> None:
        practice.rate(Rating.AGAIN, slug="first")
        assert [slug for slug, _ in served(practice)] == ["second", "third", "fourth", "first"]
        practice.rate(Rating.EASY, slug="second")
        assert [slug for slug, _ in served(practice)] == ["third", "fourth", "first"]
        for slug in ("third", "fourth"):
            practice.rate(Rating.EASY, slug=slug)
        assert served(practice) == [("first", State.AGAIN)]
        start_again(practice, "first")
        practice.rate(Rating.AGAIN, slug="first")
        assert served(practice) == []
        practice.clock.advance(days=1)
        assert served(practice) == due("first")

    def test_comes_back_although_the_goal_is_reached(self, practice: Practice) -> None:
        practice = with_goal(practice, 1)
        practice.rate(Rating.AGAIN, slug="first")
        assert served(practice) == [("first", State.AGAIN)]

    def test_in_a_drill_is_no_promise_to_come_back(self, practice: Practice) -> None:
        number = practice.submit("an answer", slug="first").sitting.id
        ratings.rate(
            *(practice.session, practice.user, number, Rating.AGAIN),
            key_points=[],
            key="k",
            now=practice.clock(),
            may_move=False,
        )
        assert served(practice) == new("second", "third", "fourth"), "met today already"
        practice.clock.advance(days=1)
        assert served(practice) == new("first", "second", "third", "fourth"), "and still new"


class TestGoal:
    def test_counts_questions_rated_today(self, practice: Practice) -> None:
        practice = with_goal(practice, 2)
        rated = practice.rate(Rating.AGAIN, slug="first")
        start_again(practice, "first")
        practice.rate(Rating.GOOD, slug="first")
        assert (build(practice).done_today, build(practice).goal_reached) == (1, False)
        practice.rate(Rating.GOOD, slug="second")
        assert (build(practice).done_today, build(practice).goal_reached) == (2, True)
        ratings.undo(practice.session, practice.user, rated.id, practice.clock())
        assert build(practice).done_today == 2
        practice.clock.advance(days=1)
        assert build(practice).done_today == 0

    def test_ends_the_plan_until_more_is_asked_for(self, practice: Practice) -> None:
        practice = with_goal(practice, 1)
        assert served(practice) == new("first")
        practice.rate(Rating.EASY, slug="first")
        assert served(practice) == []
        for _ in range(2):  # a double click
            preferences.go_on(practice.session, practice.user, 1, practice.clock())
        assert served(practice) == new("second")
        assert build(practice).goal == 2
        practice.clock.advance(days=1)
        assert build(practice).goal == 1


class TestMarks:
    def test_what_is_suspended_is_not_served_and_keeps_its_schedule(self, practice: Practice) -> None:
        practice.rate(Rating.AGAIN, slug="first")
        practice.clock.advance(days=3)
        where = (practice.session, practice.user, BANK[0], practice.clock())
        marks.suspend(*where, on=True)
        assert served(practice) == new("second", "third", "fourth")
        marks.suspend(*where, on=False)
        assert ("first", State.DUE) in served(practice)

    def test_what_is_skipped_comes_again_tomorrow_or_when_it_is_brought_back(
        self, practice: Practice
    ) -> None:
        marks.skip(practice.session, practice.user, BANK[0], practice.clock())
        assert served(practice) == new("second", "third", "fourth")
        assert build(practice).skipped == (BANK[0],)
        marks.bring_back(practice.session, practice.user, [BANK[0]])
        assert served(practice)[0] == ("first", State.NEW)
        marks.skip(practice.session, practice.user, BANK[0], practice.clock())
        practice.clock.advance(days=1)
        assert served(practice)[0] == ("first", State.NEW)


class TestResuming:
    def serve(self, practice: Practice, slug: str, seed: int) -> None:
        preferences.remember_served(practice.session, practice.user, QuestionKey("", slug), seed)

    def test_what_was_served_last_comes_first_with_its_numbers(self, practice: Practice) -> None:
        self.serve(practice, "third", 5)
        assert build(practice).items[0] == Item(BANK[2], State.NEW, None, 5)
        practice.clock.advance(days=1)
        assert build(practice).items[0].seed == 5, "the next morning too"

    def test_until_it_is_rated_and_again_when_that_is_undone(self, practice: Practice) -> None:
        self.serve(practice, "third", 5)
        rated = practice.rate(Rating.AGAIN, slug="third", seed=5)
        assert build(practice).items[-1] == Item(BANK[2], State.AGAIN), "with other numbers"
        ratings.undo(practice.session, practice.user, rated.id, practice.clock())
        assert build(practice).items[0] == Item(BANK[2], State.NEW, None, 5)

    def test_not_what_was_skipped_since(self, practice: Practice) -> None:
        self.serve(practice, "third", 5)
        marks.skip(practice.session, practice.user, BANK[2], practice.clock())
        assert build(practice).items[0].question == BANK[0]


def test_a_clock_set_back_serves_what_it_served_on_that_day(practice: Practice) -> None:
    practice.clock.advance(days=10)
    practice.rate(Rating.AGAIN, slug="first")
    practice.clock.advance(days=-9)
    assert served(practice) == new("second", "third", "fourth"), "rated in what is now the future"
    practice.rate(Rating.GOOD, slug="second")
    assert build(practice).done_today == 1
    practice.clock.advance(days=10)
    assert ("first", State.DUE) in served(practice)
