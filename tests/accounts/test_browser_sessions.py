from datetime import timedelta

from sqlmodel import Session, func, select

from app.accounts.browser_sessions import LIFETIME, TOUCH_EVERY, close_session, open_session, prune, resume
from app.accounts.users import User
from app.database import writing
from app.models import SessionRow, UserRow
from tests.conftest import FakeClock


def count(session: Session) -> int:
    return session.exec(select(func.count()).select_from(SessionRow)).one()


class TestToken:
    def test_finds_its_session_again(self, session: Session, user: User, clock: FakeClock) -> None:
        token, opened = open_session(session, user, clock())
        assert resume(session, user, token, clock()) == opened

    def test_is_not_in_the_database(self, session: Session, user: User, clock: FakeClock) -> None:
        token, _ = open_session(session, user, clock())
        row = session.exec(select(SessionRow)).one()
        assert len(token) >= 43  # 256 bits
        assert token not in repr(row)

    def test_what_is_no_token_finds_nothing(self, session: Session, user: User, clock: FakeClock) -> None:
        token, _ = open_session(session, user, clock())
        for other in ["", "x", token + "x", token[:-1], "é\ud800", "y" * 100_000]:
            assert resume(session, user, other, clock()) is None

    def test_of_another_user_finds_nothing(self, session: Session, user: User, clock: FakeClock) -> None:
        with writing(session):
            row = UserRow(login="other", retention=0.9, daily_goal=10, created_at=clock())
            session.add(row)
            session.flush()
        assert row.id is not None
        other = User(row.id, "other", "UTC", True, 0.9, 10)
        token, _ = open_session(session, other, clock())
        assert resume(session, user, token, clock()) is None


class TestTime:
    def test_ends_a_lifetime_after_it_was_last_seen(
        self, session: Session, user: User, clock: FakeClock
    ) -> None:
        token, opened = open_session(session, user, clock())
        clock.now = opened.expires_at - timedelta(seconds=1)
        seen = resume(session, user, token, clock())
        assert seen is not None
        assert seen.expires_at == clock() + LIFETIME
        clock.now = seen.expires_at
        assert resume(session, user, token, clock()) is None

    def test_is_written_at_most_once_an_hour(self, session: Session, user: User, clock: FakeClock) -> None:
        token, opened = open_session(session, user, clock())
        clock.now += TOUCH_EVERY - timedelta(seconds=1)
        resume(session, user, token, clock())
        assert session.exec(select(SessionRow.last_seen_at)).one() == opened.expires_at - LIFETIME
        clock.advance(seconds=1)
        resume(session, user, token, clock())
        assert session.exec(select(SessionRow.last_seen_at)).one() == clock()

    def test_a_clock_that_runs_backwards_harms_nothing(
        self, session: Session, user: User, clock: FakeClock
    ) -> None:
        token, opened = open_session(session, user, clock())
        assert resume(session, user, token, clock.advance(days=-30)) == opened

    def test_expired_ones_are_cleared_away(self, session: Session, user: User, clock: FakeClock) -> None:
        open_session(session, user, clock())
        clock.advance(days=1)
        token, _ = open_session(session, user, clock())
        clock.now += LIFETIME - timedelta(hours=1)
        assert prune(session, clock()) == 1
        assert count(session) == 1
        assert resume(session, user, token, clock()) is not None

    def test_opening_one_clears_away_too(self, session: Session, user: User, clock: FakeClock) -> None:
        open_session(session, user, clock())
        clock.now += LIFETIME
        open_session(session, user, clock())
        assert count(session) == 1

    def test_closing_forgets_it(self, session: Session, user: User, clock: FakeClock) -> None:
        token, opened = open_session(session, user, clock())
        close_session(session, opened)
        assert resume(session, user, token, clock()) is None
