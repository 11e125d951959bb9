"""The first owner: made once, by whoever has the newest link, with what was practised before."""

import threading
from pathlib import Path

import pytest
from sqlalchemy.engine import URL
from sqlmodel import Session, select

from app.accounts import browser_sessions, first_owner, people, registering, teams, users
from app.accounts.one_time_links import LinkOver
from app.accounts.registering import NewAccount, RegistrationRefused
from app.accounts.teams import NameRefused
from app.accounts.users import User
from app.database import Database, writing
from app.dependencies import utc_now
from app.models import OneTimeLinkRow, UserRow
from app.serving import first_owner_link
from app.settings import Settings
from tests.conftest import FakeClock

ADA = NewAccount("ada@example.org", "Ada", "a hash")
BEN = NewAccount("ben@example.org", "Ben", "a hash")


def link(session: Session, clock: FakeClock) -> str:
    address = first_owner.make_link(session, "https://ridge.example", clock())
    assert address is not None
    return address.removeprefix("https://ridge.example/first-owner/")


def test_the_local_users_progress_becomes_theirs(session: Session, clock: FakeClock, user: User) -> None:
    browser_sessions.open_session(session, user, clock())
    token = link(session, clock)
    owner = first_owner.adopt(session, token, ADA, "Inference", clock())
    assert (owner.id, owner.login, owner.operator) == (user.id, "ada@example.org", True)
    assert [(each.team.name, each.role) for each in teams.of(session, owner)] == [("Inference", "owner")]
    assert browser_sessions.of_user(session, owner, clock()) == ()


def test_there_need_not_have_been_a_local_user(session: Session, clock: FakeClock) -> None:
    owner = first_owner.adopt(session, link(session, clock), ADA, "Inference", clock())
    assert owner.operator
    assert people.by_login(session, users.LOCAL_LOGIN) is None


def test_the_link_works_once_and_no_other_is_made(session: Session, clock: FakeClock) -> None:
    token = link(session, clock)
    first_owner.adopt(session, token, ADA, "Inference", clock())
    with pytest.raises(LinkOver):
        first_owner.adopt(session, token, BEN, "Training", clock())
    assert first_owner.make_link(session, "", clock()) is None


def test_a_newer_link_voids_it_and_so_does_time(session: Session, clock: FakeClock) -> None:
    older, newer = link(session, clock), link(session, clock)
    with pytest.raises(LinkOver):
        first_owner.open_link(session, older, clock())
    first_owner.open_link(session, newer, clock())
    clock.advance(days=3)
    for token in (newer, "", "x" * 5000):
        with pytest.raises(LinkOver):
            first_owner.adopt(session, token, ADA, "Inference", clock())


def test_a_refusal_changes_nothing_and_the_link_stays_good(
    session: Session, clock: FakeClock, user: User
) -> None:
    registering.create(session, BEN, clock())
    token = link(session, clock)
    with pytest.raises(RegistrationRefused):
        first_owner.adopt(session, token, BEN, "Inference", clock())
    with pytest.raises(NameRefused):
        first_owner.adopt(session, token, ADA, " ", clock())
    assert users.refreshed(session, user).login == users.LOCAL_LOGIN
    first_owner.adopt(session, token, ADA, "Inference", clock())


def test_of_two_who_come_at_once_one_is_the_first(
    database: Database, session: Session, clock: FakeClock, user: User
) -> None:
    token = link(session, clock)
    session.commit()
    over: list[str] = []

    def come(account: NewAccount) -> None:
        own = Database(database.url)
        with own.session() as apart:
            try:
                first_owner.adopt(apart, token, account, "Inference", clock())
            except LinkOver:
                over.append(account.email)
        own.close()

    threads = [threading.Thread(target=come, args=(account,)) for account in (ADA, BEN)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(over) == 1
    assert len(teams.every(session)) == 1
    assert [row.operator for row in session.exec(select(UserRow))] == [True]


def test_where_the_operator_is_disabled_another_can_be_made(session: Session, clock: FakeClock) -> None:
    owner = first_owner.adopt(session, link(session, clock), ADA, "Inference", clock())
    with writing(session):
        session.get_one(UserRow, owner.id).disabled_at = clock()
    first_owner.open_link(session, link(session, clock), clock())


def test_a_token_is_nowhere_in_the_database(session: Session, clock: FakeClock) -> None:
    token = link(session, clock)
    assert token not in str(session.exec(select(OneTimeLinkRow)).one().model_dump())


def test_each_start_makes_a_link_until_there_is_an_operator(migrated_sqlite: URL, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, mode="team", base_url="https://ridge.example")
    first = first_owner_link(settings)
    second = first_owner_link(settings)
    assert first is not None
    assert second is not None
    database = Database(migrated_sqlite)
    with database.session() as session:
        with pytest.raises(LinkOver):
            first_owner.open_link(session, first.rpartition("/")[2], utc_now())
        first_owner.adopt(session, second.rpartition("/")[2], ADA, "Inference", utc_now())
    database.close()
    assert first_owner_link(settings) is None
