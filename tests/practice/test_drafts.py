import threading
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from sqlmodel import func, select

from app.database import Database
from app.models import DraftRow
from app.practice import drafts
from app.practice.drafts import Draft
from app.practice.kept_text import Stamp
from app.practice.records import MAX_TEXT, QuestionKey, TextTooLong
from app.practice.schedule import Rating
from tests.practice.conftest import Practice

MATRIX = QuestionKey("", "matrix")


def save(
    practice: Practice, text: str, revision: int, part: str = "", typed_at: datetime | None = None
) -> Draft:
    return drafts.save(
        *(practice.session, practice.user, MATRIX, 0, part, text),
        stamp=Stamp(revision),
        now=practice.clock(),
        typed_at=typed_at,
    )


def load(practice: Practice, seed: int = 0) -> dict[str, Draft]:
    return drafts.load(practice.session, practice.user, MATRIX, seed, practice.clock())


def test_each_change_is_a_revision(practice: Practice) -> None:
    first = save(practice, "2", 0)
    second = save(practice, "2 G", first.stamp.revision)
    assert (first.stamp, second.stamp, second.set_aside) == (Stamp(1), Stamp(2), None)
    assert load(practice) == {"": second}


def test_an_emptied_draft_stays_empty(practice: Practice) -> None:
    save(practice, "2", 0)
    save(practice, "", 1)
    assert load(practice)[""].text == ""


def test_parts_seeds_and_packs_are_apart(practice: Practice) -> None:
    save(practice, "for a", 0, part="a")
    save(practice, "for b", 0, part="b")
    assert {part: draft.text for part, draft in load(practice).items()} == {"a": "for a", "b": "for b"}
    assert load(practice, seed=1) == {}


def test_the_same_text_again_changes_nothing(practice: Practice) -> None:
    kept = save(practice, "2 GiB", 0)
    practice.clock.advance(minutes=1)
    assert save(practice, "2 GiB", 0) == kept
    assert save(practice, "2 GiB", 1) == kept


def test_of_two_windows_the_later_text_is_kept_and_the_other_set_aside(practice: Practice) -> None:
    save(practice, "from the desk", 0)
    practice.clock.advance(minutes=1)
    saved = save(practice, "from the phone", 0)
    assert (saved.text, saved.stamp, saved.set_aside) == ("from the phone", Stamp(2), "from the desk")
    assert load(practice)[""] == saved, "it is still there after a reload"


def test_the_text_set_aside_can_be_taken_and_changed_back_or_dismissed(practice: Practice) -> None:
    save(practice, "from the desk", 0)
    save(practice, "from the phone", 0)
    taken = save(practice, "from the desk", 2)
    assert (taken.text, taken.set_aside) == ("from the desk", "from the phone")
    drafts.dismiss(practice.session, practice.user, MATRIX, 0, "")
    assert load(practice)[""] == replace(taken, set_aside=None)


def test_a_text_that_goes_on_from_the_kept_one_sets_nothing_aside(practice: Practice) -> None:
    save(practice, "2 Gi", 0)  # and its answer got lost on the way back
    assert save(practice, "2 GiB", 0).set_aside is None


def test_a_text_sent_late_does_not_replace_one_typed_later(practice: Practice) -> None:
    typed_offline = practice.clock()
    practice.clock.advance(minutes=1)
    kept = save(practice, "typed later", 0)
    practice.clock.advance(minutes=1)
    saved = save(practice, "typed offline", 0, typed_at=typed_offline)
    assert saved == replace(kept, set_aside="typed offline")
    assert load(practice)[""] == saved


def test_a_browser_with_its_clock_ahead_wins_no_more_than_now(practice: Practice) -> None:
    save(practice, "from tomorrow", 0, typed_at=practice.clock() + timedelta(days=1))
    practice.clock.advance(minutes=1)
    assert save(practice, "from today", 0).text == "from today"


def test_a_clock_set_back_loses_neither_text(practice: Practice) -> None:
    save(practice, "2", 0)
    practice.clock.advance(days=-3)
    assert save(practice, "2 G", 1).text == "2 G"
    practice.clock.advance(days=-3)
    other = save(practice, "3 from another window", 1)
    assert (other.text, other.set_aside) == ("2 G", "3 from another window")


def test_many_at_once_keep_one_row_and_every_text_is_returned_or_kept(
    practice: Practice, database: Database
) -> None:
    barrier = threading.Barrier(8)
    texts = {f"text {number}" for number in range(8)}
    results: list[Draft] = []
    errors: list[Exception] = []

    def work(text: str) -> None:
        try:
            with database.session() as session:
                barrier.wait(timeout=30)
                results.append(save(replace(practice, session=session), text, 0))
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert practice.session.exec(select(func.count()).select_from(DraftRow)).one() == 1
    last = load(practice)[""]
    assert last.stamp.revision == 8
    assert {saved.set_aside for saved in results} == {None, *texts} - {last.text}


def test_a_text_too_long_is_refused(practice: Practice) -> None:
    save(practice, "x" * MAX_TEXT, 0)
    with pytest.raises(TextTooLong):
        save(practice, "x" * (MAX_TEXT + 1), 1)


def test_what_was_typed_for_a_review_that_is_rated_and_past_is_left_out(practice: Practice) -> None:
    save(practice, "my answer of today", 0)
    practice.clock.advance(minutes=5)
    practice.rate(Rating.GOOD)
    assert load(practice)[""].text == "my answer of today"
    practice.clock.advance(days=1)
    assert load(practice) == {}
    saved = save(practice, "my answer of tomorrow", 0)
    assert saved.set_aside is None, "the earlier review's text is no text of another window"
    assert load(practice) == {"": saved}
