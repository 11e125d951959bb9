import threading
from dataclasses import replace

import pytest
from sqlmodel import func, select

from app.database import Database
from app.models import AnswerRow, SittingRow
from app.practice import attempts
from app.practice.attempts import Graded, Submission
from app.practice.records import MAX_TEXT, TextTooLong
from tests.practice.conftest import Practice


def stored(practice: Practice) -> int:
    return practice.session.exec(select(func.count()).select_from(AnswerRow)).one()


class TestSubmitting:
    def test_stores_what_was_given_and_its_verdict(self, practice: Practice) -> None:
        graded = Graded("mistake", 0.3, "134 MB", "one-head", {"say": "That is one head."})
        submitted = attempts.submit(
            *(practice.session, practice.user, practice.browser, practice.variant()),
            *(Submission("key", "", " 134 MB "), graded, practice.clock()),
        )
        assert not submitted.was_stored
        assert attempts.answers(practice.session, practice.user, submitted.sitting.id) == (submitted.answer,)
        assert submitted.answer.text == " 134 MB "
        assert submitted.answer.graded == graded
        assert submitted.answer.given_at == practice.clock()

    def test_the_same_twice_is_stored_once_with_its_first_verdict(self, practice: Practice) -> None:
        first = practice.submit("2 GiB", key="k", outcome="right")
        practice.clock.advance(minutes=1)
        again = practice.submit("2 GiB", key="k", outcome="wrong", credit=0.0)
        assert again.was_stored
        assert (again.answer, again.sitting) == (first.answer, first.sitting)
        assert stored(practice) == 1

    def test_the_same_key_with_another_body_is_another_answer(self, practice: Practice) -> None:
        first = practice.submit("2 GB", key="k", outcome="wrong", credit=0.0)
        second = practice.submit("2 GiB", key="k")
        other_seed = practice.submit("2 GB", key="k", seed=1)
        other_part = practice.submit("2 GB", key="k", part="b")
        assert len({each.answer.id for each in (first, second, other_seed, other_part)}) == 4

    def test_sent_again_after_its_sitting_ended_it_is_still_the_same(self, practice: Practice) -> None:
        first = practice.submit("2 GiB", key="k")
        practice.clock.advance(days=10)
        assert practice.submit("2 GiB", key="k").answer == first.answer
        assert practice.session.exec(select(func.count()).select_from(SittingRow)).one() == 1

    @pytest.mark.parametrize("processes", [1, 8])
    def test_sent_at_once_by_many_it_is_stored_once(
        self, practice: Practice, database: Database, processes: int
    ) -> None:
        """Through one database object, as within a process, or each through its own, as from several.

        Also opens the sitting once, since none is open before.
        """
        doors = [database, *(Database(database.url) for _ in range(processes - 1))]
        barrier = threading.Barrier(8)
        answers: list[attempts.Submitted] = []
        errors: list[Exception] = []

        def work(number: int) -> None:
            try:
                with doors[number % processes].session() as session:
                    barrier.wait(timeout=30)
                    answers.append(replace(practice, session=session).submit("2 GiB", key="k"))
            except Exception as error:
                errors.append(error)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for door in doors:
            door.close()
        assert errors == []
        assert len(answers) == 8
        assert len({each.answer.id for each in answers}) == 1
        assert [each.was_stored for each in answers].count(False) == 1
        assert stored(practice) == 1

    def test_without_a_key_each_is_an_answer(self, practice: Practice) -> None:
        practice.submit("2 GiB", key="")
        practice.submit("2 GiB", key="")
        assert stored(practice) == 2

    @pytest.mark.parametrize("key", ["k" * 10_000, "\0", "ü", "\ud800", "'; DROP TABLE answers --"])
    def test_any_key_will_do(self, practice: Practice, key: str) -> None:
        first = practice.submit("2 GiB", key=key)
        assert practice.submit("2 GiB", key=key).answer == first.answer

    def test_odd_text_is_kept_as_far_as_a_database_can(self, practice: Practice) -> None:
        submitted = practice.submit("2\0 \ud800 GiB 🧮", key="k")
        assert submitted.answer.text == "2\ufffd \ufffd GiB 🧮"
        assert practice.submit("2\0 \ud800 GiB 🧮", key="k").was_stored

    def test_a_text_too_long_is_refused(self, practice: Practice) -> None:
        practice.submit("x" * MAX_TEXT)
        with pytest.raises(TextTooLong, match="20,001 characters; at most 20,000"):
            practice.submit("x" * (MAX_TEXT + 1))
        assert stored(practice) == 1


class TestTries:
    def test_the_same_text_again_costs_nothing(self, practice: Practice) -> None:
        first = practice.submit("2 GB", outcome="wrong", credit=0.0)
        repeated = practice.submit("  2   GB ", outcome="wrong", credit=0.0)
        assert repeated.answer.repeat_of == first.answer.id
        assert not repeated.answer.counts
        given = attempts.answers(practice.session, practice.user, first.sitting.id)
        assert (len(given), attempts.tries(given)) == (2, 1)

    def test_a_text_that_cannot_be_read_costs_nothing(self, practice: Practice) -> None:
        unread = practice.submit("2,5 GB", outcome="format", credit=None)
        practice.submit("2.5 GB", outcome="wrong", credit=0.0)
        given = attempts.answers(practice.session, practice.user, unread.sitting.id)
        assert attempts.tries(given) == 1

    def test_case_tells_answers_apart(self, practice: Practice) -> None:
        practice.submit("2 GB")
        assert practice.submit("2 Gb").answer.counts

    def test_parts_are_counted_apart(self, practice: Practice) -> None:
        practice.submit("2 GB", part="a")
        sitting = practice.submit("2 GB", part="b").sitting
        given = attempts.answers(practice.session, practice.user, sitting.id)
        assert [attempts.tries(given, part) for part in ("a", "b", "")] == [1, 1, 0]

    def test_another_sitting_counts_anew(self, practice: Practice) -> None:
        practice.submit("2 GB")
        practice.clock.advance(days=5)
        assert practice.submit("2 GB").answer.counts
