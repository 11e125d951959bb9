"""Teams: one cannot be left without an owner, and each person is in those that let them in."""

import pytest
from sqlmodel import Session, select

from app.accounts import teams
from app.accounts.teams import LastOwner, NameRefused, Team
from app.accounts.users import DEFAULT_DAILY_GOAL, DEFAULT_RETENTION, User, from_row
from app.database import writing
from app.models import MembershipRow, UserRow
from tests.conftest import FakeClock


def person(session: Session, clock: FakeClock, login: str) -> User:
    with writing(session):
        row = UserRow(
            login=f"{login}@example.org",
            name=login.title(),
            retention=DEFAULT_RETENTION,
            daily_goal=DEFAULT_DAILY_GOAL,
            created_at=clock(),
        )
        session.add(row)
        session.flush()
    return from_row(row)


def join(session: Session, team: Team, user: User, role: teams.Role, clock: FakeClock) -> None:
    with writing(session):
        teams.add_or_raise(session, team.id, user, role, clock())


@pytest.fixture
def ada(session: Session, clock: FakeClock) -> User:
    return person(session, clock, "ada")


@pytest.fixture
def ben(session: Session, clock: FakeClock) -> User:
    return person(session, clock, "ben")


@pytest.fixture
def team(session: Session, clock: FakeClock, ada: User) -> Team:
    return teams.create(session, ada, "Platform Löschzug", clock())


def role_of(session: Session, team: Team, user: User) -> str | None:
    found = teams.member(session, team, user.id)
    return found.role if found else None


class TestMaking:
    def test_the_maker_owns_it_and_is_in_it(self, session: Session, ada: User, team: Team) -> None:
        assert team.slug == "platform-loschzug"
        assert [(each.team, each.role) for each in teams.of(session, ada)] == [(team, "owner")]

    def test_a_second_team_of_the_name_has_an_address_of_its_own(
        self, session: Session, clock: FakeClock, ada: User, team: Team
    ) -> None:
        assert teams.create(session, ada, "Platform  Löschzug", clock()).slug == "platform-loschzug-2"
        assert teams.create(session, ada, "平台", clock()).slug == "team"

    @pytest.mark.parametrize("name", ["", " \n ", "x" * 81])
    def test_a_name_is_neither_empty_nor_endless(
        self, session: Session, clock: FakeClock, ada: User, name: str
    ) -> None:
        with pytest.raises(NameRefused):
            teams.create(session, ada, name, clock())
        assert teams.of(session, ada) == ()

    def test_the_team_chosen_last_is_the_current_one(
        self, session: Session, clock: FakeClock, ada: User, team: Team
    ) -> None:
        clock.advance(minutes=1)
        second = teams.create(session, ada, "Second", clock())
        assert teams.of(session, ada)[0].team == second
        clock.advance(minutes=1)
        teams.choose(session, ada, team, clock())
        assert [each.team for each in teams.of(session, ada)] == [team, second]


class TestOwners:
    def test_the_last_one_stays(
        self, session: Session, clock: FakeClock, ada: User, ben: User, team: Team
    ) -> None:
        join(session, team, ben, "editor", clock)
        with pytest.raises(LastOwner):
            teams.remove(session, team, ada.id)
        with pytest.raises(LastOwner):
            teams.change_role(session, team, ada.id, "member")
        assert role_of(session, team, ada) == "owner"
        assert teams.owned_alone(session, ada) == (team,)

    def test_with_another_one_the_first_can_go(
        self, session: Session, clock: FakeClock, ada: User, ben: User, team: Team
    ) -> None:
        join(session, team, ben, "member", clock)
        teams.change_role(session, team, ben.id, "owner")
        assert teams.owned_alone(session, ada) == ()
        teams.remove(session, team, ada.id)
        assert [each.shown for each in teams.members(session, team)] == ["Ben"]

    def test_one_who_cannot_sign_in_does_not_count(
        self, session: Session, clock: FakeClock, ada: User, ben: User, team: Team
    ) -> None:
        join(session, team, ben, "owner", clock)
        with writing(session):
            session.get_one(UserRow, ben.id).disabled_at = clock()
        with pytest.raises(LastOwner):
            teams.remove(session, team, ada.id)

    def test_the_end_of_a_team_is_the_end_of_its_memberships_and_of_nobody(
        self, session: Session, clock: FakeClock, ada: User, ben: User, team: Team
    ) -> None:
        join(session, team, ben, "member", clock)
        teams.delete(session, team)
        assert session.exec(select(MembershipRow)).all() == []
        assert len(session.exec(select(UserRow)).all()) == 2
        assert teams.by_slug(session, team.slug) is None


class TestRoles:
    def test_what_lets_in_never_lowers_a_role(
        self, session: Session, clock: FakeClock, ada: User, ben: User, team: Team
    ) -> None:
        join(session, team, ben, "editor", clock)
        join(session, team, ben, "member", clock)
        assert role_of(session, team, ben) == "editor"
        join(session, team, ben, "owner", clock)
        assert role_of(session, team, ben) == "owner"

    def test_each_may_what_those_below_may(self, team: Team) -> None:
        may = {
            role: [needed for needed in teams.ROLES if teams.Membership(team, role).may(needed)]
            for role in teams.ROLES
        }
        assert may == {
            "owner": ["owner", "editor", "member"],
            "editor": ["editor", "member"],
            "member": ["member"],
        }
