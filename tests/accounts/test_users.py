import threading

import pytest
from sqlmodel import Session, func, select

from app.accounts.users import (
    User,
    change_settings,
    delete_everything,
    local_user,
    remember_zone,
    set_zone,
)
from app.accounts.zones import UnknownZone, is_zone, server_zone
from app.database import Database, writing
from app.models import DrillItemRow, DrillRow, QuestionMarkRow, UserRow
from tests.conftest import FakeClock


class TestLocalUser:
    def test_is_made_once(self, session: Session, clock: FakeClock) -> None:
        first = local_user(session, clock())
        assert local_user(session, clock.advance(days=1)) == first
        assert session.exec(select(func.count()).select_from(UserRow)).one() == 1

    def test_is_made_once_by_many_at_once(self, database: Database, clock: FakeClock) -> None:
        barrier = threading.Barrier(6)
        found: list[User] = []
        errors: list[Exception] = []

        def work() -> None:
            try:
                with database.session() as session:
                    barrier.wait(timeout=30)
                    found.append(local_user(session, clock()))
            except Exception as error:
                errors.append(error)

        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
        assert len(set(found)) == 1


class TestZone:
    def test_is_the_servers_until_a_browser_names_one(self, session: Session, user: User) -> None:
        assert (user.zone, user.zone_known) == (server_zone(), False)
        named = remember_zone(session, user, "Asia/Tokyo")
        assert (named.zone, named.zone_known) == ("Asia/Tokyo", True)

    def test_the_first_browser_decides_and_the_person_may_change_it(
        self, session: Session, user: User, clock: FakeClock
    ) -> None:
        named = remember_zone(session, user, "Asia/Tokyo")
        assert remember_zone(session, named, "Europe/Berlin").zone == "Asia/Tokyo"
        assert set_zone(session, named, "Europe/Berlin").zone == "Europe/Berlin"
        assert local_user(session, clock()).zone == "Europe/Berlin"

    @pytest.mark.parametrize("name", ["", "Nowhere/Land", "../etc/passwd", "Europe", "\0", "x" * 500, "/etc"])
    def test_a_name_that_is_none_is_refused(self, name: str, session: Session, user: User) -> None:
        assert not is_zone(name)
        with pytest.raises(UnknownZone, match="allowed is a name such as Europe/Berlin"):
            set_zone(session, user, name)

    def test_a_stored_zone_that_this_machine_lacks_falls_back(
        self, session: Session, user: User, clock: FakeClock
    ) -> None:
        with writing(session):
            session.get_one(UserRow, user.id).zone = "Mars/Olympus_Mons"
        assert local_user(session, clock()).zone == server_zone()


class TestSettings:
    def test_what_was_set_is_kept(self, session: Session, clock: FakeClock) -> None:
        user = local_user(session, clock())
        changed = change_settings(
            session, user, zone="Asia/Tokyo", retention=0.85, daily_goal=25, single_keys=False
        )
        assert changed == local_user(session, clock())
        assert (changed.zone, changed.retention, changed.daily_goal) == ("Asia/Tokyo", 0.85, 25)
        assert not changed.single_keys

    def test_a_zone_that_is_none_changes_nothing(self, session: Session, clock: FakeClock) -> None:
        user = local_user(session, clock())
        with pytest.raises(UnknownZone):
            change_settings(session, user, zone="Mars/Base", retention=0.8, daily_goal=1, single_keys=True)
        assert local_user(session, clock()) == user


class TestDeleting:
    def test_takes_everything_of_theirs_and_nothing_of_others(
        self, session: Session, clock: FakeClock
    ) -> None:
        user = local_user(session, clock())
        with writing(session):
            other = UserRow(login="other", retention=0.9, daily_goal=10, created_at=clock())
            session.add(other)
            session.flush()
            for number in (user.id, other.id):
                mark = QuestionMarkRow(user_id=number or 0, pack="", slug="matrix", bookmarked_at=clock())
                drill = DrillRow(user_id=number or 0, title="Ten", moves_schedule=False, started_at=clock())
                session.add_all([mark, drill])
                session.flush()
                session.add(DrillItemRow(drill_id=drill.id or 0, place=1, pack="", slug="matrix", seed=0))
        delete_everything(session, user)
        for table in (UserRow, QuestionMarkRow, DrillRow, DrillItemRow):
            assert session.exec(select(func.count()).select_from(table)).one() == 1, table
        assert session.exec(select(UserRow.login)).one() == "other"
        assert local_user(session, clock()).retention == 0.9, "a new one begins"
