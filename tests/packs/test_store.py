"""Packs in the database, of either kind: versions, the stamp that changes with them, two who add at once."""

import threading

import pytest
from sqlmodel import Session, col, select

from app.accounts import teams
from app.accounts.teams import Team
from app.accounts.users import User
from app.database import Database
from app.models import PackVersionRow, TeamRow
from app.packs import store
from app.packs.archives import read_archive
from app.packs.checking import Checked
from app.packs.store import PackError
from tests.conftest import FakeClock
from tests.packs.files import archive, question


@pytest.fixture
def team(session: Session, user: User, clock: FakeClock) -> Team:
    return teams.create(session, user, "Red", clock())


def checked(title: str) -> Checked:
    return Checked(read_archive(archive(question(title))), (), ())


def add(session: Session, team: Team, title: str, clock: FakeClock) -> int:
    return store.add(session, team, "stack", checked(title), source="x.zip", maker=None, now=clock())


def stamp(session: Session, team: Team) -> str:
    return session.exec(select(TeamRow.bank).where(TeamRow.id == team.id)).one()


def test_the_stamp_tells_each_state_from_the_others(session: Session, team: Team, clock: FakeClock) -> None:
    stamps = [stamp(session, team)]
    assert stamps == [""]
    key = ("questions", "x")
    for change in (
        lambda: add(session, team, "One", clock),
        lambda: add(session, team, "Two", clock),
        lambda: store.hide(session, team, key, clock()),
        lambda: store.take_out(session, team, "stack", clock()),
    ):
        change()
        stamps.append(stamp(session, team))
    assert len(set(stamps)) == len(stamps)
    store.serve(session, team, "stack", 1)
    store.show(session, team, key)
    assert stamp(session, team) == stamps[1]


def test_the_same_files_make_no_new_version(session: Session, team: Team, clock: FakeClock) -> None:
    assert [add(session, team, title, clock) for title in ("One", "One", "Two", "Two", "One")] == [
        1,
        1,
        2,
        2,
        3,
    ]
    [pack] = store.of_team(session, team)
    assert (pack.current, [version.number for version in pack.versions]) == (3, [3, 2, 1])
    kept = store.archive_of(session, pack.key, pack.served.digest)
    assert kept is not None
    assert read_archive(kept).digest == pack.served.digest


def test_two_who_add_at_once_make_two_versions(
    database: Database, session: Session, team: Team, clock: FakeClock
) -> None:
    add(session, team, "Before", clock)
    session.rollback()
    titles = [f"At once {number}" for number in range(4)]
    packs = [checked(title) for title in titles]
    together = threading.Barrier(len(packs))

    def come(pack: Checked) -> None:
        with database.session() as own:
            together.wait()
            store.add(own, team, "stack", pack, source="x.zip", maker=None, now=clock())

    threads = [threading.Thread(target=come, args=(pack,)) for pack in packs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    numbers = session.exec(select(PackVersionRow.number).order_by(col(PackVersionRow.number))).all()
    assert numbers == [1, 2, 3, 4, 5]


def test_the_end_of_a_team_is_the_end_of_its_packs(session: Session, team: Team, clock: FakeClock) -> None:
    add(session, team, "One", clock)
    teams.delete(session, team)
    assert session.exec(select(PackVersionRow.id)).all() == []


@pytest.mark.parametrize("name", ["", "our stack", "../x", "x" * 41, "-x", "x_y"])
def test_names_that_are_no_part_of_an_address(name: str) -> None:
    with pytest.raises(PackError):
        store.checked_name(name)


def test_a_name_is_suggested_by_the_file() -> None:
    assert store.suggested_name("/srv/Our Stack.tar.gz") == "our-stack"
