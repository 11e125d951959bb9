from app.practice import notes
from app.practice.kept_text import Stamp
from app.practice.notes import Note
from app.practice.records import QuestionKey
from tests.practice.conftest import Practice

MATRIX = QuestionKey("", "matrix")


def save(practice: Practice, text: str, revision: int, question: QuestionKey = MATRIX) -> Note:
    where = (practice.session, practice.user, question, text)
    return notes.save(*where, stamp=Stamp(revision), now=practice.clock())


def test_a_note_is_kept_by_question_for_good(practice: Practice) -> None:
    assert notes.load(practice.session, practice.user, MATRIX) == Note()
    save(practice, "K and V", 0)
    save(practice, "of another pack", 0, QuestionKey("pack", "matrix"))
    practice.clock.advance(days=400)
    assert notes.load(practice.session, practice.user, MATRIX) == Note("K and V", Stamp(1))
    assert save(practice, "", 1) == Note("", Stamp(2))


def test_of_two_windows_neither_note_is_lost(practice: Practice) -> None:
    save(practice, "from the desk", 0)
    assert save(practice, "from the phone", 0) == Note("from the phone", Stamp(2), "from the desk")
    notes.dismiss(practice.session, practice.user, MATRIX)
    assert notes.load(practice.session, practice.user, MATRIX) == Note("from the phone", Stamp(2))
