import json
from collections.abc import Callable
from typing import Any

import pytest
from sqlmodel import Session, col, select

from app.accounts.users import User, refreshed
from app.database import writing
from app.exchange import archive
from app.exchange.archive import ArchiveError
from app.exchange.tables import owned_tables
from app.models import AnswerRow, CardRow, NoteRow, RatingRow, UserRow
from app.practice import progress, ratings
from app.practice.schedule import Rating
from tests.practice.conftest import Practice


def practised(practice: Practice) -> dict[str, Any]:
    """A few days of practice, with a correction, an undone rating and a note; and its archive."""
    practice.submit("2 GB", outcome="wrong", credit=0.0)
    practice.rate(Rating.HARD)
    practice.clock.advance(days=4)
    practice.submit("2 GiB")
    practice.rate(Rating.GOOD)
    again = practice.rate(Rating.AGAIN, slug="mfu", seed=2**63 - 1)
    ratings.undo(practice.session, practice.user, again.id, practice.clock())
    with writing(practice.session):
        row = practice.session.get_one(UserRow, practice.user.id)
        row.zone, row.retention, row.daily_goal = "Asia/Kathmandu", 0.85, 7
        practice.session.add(
            NoteRow(
                user_id=practice.user.id,
                pack="",
                slug="matrix",
                text="b·h·n²\ntwice\0",
                revision=3,
                updated_at=practice.clock(),
            )
        )
    document = archive.export(practice.session, practice.user, practice.clock())
    return archive.read(json.dumps(document).encode())


def another(practice: Practice) -> User:
    """Somebody else, who has not practised yet."""
    with writing(practice.session):
        row = UserRow(login="another", retention=0.9, daily_goal=10, created_at=practice.clock())
        practice.session.add(row)
        practice.session.flush()
        created = practice.session.get_one(UserRow, row.id)
    return User(created.id or 0, "another", "Europe/Berlin", True, 0.9, 10)


def seen(session: Session, user: User) -> Any:
    """What progress and practice show: attempts without their numbers, cards, notes and settings."""
    attempts = [
        (
            *(attempt.sitting.question, attempt.sitting.seed, attempt.sitting.study_day, attempt.rating),
            [(answer.text, answer.graded, answer.given_at, answer.counts) for answer in attempt.answers],
        )
        for attempt in progress.attempts(session, user).attempts
    ]
    cards = session.exec(select(CardRow).where(CardRow.user_id == user.id).order_by(col(CardRow.slug)))
    notes = session.exec(select(NoteRow.text, NoteRow.revision).where(NoteRow.user_id == user.id))
    settings = refreshed(session, user)
    return (
        attempts,
        [card.model_dump(exclude={"id", "user_id", "due_day"}) for card in cards],
        notes.all(),
        (settings.zone, settings.retention, settings.daily_goal, settings.single_keys),
    )


def test_what_comes_in_is_what_went_out(practice: Practice) -> None:
    document = practised(practice)
    other = another(practice)
    imported = archive.restore(practice.session, other, document)
    assert imported.rows["ratings"] == 4
    assert imported.total == archive.count(practice.session, practice.user)
    assert seen(practice.session, other) == seen(practice.session, practice.user)
    again = archive.export(practice.session, other, practice.clock())
    assert [row["text"] for row in again["tables"]["answers"]] == [
        row["text"] for row in document["tables"]["answers"]
    ]


def test_rows_refer_to_rows_of_the_new_owner(practice: Practice) -> None:
    document = practised(practice)
    other = another(practice)
    archive.restore(practice.session, other, document)
    old = practice.session.exec(select(RatingRow.id).where(RatingRow.user_id == practice.user.id)).all()
    rows = practice.session.exec(select(RatingRow).where(RatingRow.user_id == other.id)).all()
    assert {row.undoes_id for row in rows if row.undoes_id} <= {row.id for row in rows}
    assert not {row.undoes_id for row in rows} & set(old)


def test_practice_is_not_mixed_up_but_may_be_replaced(practice: Practice) -> None:
    document = practised(practice)
    before = seen(practice.session, practice.user)
    practice.submit("one more", slug="cache")
    with pytest.raises(ArchiveError, match="practice here already"):
        archive.restore(practice.session, practice.user, document)
    archive.restore(practice.session, practice.user, document, replace=True)
    assert seen(practice.session, practice.user) == before


def test_progress_is_told_to_the_end(practice: Practice) -> None:
    document = practised(practice)
    told: list[tuple[int, int]] = []
    archive.restore(practice.session, another(practice), document, progress=lambda *done: told.append(done))
    total = archive.rows_in(document)
    assert told[-1] == (total, total)


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"\xff\xfe", b"[" * 100_000, b"[]", b"{}", b'{"format": "ridgeway-archive"}'),
        b'{"format": "ridgeway-archive", "revision": "9999_later"}',
        b'{"format": "ridgeway-archive", "revision": []}',
    ],
)
def test_what_is_no_archive_is_refused(content: bytes) -> None:
    with pytest.raises(ArchiveError):
        archive.read(content)


def _first(table: str, column: str, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(document: dict[str, Any]) -> None:
        document["tables"][table][0][column] = value

    return change


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_first("sittings", "seed", "1"), "sittings, row 1: seed"),
        (_first("sittings", "seed", True), "sittings, row 1: seed"),
        (_first("sittings", "seed", -1), "contradict"),
        (_first("sittings", "started_at", "2026-01-01T00:00:00"), "sittings, row 1: started_at"),
        (_first("sittings", "study_day", "Monday"), "sittings, row 1: study_day"),
        (_first("sittings", "color", 1), "color is no column"),
        (_first("answers", "sitting_id", 10**6), "there is no row 1000000 of sittings"),
        (_first("answers", "sitting_id", [1]), "answers, row 1: sitting_id"),
        (_first("answers", "text", None), "answers, row 1: text"),
        (_first("answers", "credit", 2.0), "contradict"),
        (_first("ratings", "rating", 9), "contradict"),
        (lambda document: document["tables"].update(users=[]), "users is not known"),
        (lambda document: document["tables"]["sittings"].append(3), "not a row"),
        (lambda document: document["tables"].update(sittings={}), "tables"),
        (lambda document: document.pop("settings"), "settings"),
        (lambda document: document["settings"].update(retention="much"), "settings: retention"),
        (lambda document: document["settings"].update(retention=7.0), "contradict"),
        (lambda document: document["tables"]["sittings"][0].pop("slug"), "slug is missing"),
    ],
)
def test_a_changed_archive_is_refused_whole(
    practice: Practice, change: Callable[[dict[str, Any]], None], said: str
) -> None:
    document = practised(practice)
    change(document)
    other = another(practice)
    with pytest.raises(ArchiveError, match=said):
        archive.restore(practice.session, other, document)
    assert archive.count(practice.session, other) == 0
    assert refreshed(practice.session, other).daily_goal == 10


def test_nobody_elses_rows_are_taken_along(practice: Practice) -> None:
    practised(practice)
    assert archive.export(practice.session, another(practice), practice.clock())["tables"]["answers"] == []
    assert practice.session.exec(select(AnswerRow)).all()


def test_every_table_that_leads_to_a_user_is_taken_along() -> None:
    names = [table.name for table in owned_tables()]
    assert {"sittings", "answers", "ratings", "drafts", "notes", "drills", "drill_items"} <= set(names)
    assert not {"users", "sessions", "cards"} & set(names)
    assert names.index("drills") < names.index("drill_items")
