"""The pages of teams: made, joined, changed, left and deleted, with a form and without JavaScript."""

import re
from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from app.accounts import browser_sessions
from app.bank.load import Bank
from app.settings import Settings
from tests.accounts.worlds import (
    EDITOR,
    LONER,
    MEMBER,
    OPERATOR,
    OWNER,
    SECRET,
    STRANGER,
    VISITOR,
    World,
    world,
)
from tests.conftest import FakeClock

RED = "/team/red"
PASSWORD = "plinth ossify quagmire 9"


@pytest.fixture
def made(app_settings: Settings, clock: FakeClock, bank: Bank) -> Iterator[World]:
    with world(app_settings, clock, bank) as made:
        yield made


def invite(made: World, **form: str) -> str:
    """A new link's path, as the page shows it once."""
    page = made.browser(OWNER).get(f"{RED}/invites").text
    token = re.search(r'name="token" value="([^"]+)"', page)
    assert token
    given = {"token": token[1], "role": "member", "days": "7", "uses": "1", "label": "", **form}
    shown = made.browser(OWNER).post(f"{RED}/invites", data=given)
    link = re.search(r'id="link" value="http://127\.0\.0\.1(/join/[^"]+)"', shown.text)
    assert link
    assert link[1] not in made.browser(OWNER).get(f"{RED}/invites").text
    return link[1]


def register(client: TestClient, link: str, **form: str) -> Response:
    given = {"name": "Eve", "email": "eve@example.org", "password": PASSWORD, **form}
    return client.post(f"{link}/register", data=given)


class TestJoining:
    def test_with_an_account_it_is_one_button(self, made: World) -> None:
        link = invite(made, role="editor")
        assert "You are invited as an editor" in made.browser(LONER).get(link).text
        joined = made.browser(LONER).post(link)
        assert joined.headers["location"] == RED
        assert made.browser(LONER).get(f"{RED}/packs").status_code == 200
        assert made.browser(STRANGER).get(link).status_code == 404  # used up

    def test_without_one_it_makes_one_and_signs_in(self, made: World) -> None:
        link = invite(made)
        client = made.browser(VISITOR)
        page = client.get(link)
        assert f"/sign-in?next={link.replace('/', '%2F')}" in page.text
        assert page.headers["referrer-policy"] == "no-referrer"
        assert register(client, link).headers["location"] == RED
        assert "You are a member" in client.get(RED).text
        assert register(made.browser(VISITOR), link, email="second@example.org").status_code == 404

    def test_what_is_wrong_is_told_and_uses_nothing_up(self, made: World) -> None:
        link = invite(made)
        wrong = register(made.browser(VISITOR), link, email="nobody", password="short")
        assert wrong.status_code == 422
        assert "“nobody”" in wrong.text
        assert "The password has 5 characters" in wrong.text
        assert 'value="Eve"' in wrong.text
        assert "short" not in re.sub(r"shortest|shortcut", "", wrong.text)
        taken = register(made.browser(VISITOR), link, email=made.people[MEMBER].login)
        assert taken.status_code == 422
        assert browser_sessions.COOKIE not in taken.cookies
        assert "0 of 1" in made.browser(OWNER).get(f"{RED}/invites").text


class TestChanging:
    def test_roles_and_the_last_owner(self, made: World) -> None:
        member, owner = made.people[MEMBER].id, made.people[OWNER].id
        refused = made.browser(OWNER).post(f"{RED}/members/{owner}/role", data={"role": "member"})
        assert refused.status_code == 409
        assert "A team needs an owner" in refused.text
        assert made.browser(OWNER).post(f"{RED}/leave").status_code == 409
        made.browser(OWNER).post(f"{RED}/members/{member}/role", data={"role": "owner"})
        assert made.browser(MEMBER).get(f"{RED}/invites").status_code == 200
        assert made.browser(OWNER).post(f"{RED}/leave").headers["location"] == "/team"
        assert made.browser(OWNER).get(RED).status_code == 404
        assert "You are in no team" in made.browser(OWNER).get("/team").text

    def test_somebody_removed_is_out_at_once(self, made: World) -> None:
        editor = made.people[EDITOR].id
        made.browser(OWNER).post(f"{RED}/members/{editor}/remove")
        assert made.browser(EDITOR).get(f"{RED}/packs").status_code == 404
        assert made.browser(OWNER).post(f"{RED}/members/{editor}/remove").status_code == 404

    def test_addresses_of_people_are_for_owners(self, made: World) -> None:
        login = made.people[EDITOR].login
        assert login in made.browser(OWNER).get(f"{RED}/members").text
        assert login not in made.browser(MEMBER).get(f"{RED}/members").text

    def test_a_revoked_link_opens_nothing(self, made: World) -> None:
        link = invite(made)
        page = made.browser(OWNER).get(f"{RED}/invites").text
        revoke = re.search(rf"{RED}/invites/\d+/revoke", page)
        assert revoke
        made.browser(OWNER).post(revoke[0])
        assert made.browser(LONER).get(link).status_code == 404

    @pytest.mark.parametrize(
        ("form", "told"),
        [
            ({"days": "91"}, "The number of days is “91”"),
            ({"uses": "0"}, "The number of people is “0”"),
            ({"uses": "many"}, "The number of people is “many”"),
            ({"role": "king"}, "A role is owner, editor or member"),
            ({"label": "x" * 81}, "The label has 81 characters"),
        ],
    )
    def test_a_link_that_makes_no_sense(self, made: World, form: dict[str, str], told: str) -> None:
        given = {"token": "A" * 43, "role": "member", "days": "7", "uses": "1", "label": "", **form}
        refused = made.browser(OWNER).post(f"{RED}/invites", data=given)
        assert (refused.status_code, told in refused.text) == (422, True)
        assert made.browser(LONER).get(f"/join/{'A' * 43}").status_code == 404


class TestTeams:
    def test_the_operator_makes_one_and_owns_it(self, made: World) -> None:
        made_one = made.browser(OPERATOR).post("/teams", data={"name": "<b>Green</b> & Co"})
        assert made_one.headers["location"] == "/team/b-green-b-co"
        page = made.browser(OPERATOR).get("/team/b-green-b-co").text
        assert "&lt;b&gt;Green&lt;/b&gt; &amp; Co" in page
        assert "You are an owner" in page
        assert made.browser(OPERATOR).post("/teams", data={"name": " "}).status_code == 422

    def test_its_name_changes_and_its_address_stays(self, made: World) -> None:
        made.browser(OWNER).post(f"{RED}/rename", data={"name": "Crimson"})
        assert "Crimson" in made.browser(MEMBER).get(RED).text
        assert made.browser(OWNER).post(f"{RED}/rename", data={"name": "x" * 81}).status_code == 422

    def test_it_is_deleted_once_its_name_was_typed(self, made: World) -> None:
        kept = made.browser(OWNER).post(f"{RED}/delete", data={"confirmation": "yes"})
        assert (kept.status_code, "Type “red”" in kept.text) == (422, True)
        made.browser(OWNER).post(f"{RED}/delete", data={"confirmation": "red"})
        for actor in (OWNER, MEMBER):
            assert made.browser(actor).get(RED).status_code == 404
        assert made.browser(MEMBER).get(f"/interviews/{made.values['interview']}").status_code == 200

    def test_who_is_in_two_changes_between_them(self, made: World, clock: FakeClock) -> None:
        clock.advance(minutes=1)
        made.browser(STRANGER).post(invite(made))
        assert made.browser(STRANGER).get("/team").headers["location"] == RED
        assert 'action="/team/blue/choose"' in made.browser(STRANGER).get("/").text
        clock.advance(minutes=1)
        made.browser(STRANGER).post("/team/blue/choose")
        assert made.browser(STRANGER).get("/team").headers["location"] == "/team/blue"
        page = made.browser(STRANGER).get(RED).text
        assert "You are in “Blue” now" in page
        assert SECRET in page
