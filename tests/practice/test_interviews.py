"""A mock interview in the domain: its clock, its questions, its results; on both databases."""

import random
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlmodel import col, select

from app.accounts import users
from app.bank.load import Bank
from app.exchange import archive
from app.models import CardRow, InterviewRow, SittingRow
from app.practice import interviews, interviews_notes, interviews_running, progress, progress_history
from app.practice import interviews_results as results
from app.practice.interviews import Interview
from app.practice.interviews_running import InterviewRunning
from app.practice.interviews_sets import SetUp
from app.practice.kept_text import Stamp
from app.practice.records import QuestionKey
from app.practice.schedule import Rating
from app.practice.standing import standings
from tests.practice.conftest import Practice
from tests.practice.interviewing import Room, make_bank

OTHER = QuestionKey("pack", "other")


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Bank:
    return make_bank(tmp_path_factory.mktemp("interviews") / "pack")


@pytest.fixture
def room(practice: Practice, bank: Bank) -> Room:
    return Room(practice, bank)


def asked(interview: Interview) -> list[str]:
    return [item.question.slug for item in interview.items]


def test_runs_through_its_plan_and_ends_by_itself(room: Room) -> None:
    room.start("other", "words")
    room.practice.clock.advance(seconds=90)
    assert room.answer("20") == {}
    room.practice.clock.advance(seconds=30)
    assert room.answer("It waits.") == {}
    interview = room.interview
    assert asked(interview) == ["other", "words"]
    assert [item.seconds(room.practice.clock()) for item in interview.items] == [90, 30]
    assert [item.credit for item in interview.items] == [1.0, None]
    assert (interview.over, interview.current) == (True, None)
    assert interview.seconds_taken(room.practice.clock()) == 120
    assert all(item.sitting and item.sitting.revealed and item.sitting.ended_at for item in interview.items)


def test_follow_ups_go_deeper_three_times_and_then_the_plan_goes_on(room: Room) -> None:
    room.start("start", "other", questions=9, follow_ups=True)
    for _ in range(5):
        room.answer()
    interview = room.interview
    assert asked(interview) == ["start", "deep", "deeper", "deepest", "other"]
    assert [item.follows for item in interview.items] == [None, 1, 2, 3, None]
    assert interview.over, "bottom is one too deep, and nothing else is left"
    assert interview.questions == 6, "so many could come of these two"


def test_what_was_passed_over_is_not_followed_up(room: Room) -> None:
    room.start("start", "other")
    room.pass_over()
    assert room.open.question.slug == "other"
    passed = room.interview.items[0]
    assert (passed.passed, passed.credit, passed.answered) == (True, 0.0, False)


def test_without_follow_ups_the_plan_alone_is_asked(room: Room) -> None:
    room.start("start", "other", follow_ups=False, questions=5)
    assert room.interview.questions == 2
    room.answer()
    assert room.open.question.slug == "other"


def test_late_answers_are_kept_and_late(room: Room) -> None:
    room.start("other", "words", "start")
    room.practice.clock.advance(minutes=10)
    room.answer()
    assert room.interview.seconds_left(room.practice.clock()) == 0
    room.practice.clock.advance(days=3)
    room.answer("It waits.")
    interview = room.interview
    assert [interview.late(item) for item in interview.items] == [False, True, False]
    assert interview.items[1].answers[0].text == "It waits."
    assert interview.seconds_left(room.practice.clock()) == -3 * 86400


def test_a_clock_that_runs_backwards_harms_nothing(room: Room) -> None:
    room.start("other", "words", "start")
    room.practice.clock.advance(minutes=9)
    room.answer()
    room.practice.clock.now -= timedelta(days=400)
    assert room.interview.seconds_left(room.practice.clock()) == 60
    room.answer("It waits.")
    room.end()
    interview = room.interview
    assert [item.seconds(room.practice.clock()) for item in interview.items] == [540, 0, 0]
    assert interview.seconds_taken(room.practice.clock()) == 540
    assert not any(interview.late(item) for item in interview.items)


def test_nothing_is_done_twice(room: Room) -> None:
    number = room.start("other", "words", key="k")
    assert room.start("other", "words", key="k") == number
    with pytest.raises(InterviewRunning):
        room.start("other", key="another")
    room.answer(place=1, key="a")
    room.answer(place=1, key="a")
    room.answer("30", place=1, key="b")
    interview = room.interview
    assert asked(interview) == ["other", "words"]
    assert [answer.text for answer in interview.items[0].answers] == ["20"]
    room.end()
    first = room.interview.ended_at
    room.practice.clock.advance(hours=1)
    room.end(abandoned=True)
    assert (room.interview.ended_at, room.interview.abandoned) == (first, False)


def test_what_cannot_be_read_costs_nothing_and_stores_nothing(room: Room) -> None:
    room.start("other")
    assert "" in room.answer("two dozen")
    assert room.answer("  ") == {"": "Give an answer first, or pass."}
    assert not room.open.answered
    assert room.answer("20") == {}


def test_hints_are_counted_once_each_and_stay_with_the_question(room: Room) -> None:
    room.start("other")
    for number in (1, 1, 2, 99):
        interviews_running.take_hint(
            *(room.practice.session, room.practice.user, room.bank, room.number, 1, number),
            room.practice.clock(),
        )
    assert room.open.hints_used == 2
    room.answer()
    interviews_running.take_hint(
        *(room.practice.session, room.practice.user, room.bank, room.number, 1, 1), room.practice.clock()
    )
    assert room.interview.items[0].hints_used == 2


def test_revealed_each_waits_before_the_next_one(room: Room) -> None:
    room.start("words", "other", reveal_each=True)
    room.practice.clock.advance(seconds=20)
    room.answer("It waits.")
    room.practice.clock.advance(minutes=5)
    item = room.open
    assert (item.place, item.done, item.sitting is not None and item.sitting.revealed) == (1, True, True)
    for _ in range(2):
        interviews_running.go_on(
            *(room.practice.session, room.practice.user, room.bank, room.number, 1, {"cause", "gone"}),
            room.practice.clock(),
        )
    first, second = room.interview.items
    assert (first.points, first.credit, first.seconds(room.practice.clock())) == (("cause",), 0.75, 20)
    assert (second.place, second.done) == (2, False)


def test_key_points_judge_words_and_only_once_the_answer_may_be_seen(room: Room) -> None:
    room.start("words", "other")
    room.answer("It waits.")
    room.mark(1, ["cause"])
    assert room.interview.items[0].points is None
    room.end()
    room.mark(1, ["size", "slip"])
    assert room.interview.items[0].credit == 0.0
    room.mark(1, ["cause", "size"])
    assert room.interview.items[0].credit == 1.0
    room.mark(2, ["product"])
    assert room.interview.items[1].credit is None, "it was not answered"


def test_the_schedule_moves_only_where_asked(room: Room) -> None:
    room.start("other", "words")
    room.answer()
    room.answer("It waits.")
    room.mark(2, ["cause"])
    assert room.ratings() == []
    room.practice.clock.advance(days=1)
    room.start("other", "start", "words", key="two", moves_schedule=True, follow_ups=False)
    room.answer(str(10 * _n(room)))
    room.pass_over()
    assert room.ratings() == [], "not before the end"
    room.answer("It waits.")
    assert room.ratings() == [("other", 3, True), ("start", 1, True)]
    room.mark(3, ["cause"])
    assert room.ratings()[2:] == [("words", 3, True)]
    room.practice.clock.advance(days=1)
    room.start("other", key="three", moves_schedule=True)
    room.end(abandoned=True)
    assert len(room.ratings()) == 3


def _n(room: Room) -> int:
    sitting = room.open.sitting
    assert sitting is not None
    return int(sitting.params["n"])


def test_each_time_with_numbers_not_met_before(room: Room) -> None:
    seeds = set()
    for key in "abc":
        room.start("other", key=key)
        seeds.add(room.open.seed)
        room.end()
    assert len(seeds) == 3


def test_results_by_topic_against_earlier_ones(room: Room) -> None:
    room.start("other", "words", key="a")
    room.answer("30")
    room.answer("It waits.")
    room.start("other", key="dropped")
    room.end(abandoned=True)
    room.start("other", "start", key="b", follow_ups=False)
    room.practice.clock.advance(seconds=40)
    room.answer(str(10 * _n(room)))
    room.end()
    interview = room.interview
    before = results.earlier(room.practice.session, room.practice.user, interview)
    assert [(each.credit, each.judged, each.asked) for each in before] == [(0.0, 1, 2)]
    [topic] = results.by_topic(interview, before, room.practice.clock())
    assert (topic.topic, topic.asked, topic.credit, topic.earlier, topic.seconds) == ("serving", 2, 1, 0, 20)
    assert [item.question.slug for item in results.weak_questions(interview)] == ["start"]


def test_notes_are_kept_as_typed_and_two_windows_lose_nothing(room: Room) -> None:
    room.start("other")
    where = (room.practice.session, room.practice.user, room.number, 1)
    now = room.practice.clock()
    interviews_notes.save(*where, "b·h", stamp=Stamp(0), now=now)
    interviews_notes.save(*where, "b·h·n²", stamp=Stamp(1), now=now)
    note = interviews_notes.save(*where, "another window", stamp=Stamp(1), now=now + timedelta(seconds=1))
    assert (note.text, note.set_aside) == ("another window", "b·h·n²")
    interviews_notes.dismiss(*where)
    assert room.open.note.set_aside is None
    with pytest.raises(interviews_notes.NoSuchQuestion):
        interviews_notes.save(*where[:3], 7, "x", stamp=Stamp(0), now=now)


def test_a_question_that_is_gone_from_the_bank_holds_nothing_up(room: Room) -> None:
    room.start("other", "words")
    room.bank = Bank.load([])
    assert room.answer("20") == {}
    interview = room.interview
    assert (interview.over, interview.items[0].passed) == (True, True)
    assert results.variant_of(room.bank, interview.items[0]) is None


def test_is_its_users_alone_and_goes_along_and_away_with_them(room: Room) -> None:
    room.start("other", "words")
    room.answer("30")
    interviews_notes.save(
        *(room.practice.session, room.practice.user, room.number, 1), "aloud", stamp=Stamp(0),
        now=room.practice.clock(),
    )  # fmt: skip
    room.end()
    session, user = room.practice.session, room.practice.user
    for odd in (0, -1, 10**20, room.number + 1):
        assert interviews.get(session, user, odd) is None
    assert interviews.get(session, replace(user, id=user.id + 1), room.number) is None
    before = room.interview
    document = archive.export(session, user, room.practice.clock())
    archive.restore(session, user, document, replace=True)
    [again] = interviews.summaries(session, user)
    found = interviews.get(session, user, again.id)
    assert found is not None
    assert [(item.question, item.credit, item.note.text, len(item.answers)) for item in found.items] == [
        (item.question, item.credit, item.note.text, len(item.answers)) for item in before.items
    ]
    users.delete_everything(session, user)
    assert session.exec(select(InterviewRow)).all() == []


def test_what_follows_up_another_one_does_not_open_a_subject(room: Room, bank: Bank) -> None:
    where = (room.practice.session, room.practice.user)
    chance = random.Random(7)
    for _ in range(5):
        drawn = interviews_running.draw(*where, bank.questions.values(), SetUp(questions=3), chance)
        assert {each.slug for each in drawn} == {"start", "other", "words"}
    everything = interviews_running.draw(*where, bank.questions.values(), SetUp(questions=20), chance)
    assert {each.slug for each in everything} == set(bank.questions)


def practised(room: Room) -> tuple[int, int, str | None]:
    """How many attempts are told, how many are counted, and how the last answer to `other` was."""
    session, user, now = room.practice.session, room.practice.user, room.practice.clock()
    told = progress.attempts(session, user).attempts
    counted = progress_history.load(session, user).sittings
    return len(told), len(counted), standings(session, user, [OTHER], now)[OTHER].outcome


def test_what_an_interview_keeps_to_its_end_is_told_nowhere_before(room: Room) -> None:
    room.start("other", "words")
    room.answer("30")
    assert practised(room) == (0, 0, None)
    room.end()
    assert practised(room) == (2, 2, "wrong")


def test_what_each_question_reveals_is_told_at_once(room: Room) -> None:
    room.start("other", "words", reveal_each=True)
    room.answer("30")
    assert practised(room) == (1, 1, "wrong")


def test_an_abandoned_interview_is_told_and_counts_for_nothing(room: Room) -> None:
    room.start("other", "words")
    room.answer("30")
    room.end(abandoned=True)
    assert practised(room) == (2, 0, None)


def test_deleted_it_is_gone_with_its_answers_and_with_what_it_moved(room: Room) -> None:
    session, user = room.practice.session, room.practice.user
    room.practice.rate(Rating.GOOD, slug="other")
    before = session.exec(select(col(CardRow.stability), col(CardRow.due_day))).all()
    room.practice.clock.advance(days=3)
    room.start("other", moves_schedule=True)
    interviews.delete(session, user, room.number)
    assert room.interview, "while it runs it stays"
    room.answer("30")
    assert session.exec(select(col(CardRow.stability), col(CardRow.due_day))).all() != before
    interviews.delete(session, replace(user, id=user.id + 1), room.number)
    assert room.interview.over, "it is nobody else's to delete"
    interviews.delete(session, user, room.number)
    assert interviews.get(session, user, room.number) is None
    assert session.exec(select(col(CardRow.stability), col(CardRow.due_day))).all() == before
    assert len(session.exec(select(SittingRow)).all()) == 1
