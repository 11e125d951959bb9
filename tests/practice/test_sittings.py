import threading
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import pytest
from sqlmodel import Session, select

from app.accounts.browser_sessions import close_session, open_session
from app.accounts.users import User
from app.database import Database, writing
from app.models import SittingRow, UserRow
from app.practice import drafts, sittings
from app.practice.kept_text import UNTYPED
from app.practice.records import MAX_SEED, QuestionKey
from app.practice.schedule import Rating
from tests.practice.conftest import Practice

MATRIX = QuestionKey("", "matrix")


def find(practice: Practice, seed: int = 0, version: int = 1) -> sittings.Sitting | None:
    return sittings.find_open(
        practice.session, practice.user, practice.browser, MATRIX, seed, version, practice.clock()
    )


def open_one(practice: Practice, **changes: Any) -> sittings.Sitting:
    return sittings.open_or_get(
        practice.session, practice.user, practice.browser, practice.variant(**changes), practice.clock()
    )


def reveal(practice: Practice, **changes: Any) -> sittings.Sitting:
    return sittings.reveal(
        practice.session, practice.user, practice.browser, practice.variant(**changes), practice.clock()
    )


class TestOpening:
    def test_looking_opens_nothing(self, practice: Practice) -> None:
        assert find(practice) is None
        assert practice.session.exec(select(SittingRow)).all() == []

    def test_keeps_the_variant(self, practice: Practice) -> None:
        sitting = open_one(practice, seed=7, params={"n": 4096}, right={"": "16 GiB"})
        assert (sitting.question, sitting.seed, sitting.version) == (MATRIX, 7, 1)
        assert (sitting.params, sitting.right) == ({"n": 4096}, {"": "16 GiB"})
        assert (sitting.study_day.isoformat(), sitting.revealed, sitting.hints_used) == (
            "2026-03-02",
            False,
            0,
        )
        assert find(practice, seed=7) == sitting

    def test_is_one_for_each_seed(self, practice: Practice) -> None:
        first, other = open_one(practice, seed=1), open_one(practice, seed=2)
        assert first.id != other.id
        assert open_one(practice, seed=1) == first

    def test_is_one_for_each_pack(self, practice: Practice) -> None:
        assert open_one(practice, question=QuestionKey("team", "matrix")).id != open_one(practice).id

    def test_another_browser_has_its_own(self, practice: Practice) -> None:
        revealed = reveal(practice)
        _, elsewhere = open_session(practice.session, practice.user, practice.clock())
        other = replace(practice, browser=elsewhere)
        assert find(other) is None
        assert open_one(other).id != revealed.id
        assert not open_one(other).revealed

    def test_two_at_once_open_one(self, practice: Practice, database: Database) -> None:
        barrier = threading.Barrier(6)
        found: list[int] = []
        errors: list[Exception] = []

        def work() -> None:
            try:
                with database.session() as session:
                    barrier.wait(timeout=30)
                    found.append(open_one(replace(practice, session=session)).id)
            except Exception as error:
                errors.append(error)

        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
        assert len(found) == 6
        assert len(set(found)) == 1

    @pytest.mark.parametrize("seed", [-1, MAX_SEED + 1])
    def test_a_seed_beyond_what_is_stored_finds_nothing_and_is_refused(
        self, practice: Practice, seed: int
    ) -> None:
        assert find(practice, seed=seed) is None
        with pytest.raises(ValueError, match="seed is"):
            practice.variant(seed=seed)

    def test_the_largest_seed_is_stored(self, practice: Practice) -> None:
        assert open_one(practice, seed=MAX_SEED).seed == MAX_SEED


class TestSeeing:
    def test_revealed_stays_revealed(self, practice: Practice) -> None:
        first = reveal(practice)
        practice.clock.advance(minutes=5)
        assert first.revealed
        assert reveal(practice) == first

    def test_hints_are_taken_by_number(self, practice: Practice) -> None:
        def take(number: int) -> int:
            return sittings.take_hint(
                *(practice.session, practice.user, practice.browser, practice.variant()),
                *(number, practice.clock()),
            ).hints_used

        assert [take(1), take(1), take(2), take(1), take(10**30)] == [1, 1, 2, 2, sittings.MAX_HINTS]

    def test_starting_again_hides_all_and_forgets_what_was_typed(self, practice: Practice) -> None:
        old = reveal(practice)
        where = (practice.session, practice.user, MATRIX, 0, "")
        drafts.save(*where, "typed", stamp=UNTYPED, now=practice.clock())
        sittings.start_again(
            practice.session, practice.user, practice.browser, MATRIX, 0, practice.clock.advance(minutes=1)
        )
        assert find(practice) is None
        assert drafts.load(practice.session, practice.user, MATRIX, 0, practice.clock()) == {}
        new = open_one(practice)
        assert new.id != old.id
        assert not new.revealed
        ended = sittings.by_id(practice.session, practice.user, old.id)
        assert ended is not None
        assert (ended.ended_at, ended.revealed) == (practice.clock(), True)

    def test_starting_again_with_nothing_open_is_harmless(self, practice: Practice) -> None:
        sittings.start_again(practice.session, practice.user, practice.browser, MATRIX, 0, practice.clock())
        assert find(practice) is None


class TestTime:
    def test_lasts_through_the_next_study_day(self, practice: Practice) -> None:
        practice.clock.now = datetime(
            2026, 3, 3, 2, 30, tzinfo=UTC
        )  # 03:30 in Berlin: the day is still the 2nd
        sitting = reveal(practice)
        assert sitting.study_day == date(2026, 3, 2)
        practice.clock.now = datetime(2026, 3, 4, 2, 59, tzinfo=UTC)
        assert find(practice) == sitting
        practice.clock.now = datetime(2026, 3, 4, 3, 0, tzinfo=UTC)
        assert find(practice) is None
        assert not open_one(practice).revealed

    def test_a_rated_one_ends_with_the_day_of_its_rating(self, practice: Practice) -> None:
        sitting = reveal(practice)
        practice.rate(Rating.AGAIN, sitting_id=sitting.id)
        practice.clock.advance(hours=10)
        assert find(practice) == sitting
        practice.clock.advance(hours=14)
        assert find(practice) is None
        assert not open_one(practice).revealed

    def test_a_clock_set_back_leaves_it_open(self, practice: Practice) -> None:
        sitting = reveal(practice)
        practice.clock.advance(days=-30)
        assert find(practice) == sitting
        sittings.start_again(practice.session, practice.user, practice.browser, MATRIX, 0, practice.clock())
        ended = sittings.by_id(practice.session, practice.user, sitting.id)
        assert ended is not None
        assert ended.ended_at == ended.started_at


class TestEdits:
    def test_an_edit_of_the_wording_keeps_what_was_seen(self, practice: Practice) -> None:
        old = reveal(practice)
        assert find(practice) is not None
        new = open_one(practice, content_hash="hash-2", right={"": "another"})
        assert new.id != old.id
        assert (new.revealed_at, new.right) == (old.revealed_at, {"": "another"})

    def test_a_new_version_starts_afresh(self, practice: Practice) -> None:
        reveal(practice)
        assert find(practice, version=2) is None
        assert not open_one(practice, version=2, content_hash="hash-2").revealed


class TestOwning:
    def test_a_sitting_is_its_users_alone(self, practice: Practice) -> None:
        sitting = open_one(practice)
        with writing(practice.session):
            row = UserRow(login="other", retention=0.9, daily_goal=10, created_at=practice.clock())
            practice.session.add(row)
            practice.session.flush()
        assert row.id is not None
        stranger = User(row.id, "other", "UTC", True, 0.9, 10)
        assert sittings.by_id(practice.session, stranger, sitting.id) is None
        assert sittings.by_id(practice.session, practice.user, sitting.id) == sitting

    @pytest.mark.parametrize("number", [0, -1, 999, 10**40])
    def test_a_number_of_none_finds_none(self, practice: Practice, number: int) -> None:
        assert sittings.by_id(practice.session, practice.user, number) is None

    def test_outlives_its_browser(self, practice: Practice, session: Session) -> None:
        sitting = open_one(practice)
        close_session(session, practice.browser)
        assert sittings.by_id(session, practice.user, sitting.id) == sitting
