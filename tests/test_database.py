import threading
from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError, StatementError
from sqlmodel import Session, select

from app.database import Database, clean_text, parse_url, writing
from app.models import DraftRow, UserRow

MOMENT = datetime(2026, 3, 2, 12, tzinfo=UTC)


def a_user(login: str, created_at: datetime = MOMENT) -> UserRow:
    return UserRow(login=login, retention=0.9, daily_goal=10, created_at=created_at)


def logins(session: Session) -> list[str]:
    return list(session.exec(select(UserRow.login).order_by(UserRow.login)))


class TestAddresses:
    @pytest.mark.parametrize(
        "given", ["postgres://u:p@h:5433/d", "postgresql://u:p@h:5433/d", "postgresql+psycopg://u:p@h:5433/d"]
    )
    def test_postgresql_is_reached_by_psycopg(self, given: str) -> None:
        url = parse_url(given)
        assert url.render_as_string(hide_password=False) == "postgresql+psycopg://u:p@h:5433/d"

    @pytest.mark.parametrize(
        "given",
        [
            "mysql://h/d",
            "postgres://host",
            "sqlite://",
            "sqlite:///:memory:",
            "sqlite://file.db",
            "",
            "nonsense",
        ],
    )
    def test_others_are_refused_with_what_is_allowed(self, given: str) -> None:
        with pytest.raises(ValueError, match="sqlite:///PATH"):
            parse_url(given)

    def test_the_shown_address_hides_the_password(self) -> None:
        database = Database(parse_url("postgresql://me:secret@db.example.com/ridgeway"))
        assert "secret" not in database.shown
        assert "db.example.com" in database.shown


class TestMoments:
    def test_come_back_as_the_same_moment_in_utc(self, session: Session) -> None:
        elsewhere = datetime(2026, 3, 2, 1, 2, 3, 456789, tzinfo=timezone(timedelta(hours=-7)))
        with writing(session):
            session.add(a_user("a", elsewhere))
        session.expire_all()
        stored = session.exec(select(UserRow.created_at)).one()
        assert stored == elsewhere
        assert stored.tzinfo is UTC

    def test_naive_ones_are_refused(self, session: Session) -> None:
        naive = datetime(2026, 3, 2)  # noqa: DTZ001 (that is the point)
        with pytest.raises(StatementError, match="naive time"), writing(session):
            session.add(a_user("a", naive))

    def test_compare_as_moments(self, session: Session) -> None:
        with writing(session):
            session.add(a_user("a", MOMENT))
        same = MOMENT.astimezone(timezone(timedelta(hours=9)))
        assert session.exec(select(UserRow.login).where(UserRow.created_at == same)).all() == ["a"]
        assert session.exec(select(UserRow.login).where(UserRow.created_at < same)).all() == []


class TestTexts:
    def test_what_no_database_takes_is_replaced(self, session: Session) -> None:
        odd = "a\0b \ud800 ü 🧮"
        with writing(session):
            owner = a_user("a")
            session.add(owner)
            session.flush()
            assert owner.id is not None
            session.add(
                DraftRow(
                    user_id=owner.id,
                    pack="",
                    slug="s",
                    seed=0,
                    part="",
                    text=odd,
                    revision=1,
                    updated_at=MOMENT,
                )
            )
        session.expire_all()
        assert session.exec(select(DraftRow.text)).one() == clean_text(odd) == "a\ufffdb \ufffd ü 🧮"


class TestWriting:
    def test_commits_at_the_end(self, database: Database) -> None:
        with database.session() as session, writing(session):
            session.add(a_user("a"))
        with database.session() as other:
            assert logins(other) == ["a"]

    def test_takes_everything_back_on_an_error(self, database: Database, session: Session) -> None:
        def interrupted() -> None:
            with writing(session):
                session.add(a_user("a"))
                session.flush()
                raise RuntimeError("stop")

        with pytest.raises(RuntimeError, match="stop"):
            interrupted()
        with writing(session):  # the lock is free again
            session.add(a_user("b"))
        with database.session() as other:
            assert logins(other) == ["b"]

    def test_joins_the_transaction_it_is_in(self, database: Database, session: Session) -> None:
        with writing(session):
            with writing(session):
                session.add(a_user("a"))
            with database.session() as other:
                assert logins(other) == []
        with database.session() as other:
            assert logins(other) == ["a"]

    def test_a_change_outside_is_refused(self, session: Session) -> None:
        session.add(a_user("a"))
        with pytest.raises(RuntimeError, match="outside of writing"):
            session.flush()

    def test_reads_anew_what_was_read_before(self, database: Database, session: Session) -> None:
        with writing(session):
            session.add(a_user("a"))
        mine = session.exec(select(UserRow)).one()
        with database.session() as other, writing(other):
            other.exec(select(UserRow)).one().daily_goal = 20
        with writing(session):
            assert mine.daily_goal == 20
            mine.daily_goal += 1
        with database.session() as other:
            assert other.exec(select(UserRow.daily_goal)).one() == 21

    def test_readers_that_turn_writers_do_not_fail_each_other(self, database: Database) -> None:
        """Eight threads read, wait for each other, then add one each to the same number, many times."""
        with database.session() as session, writing(session):
            session.add(a_user("a"))
        barrier = threading.Barrier(8)
        errors: list[Exception] = []

        def work() -> None:
            try:
                for _ in range(5):
                    with database.session() as session:
                        session.exec(select(UserRow)).one()
                        barrier.wait(timeout=30)
                        with writing(session):
                            session.exec(select(UserRow).with_for_update()).one().daily_goal += 1
            except Exception as error:
                errors.append(error)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
        with database.session() as session:
            assert session.exec(select(UserRow.daily_goal)).one() == 10 + 8 * 5


class TestRulesOfTheTables:
    def test_a_row_needs_its_user(self, session: Session) -> None:
        orphan = DraftRow(
            user_id=99, pack="", slug="s", seed=0, part="", text="", revision=1, updated_at=MOMENT
        )
        with pytest.raises(IntegrityError), writing(session):
            session.add(orphan)

    def test_logins_are_unique(self, session: Session) -> None:
        with pytest.raises(IntegrityError), writing(session):
            session.add_all([a_user("a"), a_user("a")])

    def test_retention_stays_within_its_limits(self, session: Session) -> None:
        row = a_user("a")
        row.retention = 0.99
        with pytest.raises(IntegrityError), writing(session):
            session.add(row)


class TestSqlite:
    def test_is_set_up_to_be_safe_and_concurrent(self, sqlite_url: str) -> None:
        database = Database(parse_url(sqlite_url))
        with database.engine.connect() as connection:
            pragmas = {
                name: connection.execute(text(f"PRAGMA {name}")).scalar()
                for name in ("journal_mode", "foreign_keys", "busy_timeout", "synchronous")
            }
        database.close()
        assert pragmas == {"journal_mode": "wal", "foreign_keys": 1, "busy_timeout": 10_000, "synchronous": 1}
