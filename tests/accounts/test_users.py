import threading

import pytest
from sqlmodel import Session, func, select

from app.accounts.users import User, local_user, remember_zone, set_zone
from app.accounts.zones import UnknownZone, is_zone, server_zone
from app.database import Database, writing
from app.models import UserRow
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
