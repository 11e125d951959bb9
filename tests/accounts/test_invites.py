"""Invites: how often, how long, and for whom a link opens a team."""

import threading
from datetime import datetime

import pytest
from sqlmodel import Session, select

from app.accounts import invites, teams
from app.accounts.invites import InviteOver, Terms, TooManyInvites
from app.accounts.teams import Team
from app.accounts.tokens import new_token
from app.accounts.users import User
from app.database import Database
from app.models import InviteRow
from tests.accounts.test_teams import person, role_of
from tests.conftest import FakeClock

ONCE = Terms("member", days=7, max_uses=1, label="March")


@pytest.fixture
def ada(session: Session, clock: FakeClock) -> User:
    return person(session, clock, "ada")


@pytest.fixture
def ben(session: Session, clock: FakeClock) -> User:
    return person(session, clock, "ben")


@pytest.fixture
def team(session: Session, clock: FakeClock, ada: User) -> Team:
    return teams.create(session, ada, "Platform", clock())


def link(session: Session, team: Team, maker: User, terms: Terms, now: datetime) -> str:
    token = new_token()
    assert invites.make(session, team, maker, terms, token, now)
    return token


def states(session: Session, team: Team, now: datetime) -> list[tuple[str, int]]:
    return [(each.state(now), each.uses) for each in invites.of_team(session, team)]


def test_it_lets_in_as_often_as_it_says(
    session: Session, clock: FakeClock, ada: User, ben: User, team: Team
) -> None:
    token = link(session, team, ada, ONCE, clock())
    offer = invites.offered(session, token, clock())
    assert offer is not None
    assert (offer.team, offer.role) == (team, "member")
    assert invites.accept(session, ben, token, clock()) == team
    assert teams.of(session, ben)[0].team == team
    assert states(session, team, clock()) == [("used up", 1)]
    assert invites.offered(session, token, clock()) is None
    with pytest.raises(InviteOver):
        invites.accept(session, person(session, clock, "cem"), token, clock())


def test_only_a_hash_of_it_is_stored(session: Session, clock: FakeClock, ada: User, team: Team) -> None:
    token = link(session, team, ada, ONCE, clock())
    assert token not in repr(session.exec(select(InviteRow)).one())


def test_it_ends_with_its_time_and_when_it_is_revoked(
    session: Session, clock: FakeClock, ada: User, ben: User, team: Team
) -> None:
    for end in (
        lambda: clock.advance(days=7),
        lambda: invites.revoke(session, team, invites.of_team(session, team)[0].id, clock()),
    ):
        token = link(session, team, ada, ONCE, clock())
        end()
        assert invites.offered(session, token, clock()) is None
        with pytest.raises(InviteOver):
            invites.accept(session, ben, token, clock())
    assert role_of(session, team, ben) is None


def test_who_is_in_the_team_uses_nothing_up_and_is_never_lowered(
    session: Session, clock: FakeClock, ada: User, ben: User, team: Team
) -> None:
    as_member = link(session, team, ada, Terms("member", 7, 5), clock())
    invites.accept(session, ada, as_member, clock())
    invites.accept(session, ben, as_member, clock())
    invites.accept(session, ben, as_member, clock())
    assert role_of(session, team, ada) == "owner"
    assert states(session, team, clock()) == [("open", 1)]
    invites.accept(session, ben, link(session, team, ada, Terms("editor", 7, 1), clock()), clock())
    assert role_of(session, team, ben) == "editor"


def test_a_form_sent_twice_makes_one_link_and_revoked_it_stays(
    session: Session, clock: FakeClock, ada: User, team: Team
) -> None:
    token = link(session, team, ada, ONCE, clock())
    assert invites.make(session, team, ada, ONCE, token, clock())
    assert invites.revoke(session, team, invites.of_team(session, team)[0].id, clock())
    assert not invites.make(session, team, ada, ONCE, token, clock())
    assert states(session, team, clock()) == [("revoked", 0)]


def test_another_team_can_revoke_none_of_them(
    session: Session, clock: FakeClock, ada: User, ben: User, team: Team
) -> None:
    link(session, team, ada, ONCE, clock())
    other = teams.create(session, ben, "Other", clock())
    assert not invites.revoke(session, other, invites.of_team(session, team)[0].id, clock())
    assert states(session, team, clock()) == [("open", 0)]


def test_a_team_has_no_end_of_open_ones(session: Session, clock: FakeClock, ada: User, team: Team) -> None:
    for _ in range(invites.MAX_OPEN):
        link(session, team, ada, ONCE, clock())
    with pytest.raises(TooManyInvites):
        invites.make(session, team, ada, ONCE, new_token(), clock())


def test_who_come_at_once_cannot_both_be_the_last(
    database: Database, session: Session, clock: FakeClock, ada: User, team: Team
) -> None:
    token = link(session, team, ada, Terms("member", 7, 2), clock())
    crowd = [person(session, clock, f"guest-{number}") for number in range(6)]
    session.rollback()
    together = threading.Barrier(len(crowd))
    let_in: list[str] = []

    def come(user: User) -> None:
        with database.session() as own:
            together.wait()
            try:
                invites.accept(own, user, token, clock())
                let_in.append(user.login)
            except InviteOver:
                pass

    threads = [threading.Thread(target=come, args=(user,)) for user in crowd]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(let_in) == 2
    assert sorted(let_in) == sorted(
        each.login for each in teams.members(session, team) if each.role != "owner"
    )
    assert states(session, team, clock()) == [("used up", 2)]
