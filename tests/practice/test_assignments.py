"""Assignments: results follow from what people practise, and nobody sees more of anybody than they should."""

import csv
import io
import re
from collections.abc import Iterator

import pytest
from httpx2 import Response
from sqlmodel import Session

from app.accounts import api_tokens, teams
from app.accounts.tokens import new_token
from app.accounts.users import User
from app.bank.load import Bank
from app.practice import assignments, ratings, sittings
from app.practice.assignments import Task
from app.practice.records import QuestionKey, VariantSnapshot
from app.practice.schedule import Rating
from app.settings import Settings
from tests.accounts.worlds import EDITOR, LONER, MEMBER, OWNER, QUESTION, STRANGER, World, world
from tests.conftest import FakeClock

HERE = "/team/red/assignments"
MFU = "mfu-and-hfu"


@pytest.fixture
def made(app_settings: Settings, clock: FakeClock, bank: Bank) -> Iterator[World]:
    with world(app_settings, clock, bank) as made:
        yield made


def assign(made: World, **form: object) -> Response:
    given = {"title": "Before the offsite", "question": [QUESTION, MFU], "due": "2026-03-06", **form}
    return made.browser(EDITOR).post(f"{HERE}/new", data=given)


def answer(made: World, actor: str, slug: str, text: str) -> None:
    sent = made.browser(actor).post(f"/questions/{slug}/answer", data={"answer": text})
    assert sent.status_code == 303


def results(made: World, number: int = 1) -> dict[str, tuple[str, str]]:
    """By name: done, and credit."""
    text = made.browser(EDITOR).get(f"{HERE}/{number}/results.csv").text
    return {row["name"]: (row["done"], row["credit"]) for row in csv.DictReader(io.StringIO(text))}


class TestResults:
    def test_they_follow_from_practice_since_it_was_set(self, made: World, clock: FakeClock) -> None:
        answer(made, OWNER, QUESTION, "2 GiB")
        clock.advance(days=3)
        assert assign(made).headers["location"] == f"{HERE}/1"
        assert results(made) == {"member": ("0", ""), "editor": ("0", ""), "owner": ("0", "")}
        answer(made, MEMBER, QUESTION, "1 GiB")
        answer(made, MEMBER, QUESTION, "2 GiB")
        answer(made, EDITOR, QUESTION, "2 GiB")
        answer(made, EDITOR, "memory-or-compute-bound", "memory")
        found = results(made)
        assert found["editor"] == ("1", "1.0")
        assert found["owner"] == ("0", "")
        assert found["member"][0] == "1"
        assert float(found["member"][1]) < 1  # the first try counts

    def test_a_mock_interview_is_done_when_it_is_over(self, made: World) -> None:
        made.browser(MEMBER).post(f"/interviews/{made.values['interview']}/abandon", data={"place": "1"})
        assign(made, kind="interview", minutes="30")
        started = made.browser(MEMBER).post(f"{HERE}/1/start").headers["location"]
        assert re.fullmatch(r"/interviews/\d+", started)
        assert made.browser(MEMBER).post(f"{HERE}/1/start").headers["location"] == started
        assert results(made)["member"] == ("0", "")
        made.browser(MEMBER).post(f"{started}/finish", data={"place": "1"})
        assert results(made)["member"][0] == "2"

    def test_one_that_was_abandoned_can_be_taken_again(self, made: World) -> None:
        made.browser(MEMBER).post(f"/interviews/{made.values['interview']}/abandon", data={"place": "1"})
        assign(made, kind="interview", minutes="30")
        first = made.browser(MEMBER).post(f"{HERE}/1/start").headers["location"]
        made.browser(MEMBER).post(f"{first}/abandon", data={"place": "1"})
        second = made.browser(MEMBER).post(f"{HERE}/1/start").headers["location"]
        assert second != first
        assert results(made)["member"] == ("0", "")

    def test_questions_are_a_drill_that_goes_on_where_it_was_left(self, made: World) -> None:
        assign(made)
        first = made.browser(MEMBER).post(f"{HERE}/1/start").headers["location"]
        assert re.fullmatch(r"/practice/drill/\d+/next", first)
        assert made.browser(MEMBER).post(f"{HERE}/1/start").headers["location"] == first


class TestWhoSees:
    def test_one_for_some_is_nothing_to_the_others(self, made: World) -> None:
        assign(made, **{"for": "some"}, person=str(made.people[OWNER].id))
        assert results(made) == {"owner": ("0", "")}
        browser = made.browser(MEMBER)
        assert "Before the offsite" not in browser.get(HERE).text
        assert browser.get(f"{HERE}/1").status_code == 404
        assert browser.post(f"{HERE}/1/start").status_code == 404

    def test_members_see_their_own_results_alone(self, made: World) -> None:
        assign(made)
        page = made.browser(MEMBER).get(f"{HERE}/1").text
        assert "Begin" in page
        assert "Who has done what" not in page

    def test_the_page_of_a_member_is_theirs_and_their_teachers(self, made: World) -> None:
        assign(made)
        note = {"text": "my secret note", "base": "0"}
        made.browser(MEMBER).post(f"/questions/{QUESTION}/note", data=note)
        answer(made, MEMBER, QUESTION, "123456 GiB")
        page = f"/team/red/members/{made.people[MEMBER].id}"
        expected = {MEMBER: 200, EDITOR: 200, OWNER: 200, STRANGER: 404, LONER: 404}
        assert {actor: made.browser(actor).get(page).status_code for actor in expected} == expected
        owners = f"/team/red/members/{made.people[OWNER].id}"
        assert made.browser(MEMBER).get(owners).status_code == 403
        for actor in (MEMBER, EDITOR):
            seen = made.browser(actor).get(page).text
            assert "Before the offsite" in seen
            assert "1 of 2" in seen
            assert "my secret note" not in seen
            assert "123456" not in seen
        stranger = f"/team/red/members/{made.people[STRANGER].id}"
        assert made.browser(OWNER).get(stranger).status_code == 404

    def test_closed_it_is_asked_of_nobody(self, made: World) -> None:
        assign(made)
        for page in ("/", "/team/red"):
            assert "Before the offsite" in made.browser(MEMBER).get(page).text
        made.browser(EDITOR).post(f"{HERE}/1/close")
        assert made.browser(MEMBER).post(f"{HERE}/1/start").status_code == 409
        for page in ("/", "/team/red"):
            assert "Before the offsite" not in made.browser(MEMBER).get(page).text


class TestSetting:
    @pytest.mark.parametrize(
        ("form", "told"),
        [
            ({"title": " "}, "The title has 0 characters"),
            ({"question": []}, "0 questions are chosen"),
            ({"question": "nope"}, "0 questions are chosen"),
            ({"due": "soon"}, "The due date is “soon”"),
            ({"kind": "interview", "minutes": "x"}, "The minutes are “x”"),
            ({"kind": "interview", "minutes": "0"}, "allowed is a whole number from 1"),
            ({"for": "some"}, "Nobody is chosen"),
            ({"for": "some", "person": "999"}, "Nobody is chosen"),
            ({"note": "x" * 1_001}, "The note has 1,001 characters"),
        ],
    )
    def test_what_makes_no_sense_is_told_and_nothing_typed_is_lost(
        self, made: World, form: dict[str, object], told: str
    ) -> None:
        refused = assign(made, **{"note": "Two hours", **form})
        assert refused.status_code == 422
        assert told in refused.text
        kept = str(form.get("note", "Two hours"))
        assert f">{kept}</textarea>" in refused.text
        assert results_absent(made)

    def test_names_are_text_in_a_spreadsheet(self, made: World) -> None:
        assign(made, title="=1+1")
        assert "'=1+1" in made.browser(EDITOR).get(f"{HERE}/1/results.csv").text


def results_absent(made: World) -> bool:
    return made.browser(EDITOR).get(f"{HERE}/1").status_code == 404


class TestApi:
    def bearer(self, made: World, actor: str, *scopes: str) -> dict[str, str]:
        token = f"{api_tokens.PREFIX}{new_token()}"
        with made.database.session() as session:
            api_tokens.make(session, made.people[actor], token, "A program", scopes, 7, made.clock())
        return {"Authorization": f"Bearer {token}"}

    def test_a_program_sets_one_and_reads_who_has_done_what(self, made: World) -> None:
        client = made.browsers[LONER]
        editor = self.bearer(made, EDITOR, "team")
        api = "/api/v1/team/red"
        due = {"title": "By the API", "questions": [QUESTION], "due": "2026-03-06"}
        created = client.post(f"{api}/assignments", json=due, headers=editor)
        assert (created.status_code, created.json()) == (201, {"id": 1})
        answer(made, MEMBER, QUESTION, "2 GiB")
        read = client.get(f"{api}/assignments/1", headers=editor).json()
        by_member = {each["member"]: each for each in read["results"]}
        assert by_member[made.people[MEMBER].id]["credit"] == 1
        assert read["questions"][0]["slug"] == QUESTION
        seen = client.get(f"{api}/members/{made.people[MEMBER].id}", headers=editor).json()
        assert [each["title"] for each in seen["assignments"]] == ["By the API"]
        assert client.get(api, headers=editor).json()["members"][0]["email"] is None

    def test_it_says_what_is_wrong_and_lets_nobody_past_their_role(self, made: World) -> None:
        client = made.browsers[LONER]
        api = "/api/v1/team/red/assignments"
        task = {"title": "X", "questions": ["nope"], "people": [999]}
        editor, member = self.bearer(made, EDITOR, "team"), self.bearer(made, MEMBER, "team")
        refused = client.post(api, json=task, headers=editor)
        assert {each["field"] for each in refused.json()["errors"]} == {"questions", "people"}
        assert client.post(api, json=task, headers=member).status_code == 403
        assert client.get(api, headers=self.bearer(made, EDITOR, "read")).status_code == 403
        assert client.get(api, headers=self.bearer(made, STRANGER, "team")).status_code == 404
        assert client.get(f"{api}/99", headers=editor).status_code == 404


def test_results_are_found_on_either_database(session: Session, user: User, clock: FakeClock) -> None:
    """The statements, on a database with nothing in it and with a rating that was taken back."""
    team = teams.create(session, user, "Red", clock())
    key = QuestionKey("questions", QUESTION)
    set_ones = []
    for task in (Task("Questions", (key,)), Task("Interview", (key,), minutes=30)):
        number = assignments.create(session, team, user, task, clock())
        found = assignments.get(session, team, number)
        assert found is not None
        assert assignments.results(session, found, [user.id])[user.id].done == 0
        assert assignments.results(session, found, []) == {}
        set_ones.append(found)
    questions = set_ones[0]
    sitting = sittings.open_apart(session, user, VariantSnapshot(key, 0, 1, "hash", "1", {}, {}), clock())
    rating = ratings.rate(session, user, sitting.id, Rating.GOOD, (), key="a", now=clock())
    assert assignments.results(session, questions, [user.id])[user.id].done == 1
    ratings.undo(session, user, rating.id, clock())
    assert assignments.results(session, questions, [user.id])[user.id].done == 0
