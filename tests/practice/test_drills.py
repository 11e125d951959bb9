import random
from dataclasses import replace
from datetime import timedelta

import pytest

from app.accounts.users import User
from app.bank.load import Bank
from app.bank.question import Question
from app.practice import drills, ratings, sittings
from app.practice.drills import MAX_QUESTIONS, Drill
from app.practice.question_state import key_of
from app.practice.schedule import Rating
from tests.practice.conftest import Practice


@pytest.fixture
def questions(bank: Bank) -> list[Question]:
    """Two questions, in the pack that `Practice` sits with."""
    return [replace(bank.questions[slug], pack="") for slug in ("attention-matrix-memory", "mfu-and-hfu")]


def start(practice: Practice, questions: list[Question], key: str = "") -> int:
    where = (practice.session, practice.user, questions)
    return drills.start(*where, title="Two", moves_schedule=False, key=key, now=practice.clock())


def get(practice: Practice, number: int) -> Drill:
    drill = drills.get(practice.session, practice.user, number)
    assert drill is not None
    return drill


def work(practice: Practice, drill: Drill, rating: Rating) -> ratings.Rated:
    """Answers the next question, wrong and then right, and rates it."""
    item = drill.next
    assert item is not None
    for text, credit in (("2 GB", 0.3), ("2 GiB", 1.0)):
        submitted = practice.submit(text, slug=item.question.slug, seed=item.seed, credit=credit)
    return practice.rate(rating, slug=item.question.slug, sitting_id=submitted.sitting.id)


def test_is_worked_through_in_its_order(practice: Practice, questions: list[Question]) -> None:
    number = start(practice, questions)
    drill = get(practice, number)
    assert [item.question for item in drill.items] == [key_of(question) for question in questions]
    work(practice, drill, Rating.HARD)
    drill = get(practice, number)
    assert (drill.done, drill.items[0].rating) == (1, Rating.HARD)
    assert [answer.text for answer in drill.items[0].firsts] == ["2 GB"], "the first one counts"
    assert drill.items[0].credit == pytest.approx(0.3)
    assert drill.next == drill.items[1]
    drills.pass_over(
        *(practice.session, practice.user, number, drill.items[1].question, drill.items[1].seed),
        practice.clock(),
    )
    drill = get(practice, number)
    assert (drill.next, drill.items[1].passed, drill.items[1].credit) == (None, True, None)


def test_asked_for_twice_it_is_one(practice: Practice, questions: list[Question]) -> None:
    assert start(practice, questions, "k") == start(practice, questions, "k")
    assert start(practice, questions, "k") != start(practice, questions, "another")


def test_goes_on_after_days_and_the_clock_set_back(practice: Practice, questions: list[Question]) -> None:
    number = start(practice, questions)
    work(practice, get(practice, number), Rating.GOOD)
    for wait in (timedelta(days=40), timedelta(days=-90)):
        practice.clock.now += wait
        unfinished = drills.unfinished(practice.session, practice.user)
        assert unfinished is not None
        assert (unfinished.id, unfinished.done) == (number, 1)
    drills.end(practice.session, practice.user, number, practice.clock())
    assert drills.unfinished(practice.session, practice.user) is None


def test_an_undone_rating_opens_its_question_again(practice: Practice, questions: list[Question]) -> None:
    number = start(practice, questions)
    rated = work(practice, get(practice, number), Rating.GOOD)
    ratings.undo(practice.session, practice.user, rated.id, practice.clock())
    assert get(practice, number).next == get(practice, number).items[0]


def test_the_numbers_are_new_each_time(practice: Practice, questions: list[Question]) -> None:
    seeds = set()
    for _ in range(3):
        item = get(practice, start(practice, questions)).items[0]
        practice.submit("2 GiB", slug=item.question.slug, seed=item.seed)
        seeds.add(item.seed)
    assert len(seeds) == 3


def test_those_not_met_for_longest_are_chosen(practice: Practice, bank: Bank) -> None:
    everything = list(bank.questions.values())
    for question in everything[1:]:
        sittings.open_or_get(
            *(practice.session, practice.user, practice.browser),
            practice.variant(question.slug, question=key_of(question)),
            practice.clock(),
        )
    chance = random.Random(7)
    chosen = drills.choose(practice.session, practice.user, everything, 3, chance)
    assert chosen == everything[:3]
    as_many = drills.choose(practice.session, practice.user, everything, 10**6, chance)
    assert len(as_many) == min(len(everything), MAX_QUESTIONS)


def test_is_its_users_alone(practice: Practice, questions: list[Question]) -> None:
    number = start(practice, questions)
    stranger: User = replace(practice.user, id=practice.user.id + 1)
    assert drills.get(practice.session, stranger, number) is None
    drills.end(practice.session, stranger, number, practice.clock())
    item = get(practice, number).items[0]
    drills.pass_over(practice.session, stranger, number, item.question, item.seed, practice.clock())
    assert get(practice, number).next == item
    for odd in (0, -1, 10**20):
        assert drills.get(practice.session, practice.user, odd) is None
