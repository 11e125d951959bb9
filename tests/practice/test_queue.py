from dataclasses import replace
from datetime import date

from app.practice import queue, ratings, sittings
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


def start_again(practice: Practice, slug: str) -> None:
    question = QuestionKey("", slug)
    sittings.start_again(practice.session, practice.user, practice.browser, question, 0, practice.clock())


def test_all_is_new_at_first_in_the_order_of_the_bank(practice: Practice) -> None:
    assert build(practice).items == tuple(Item(question, State.NEW, 0, None) for question in BANK)


def test_what_is_due_comes_first_the_longest_due_before_the_others(practice: Practice) -> None:
    practice.rate(Rating.AGAIN, slug="third")
    practice.clock.advance(days=1)
    practice.rate(Rating.AGAIN, slug="second")
    practice.rate(Rating.AGAIN, slug="first")
    practice.clock.advance(days=2)
    assert served(practice) == [
        ("third", State.DUE),
        ("first", State.DUE),
        ("second", State.DUE),
        ("fourth", State.NEW),
    ]


def test_due_is_by_study_day_not_by_the_hour(practice: Practice) -> None:
    practice.clock.advance(hours=10)  # 23:00 in Berlin
    practice.rate(Rating.AGAIN, slug="first")
    practice.clock.advance(hours=4, minutes=59)  # 03:59
    assert ("first", State.DUE) not in served(practice)
    practice.clock.advance(minutes=1)
    assert served(practice)[0] == ("first", State.DUE)


def test_again_comes_back_once_before_what_is_new(practice: Practice) -> None:
    practice.rate(Rating.AGAIN, slug="second")
    assert served(practice)[0] == ("second", State.AGAIN)
    start_again(practice, "second")
    practice.rate(Rating.AGAIN, slug="second")
    assert served(practice) == [("first", State.NEW), ("third", State.NEW), ("fourth", State.NEW)]
    practice.clock.advance(days=1)
    assert served(practice)[0] == ("second", State.DUE)


def test_what_is_known_is_not_served_before_its_day(practice: Practice) -> None:
    practice.rate(Rating.EASY, slug="first")
    assert [slug for slug, _ in served(practice)] == ["second", "third", "fourth"]


def test_each_time_with_a_variant_not_met_yet(practice: Practice) -> None:
    practice.rate(Rating.AGAIN, slug="first")
    assert build(practice).items[0].seed == 1
    rated = practice.rate(Rating.GOOD, slug="first", seed=1)
    practice.clock.advance(days=1)
    assert build(practice).items[0] == Item(BANK[0], State.DUE, 2, date(2026, 3, 3))
    ratings.undo(practice.session, practice.user, rated.id, practice.clock())
    assert build(practice).items[0].seed == 1


def test_what_left_the_bank_is_not_served_and_waits(practice: Practice) -> None:
    practice.rate(Rating.AGAIN, slug="first")
    practice.clock.advance(days=1)
    assert served(practice, BANK[1:]) == [(question.slug, State.NEW) for question in BANK[1:]]
    assert served(practice)[0] == ("first", State.DUE)


def test_a_question_named_twice_is_served_once(practice: Practice) -> None:
    assert len(build(practice, [*BANK, *BANK]).items) == len(BANK)


def test_the_goal_counts_questions_rated_today(practice: Practice) -> None:
    practice = replace(practice, user=replace(practice.user, daily_goal=2))
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


def test_counts_by_state(practice: Practice) -> None:
    practice.rate(Rating.AGAIN, slug="first")
    practice.clock.advance(days=1)
    practice.rate(Rating.AGAIN, slug="second")
    built = build(practice)
    assert [built.count(state) for state in (State.DUE, State.AGAIN, State.NEW)] == [1, 1, 2]
