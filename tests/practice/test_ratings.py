import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete
from sqlmodel import Session, func, select

from app.accounts.browser_sessions import open_session
from app.accounts.users import LOCAL_LOGIN, User, local_user
from app.database import Database, parse_url, writing
from app.migrate import migrate
from app.models import CardRow, RatingRow, UserRow
from app.practice import ratings, schedule, sittings
from app.practice.ratings import NoSuchSitting
from app.practice.records import QuestionKey
from app.practice.schedule import Card, Rating, Review
from app.practice.study_day import begins_at, study_day
from tests.conftest import FakeClock
from tests.practice.conftest import Practice

MATRIX = QuestionKey("", "matrix")
TODAY = date(2026, 3, 2)


def card(practice: Practice, slug: str = "matrix") -> Card | None:
    return ratings.card_of(practice.session, practice.user, QuestionKey("", slug))


def stored(practice: Practice) -> int:
    return practice.session.exec(select(func.count()).select_from(RatingRow)).one()


def cards(session: Session) -> dict[tuple[str, str], dict[str, object]]:
    session.expire_all()
    rows = session.exec(select(CardRow))
    return {(row.pack, row.slug): row.model_dump(exclude={"id"}) for row in rows}


def new_sitting(practice: Practice, slug: str = "matrix") -> int:
    question = QuestionKey("", slug)
    where = (practice.session, practice.user, practice.browser)
    sittings.start_again(*where, question, 0, practice.clock())
    return sittings.open_or_get(*where, practice.variant(slug), practice.clock()).id


class TestRating:
    def test_sets_the_day_on_which_it_comes_back(self, practice: Practice) -> None:
        offered = {each.rating: each for each in choices(practice)}
        rated = practice.rate(Rating.GOOD)
        found = card(practice)
        assert found is not None
        assert rated.moves_schedule
        assert (found.due_day, found.last_day) == (offered[Rating.GOOD].due_day, TODAY)
        assert offered[Rating.GOOD].days == (found.due_day - TODAY).days
        assert (found.reviews, found.last_rating) == (1, Rating.GOOD)

    def test_keeps_the_key_points(self, practice: Practice) -> None:
        number = new_sitting(practice)
        ratings.rate(
            *(practice.session, practice.user, number, Rating.HARD, ["shape", "linear"]),
            key="k",
            now=practice.clock(),
        )
        rated = ratings.current(practice.session, practice.user, number)
        assert rated is not None
        assert (rated.rating, rated.key_points) == (Rating.HARD, ("shape", "linear"))

    def test_sent_twice_it_is_stored_once(self, practice: Practice) -> None:
        number = new_sitting(practice)
        first = practice.rate(Rating.GOOD, sitting_id=number, key="k")
        assert practice.rate(Rating.GOOD, sitting_id=number, key="k") == first
        assert stored(practice) == 1

    def test_sent_at_once_it_is_stored_once(self, practice: Practice, database: Database) -> None:
        number = new_sitting(practice)
        barrier = threading.Barrier(6)
        found: list[int] = []
        errors: list[Exception] = []

        def work() -> None:
            try:
                with database.session() as session:
                    barrier.wait(timeout=30)
                    own = replace(practice, session=session)
                    found.append(own.rate(Rating.GOOD, sitting_id=number, key="k").id)
            except Exception as error:
                errors.append(error)

        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
        assert (len(found), len(set(found)), stored(practice)) == (6, 1, 1)

    def test_different_ratings_at_once_leave_one_that_counts(
        self, practice: Practice, database: Database
    ) -> None:
        number = new_sitting(practice)
        barrier = threading.Barrier(4)
        errors: list[Exception] = []

        def work(rating: Rating) -> None:
            try:
                with database.session() as session:
                    barrier.wait(timeout=30)
                    replace(practice, session=session).rate(rating, sitting_id=number)
            except Exception as error:
                errors.append(error)

        threads = [threading.Thread(target=work, args=(rating,)) for rating in Rating]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
        rated = ratings.current(practice.session, practice.user, number)
        found = card(practice)
        assert rated is not None
        assert found is not None
        assert (found.reviews, found.last_rating) == (1, rated.rating)

    def test_of_the_evening_counts_for_the_evening(self, practice: Practice) -> None:
        practice.clock.now = datetime(2026, 3, 3, 2, 59, tzinfo=UTC)  # 03:59 in Berlin
        practice.rate(Rating.AGAIN)
        found = card(practice)
        assert found is not None
        assert (found.last_day, found.due_day) == (TODAY, TODAY + timedelta(days=1))

    def test_only_the_first_of_a_day_moves_the_schedule(self, practice: Practice) -> None:
        practice.rate(Rating.AGAIN)
        after_first = card(practice)
        practice.clock.advance(minutes=20)
        assert {each.moves_schedule for each in choices(practice)} == {False}
        assert not practice.rate(Rating.EASY, sitting_id=new_sitting(practice)).moves_schedule
        assert card(practice) == after_first
        practice.clock.advance(days=1)
        assert practice.rate(Rating.GOOD, sitting_id=new_sitting(practice)).moves_schedule

    @pytest.mark.parametrize("number", [0, -5, 12345, 10**30])
    def test_of_nothing_is_refused(self, practice: Practice, number: int) -> None:
        with pytest.raises(NoSuchSitting):
            ratings.rate(
                practice.session, practice.user, number, Rating.GOOD, [], key="k", now=practice.clock()
            )
        with pytest.raises(NoSuchSitting):
            ratings.undo(practice.session, practice.user, number, practice.clock())

    def test_of_somebody_elses_sitting_is_refused(self, practice: Practice) -> None:
        rated = practice.rate(Rating.GOOD)
        with writing(practice.session):
            row = UserRow(login="other", retention=0.9, daily_goal=10, created_at=practice.clock())
            practice.session.add(row)
            practice.session.flush()
        assert row.id is not None
        stranger = replace(practice, user=User(row.id, "other", "UTC", True, 0.9, 10))
        with pytest.raises(NoSuchSitting):
            stranger.rate(Rating.AGAIN, sitting_id=rated.sitting_id)
        with pytest.raises(NoSuchSitting):
            ratings.undo(practice.session, stranger.user, rated.id, practice.clock())
        assert ratings.current(practice.session, stranger.user, rated.sitting_id) is None


def choices(practice: Practice, sitting_id: int | None = None) -> tuple[ratings.Choice, ...]:
    return ratings.choices(practice.session, practice.user, MATRIX, practice.clock(), sitting_id)


class TestCorrecting:
    def test_stands_in_the_place_of_what_it_corrects(self, practice: Practice) -> None:
        number = new_sitting(practice)
        practice.rate(Rating.AGAIN, sitting_id=number)
        practice.clock.advance(minutes=1)
        offered = {each.rating: each for each in choices(practice, number)}
        corrected = practice.rate(Rating.EASY, sitting_id=number)
        found = card(practice)
        assert found is not None
        assert (found.reviews, found.last_rating) == (1, Rating.EASY)
        assert found.due_day == offered[Rating.EASY].due_day
        assert ratings.current(practice.session, practice.user, number) == corrected
        assert stored(practice) == 2

    def test_the_corrected_one_sent_again_changes_nothing(self, practice: Practice) -> None:
        number = new_sitting(practice)
        practice.rate(Rating.AGAIN, sitting_id=number, key="first")
        practice.rate(Rating.EASY, sitting_id=number, key="second")
        before = card(practice)
        late = practice.rate(Rating.AGAIN, sitting_id=number, key="first")
        assert not late.counts
        assert card(practice) == before

    def test_of_an_older_one_keeps_the_later_reviews(self, practice: Practice) -> None:
        first = new_sitting(practice)
        practice.rate(Rating.AGAIN, sitting_id=first)
        practice.clock.advance(days=3)
        practice.rate(Rating.GOOD, sitting_id=new_sitting(practice))
        practice.clock.advance(days=1)
        practice.rate(Rating.EASY, sitting_id=first)
        found = card(practice)
        assert found is not None
        assert (found.reviews, found.last_rating) == (2, Rating.GOOD)
        assert found.last_day == TODAY + timedelta(days=3)


class TestDrilling:
    def rate(self, practice: Practice, rating: Rating, number: int) -> ratings.Rated:
        return ratings.rate(
            *(practice.session, practice.user, number, rating, []),
            key=f"{number}-{rating}",
            now=practice.clock(),
            may_move=False,
        )

    def test_leaves_what_is_scheduled_as_it_is(self, practice: Practice) -> None:
        practice.rate(Rating.GOOD)
        before = card(practice)
        practice.clock.advance(days=2)
        assert not self.rate(practice, Rating.AGAIN, new_sitting(practice)).moves_schedule
        assert card(practice) == before
        assert practice.rate(Rating.GOOD, sitting_id=new_sitting(practice)).moves_schedule, "the day is free"

    def test_leaves_a_new_question_new(self, practice: Practice) -> None:
        offered = ratings.choices(practice.session, practice.user, MATRIX, practice.clock(), may_move=False)
        assert {(each.due_day, each.days, each.moves_schedule) for each in offered} == {(None, None, False)}
        self.rate(practice, Rating.EASY, new_sitting(practice))
        assert card(practice) is None

    def test_a_correction_stays_in_the_drill(self, practice: Practice) -> None:
        number = new_sitting(practice)
        self.rate(practice, Rating.EASY, number)
        corrected = practice.rate(Rating.GOOD, sitting_id=number)
        assert (corrected.moves_schedule, corrected.may_move) == (False, False)
        assert card(practice) is None
        ratings.undo(practice.session, practice.user, corrected.id, practice.clock())
        assert practice.rate(Rating.GOOD, sitting_id=number).moves_schedule, "taken back, and given outside"


class TestUndoing:
    def test_the_last_of_the_day_is_the_one_to_undo(self, practice: Practice) -> None:
        assert ratings.last_today(practice.session, practice.user, practice.clock()) is None
        first = practice.rate(Rating.GOOD, slug="first")
        second = practice.rate(Rating.AGAIN, slug="second")
        assert ratings.last_today(practice.session, practice.user, practice.clock()) == second
        ratings.undo(practice.session, practice.user, second.id, practice.clock())
        assert ratings.last_today(practice.session, practice.user, practice.clock()) == first
        assert ratings.find(practice.session, practice.user, second.id) is not None
        practice.clock.advance(days=1)
        assert ratings.last_today(practice.session, practice.user, practice.clock()) is None

    def test_takes_it_back_as_if_it_had_not_been(self, practice: Practice) -> None:
        practice.rate(Rating.GOOD)
        before = card(practice)
        practice.clock.advance(days=4)
        rated = practice.rate(Rating.AGAIN, sitting_id=new_sitting(practice))
        for _ in range(2):
            ratings.undo(practice.session, practice.user, rated.id, practice.clock())
        assert card(practice) == before
        assert ratings.current(practice.session, practice.user, rated.sitting_id) is None
        assert stored(practice) == 3

    def test_of_the_only_one_leaves_it_new(self, practice: Practice) -> None:
        rated = practice.rate(Rating.GOOD)
        ratings.undo(practice.session, practice.user, rated.id, practice.clock())
        assert card(practice) is None
        assert {each.moves_schedule for each in choices(practice)} == {True}

    def test_then_the_sitting_can_be_rated_again(self, practice: Practice) -> None:
        rated = practice.rate(Rating.GOOD)
        ratings.undo(practice.session, practice.user, rated.id, practice.clock())
        assert practice.rate(Rating.EASY, sitting_id=rated.sitting_id).moves_schedule
        found = card(practice)
        assert found is not None
        assert (found.reviews, found.last_rating) == (1, Rating.EASY)

    def test_of_the_one_that_moved_lets_a_correction_of_the_other_move(self, practice: Practice) -> None:
        moved = practice.rate(Rating.AGAIN)
        practice_only = practice.rate(Rating.GOOD, sitting_id=new_sitting(practice))
        ratings.undo(practice.session, practice.user, moved.id, practice.clock())
        assert card(practice) is None
        assert {each.moves_schedule for each in choices(practice, practice_only.sitting_id)} == {True}
        assert practice.rate(Rating.HARD, sitting_id=practice_only.sitting_id).moves_schedule

    def test_of_a_correction_takes_the_rating_back_too(self, practice: Practice) -> None:
        number = new_sitting(practice)
        practice.rate(Rating.GOOD, sitting_id=number)
        corrected = practice.rate(Rating.EASY, sitting_id=number)
        ratings.undo(practice.session, practice.user, corrected.id, practice.clock())
        assert ratings.current(practice.session, practice.user, number) is None
        assert card(practice) is None


class TestTime:
    def test_a_clock_set_back_never_reviews_before_the_last_time(self, practice: Practice) -> None:
        practice.rate(Rating.GOOD)
        practice.clock.advance(days=-20)
        practice.rate(Rating.GOOD, sitting_id=new_sitting(practice))
        found = card(practice)
        assert found is not None
        assert (found.last_day, found.reviews) == (TODAY, 2)
        assert found.due_day > TODAY

    def test_a_night_in_which_the_clocks_change_is_one_day(self, practice: Practice) -> None:
        """From the evening to 04:00 are 6 hours, 5 or 7: the due day is the same day of the calendar."""
        found = []
        for evening in ((2026, 3, 1), (2026, 3, 28), (2026, 10, 24)):
            practice.clock.now = datetime(*evening, 21, 0, tzinfo=UTC)
            slug = f"evening-{evening[1]}-{evening[2]}"
            practice.rate(Rating.HARD, slug=slug)
            due = card(practice, slug)
            assert due is not None
            assert due.last_day == date(*evening)
            practice.clock.now = begins_at(due.due_day, "Europe/Berlin")
            offered = ratings.choices(
                practice.session, practice.user, QuestionKey("", slug), practice.clock()
            )
            found.append((due.stability, offered[0].moves_schedule))
        assert len(set(found)) == 1

    def test_the_retention_of_then_is_kept(self, practice: Practice) -> None:
        often = replace(practice, user=replace(practice.user, retention=0.97))
        often.rate(Rating.EASY)
        before = card(practice)
        ratings.rebuild_cards(practice.session, replace(practice.user, retention=0.70))
        assert card(practice) == before


@pytest.fixture(scope="module")
def bench() -> Iterator[Practice]:
    """A database for all examples of a property; each example asks about questions of its own."""
    clock = FakeClock(datetime(2026, 3, 2, 12, tzinfo=UTC))
    with TemporaryDirectory() as folder:
        database = Database(parse_url(f"sqlite:///{Path(folder) / 'bench.sqlite3'}"))
        migrate(database)
        with database.session() as session:
            user = replace(local_user(session, clock()), zone="Europe/Berlin")
            _, browser = open_session(session, user, clock())
            yield Practice(session, user, browser, clock)
        database.close()


steps = st.lists(
    st.one_of(
        st.tuples(st.just("rate"), st.sampled_from(Rating), st.sampled_from("ab")),
        st.tuples(st.just("drill"), st.sampled_from(Rating), st.sampled_from("ab")),
        st.tuples(st.just("correct"), st.sampled_from(Rating), st.integers(0, 20)),
        st.tuples(st.just("undo"), st.none(), st.integers(0, 20)),
        st.tuples(st.just("wait"), st.none(), st.integers(-48, 24 * 60)),
        st.tuples(st.just("retention"), st.none(), st.integers(70, 97)),
    ),
    max_size=20,
)


@dataclass
class Given:
    """A rating as a second, simpler account of the rules keeps it."""

    sitting: int
    slug: str
    day: date
    rating: Rating
    retention: float
    may_move: bool
    moves: bool


class Ledger:
    """The rules over again: a list in which a correction replaces and an undo removes."""

    def __init__(self) -> None:
        self.given: list[Given] = []

    def rate(self, one: Given) -> None:
        old = next((each for each in self.given if each.sitting == one.sitting), None)
        if old is not None:
            one.day, one.retention, one.may_move = old.day, old.retention, old.may_move
        others = [each for each in self.given if each is not old and each.slug == one.slug]
        one.moves = one.may_move and not any(each.moves and each.day == one.day for each in others)
        if old is None:
            self.given.append(one)
        else:
            self.given[self.given.index(old)] = one

    def undo(self, sitting: int) -> None:
        self.given = [each for each in self.given if each.sitting != sitting]

    def card(self, slug: str) -> Card | None:
        card: Card | None = None
        for each in self.given:
            if each.slug == slug and each.moves:
                seed = f"{LOCAL_LOGIN}||{slug}"
                card = schedule.review(card, Review(each.rating, each.day, each.retention), seed)
        return card


@given(history=steps)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_cards_are_what_the_ratings_lead_to_and_rebuilding_changes_none(
    bench: Practice, history: list[tuple[str, Rating | None, str | int]]
) -> None:
    """Over histories with undo, corrections, drills, changes of the retention and clocks set back."""
    with writing(bench.session):
        bench.session.exec(delete(RatingRow))
        bench.session.exec(delete(CardRow))
    bench.clock.now = datetime(2026, 3, 2, 12, tzinfo=UTC)
    ledger, rated, retention = Ledger(), list[ratings.Rated](), 0.9
    for act, rating, which in history:
        user = replace(bench.user, retention=retention)
        today = study_day(bench.clock(), user.zone)
        if act == "wait":
            bench.clock.advance(hours=int(which))
        elif act == "retention":
            retention = int(which) / 100
        elif rating is None:
            if rated:
                undone = rated[int(which) % len(rated)]
                ratings.undo(bench.session, user, undone.id, bench.clock())
                current = ratings.current(bench.session, user, undone.sitting_id)
                if current is None:
                    ledger.undo(undone.sitting_id)
        elif act != "correct" or rated:
            again = rated[int(which) % len(rated)] if act == "correct" else None
            slug = again.question.slug if again else str(which)
            number = again.sitting_id if again else new_sitting(bench, slug)
            drilled = act == "drill"
            rated.append(
                ratings.rate(
                    *(bench.session, user, number, rating, []),
                    key=f"key-{len(rated)}",
                    now=bench.clock(),
                    may_move=not drilled,
                )
            )
            ledger.rate(Given(number, slug, today, rating, retention, not drilled, moves=False))
    for slug in "ab":
        assert card(bench, slug) == ledger.card(slug)
    before = cards(bench.session)
    assert ratings.rebuild_cards(bench.session, bench.user) == len(before)
    assert cards(bench.session) == before
