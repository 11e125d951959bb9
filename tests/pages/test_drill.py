"""/practice/drill: so many questions in a row, beside the schedule unless that is asked for."""

import html
import re

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from app.bank.load import Bank
from tests.conftest import FakeClock
from tests.pages.test_practice import next_question, undo, words

PAIR = {"question": ["attention-matrix-memory", "mfu-and-hfu"]}


def start(client: TestClient, **data: object) -> str:
    """Starts a drill; the address of the page of the drill itself."""
    first = client.post("/practice/drill", data=data)
    assert first.url.path.startswith("/questions/")
    return f"/practice/drill/{first.url.params['drill']}"


def current(client: TestClient, drill: str) -> str:
    """The question that is next in the drill, with its query; empty once it is over."""
    response = client.get(f"{drill}/next", follow_redirects=False)
    assert response.status_code == 303
    address = response.headers["location"]
    return address if address.startswith("/questions/") else ""


def act(client: TestClient, question: str, name: str, **data: str) -> str:
    path, _, query = question.partition("?")
    return client.post(f"{path}/{name}?{query}", data=data).text


def test_ten_on_a_subject_from_set_up_to_summary(client: TestClient, bank: Bank) -> None:
    page = client.get("/practice/drill?topic=attention&count=4").text
    assert re.search(r'value="attention"[^>]* checked', page)
    assert 'id="count" name="count" value="4"' in page
    drill = start(client, topic="attention", count="10")
    met: list[str] = []
    while question := current(client, drill):
        slug = question.partition("?")[0].removeprefix("/questions/")
        assert "attention" in bank.questions[slug].meta.topics
        page = client.get(question).text
        assert f"Drill: Attention {len(met)} of" in words(page)
        act(client, question, "reveal")
        rated = act(client, question, "rating", rating="3")
        assert f'href="{drill}/next"' in rated
        assert "for this drill only" in words(rated)
        met.append(slug)
    there = sum("attention" in question.meta.topics for question in bank.questions.values())
    assert len(met) == len(set(met)) == min(there, 10)
    page = words(client.get(drill).text)
    assert "Summary of the drill: Attention" in page
    assert "The schedule stays as it was." in page


def test_its_ratings_leave_the_schedule_alone_unless_asked(client: TestClient, clock: FakeClock) -> None:
    for asked, due in (("", 0), ("1", 1)):
        drill = start(client, question="mfu-and-hfu", schedule=asked)
        question = current(client, drill)
        page = act(client, question, "reveal")
        assert page.count("no date") == (0 if asked else 4)
        act(client, question, "rating", rating="1")
        clock.advance(days=1)
        assert f"0 done today {due} due" in words(client.get("/practice").text)


def test_each_time_with_numbers_not_met_before(client: TestClient) -> None:
    seeds = []
    for _ in range(3):
        drill = start(client, question="attention-matrix-memory")
        question = current(client, drill)
        seeds.append(re.findall(r"seed=(\d+)", question)[0])
        act(client, question, "reveal")
    assert len(set(seeds)) == 3


def test_the_summary_tells_what_was_answered_and_offers_what_went_wrong(client: TestClient) -> None:
    drill = start(client, **PAIR, title="These two")
    question = current(client, drill)
    act(client, question, "answer", answer="2 GB")
    act(client, question, "answer", answer="2 GiB")
    act(client, question, "reveal")
    act(client, question, "rating", rating="2")
    act(client, current(client, drill), "skip")
    page = client.get(drill).text
    assert "2 of 2 done, 0 of 1 right at once." in words(page)
    assert "2 GB not right" in words(page)
    assert "passed over" in words(page)
    assert re.findall(r'name="question" value="([^"]+)"', page) == PAIR["question"]
    assert start(client, **PAIR) != drill


def test_a_drill_goes_on_after_the_window_was_closed_and_can_be_ended(client: TestClient) -> None:
    drill = start(client, **PAIR)
    assert "Go on with the drill on All topics" not in client.get("/").text
    page = client.get("/practice").text
    assert f'href="{drill}"' in page
    assert current(client, drill) == current(client, drill)
    client.post(f"{drill}/end")
    assert current(client, drill) == ""
    assert f'href="{drill}"' not in client.get("/practice").text


def test_the_last_rating_is_undone_in_the_drill(client: TestClient) -> None:
    drill = start(client, **PAIR)
    first = current(client, drill)
    act(client, first, "reveal")
    act(client, first, "rating", rating="4")
    undo(client, client.get(f"{drill}/next").text)
    assert current(client, drill) == first


def test_what_is_suspended_is_not_drawn(small_client: TestClient) -> None:
    for slug in ("sample-carried", "sample-parts", "sample-several"):
        small_client.post(f"/questions/{slug}/marks", data={"suspend": "1"})
    refused = small_client.post("/practice/drill", data={})
    assert refused.status_code == 422
    assert "No question is all of this." in html.unescape(refused.text)


def test_bookmarks_make_a_drill(client: TestClient) -> None:
    client.post("/questions/mfu-and-hfu/marks", data={"bookmark": "1"})
    drill = start(client, state="bookmarked")
    assert "mfu-and-hfu" in current(client, drill)
    assert "Drill: bookmarked 0 of 1 done." in words(client.get(drill).text)


@pytest.mark.parametrize(
    "data",
    [
        {"count": "0"},
        {"count": "99999999999"},
        {"count": "ten"},
        {"topic": "nonsense", "level": "x" * 900},
        {"question": ["no-such-question"] * 70},
        {"title": "x" * 9000},
    ],
)
def test_no_form_and_no_link_breaks_it(client: TestClient, data: dict[str, str | list[str]]) -> None:
    assert client.post("/practice/drill", data=data).status_code in (200, 422)
    assert client.get("/practice/drill", params=data).status_code in (200, 414)


def test_a_drill_is_its_users_alone(client: TestClient, app: FastAPI) -> None:
    for number in ("7", "0", "x", "9" * 40):
        assert client.get(f"/practice/drill/{number}").status_code == 404
        assert client.get(f"/practice/drill/{number}/next").status_code == 404
    page = client.get("/questions/mfu-and-hfu?drill=7").text
    assert "Drill:" not in page, "a link of somebody else shows the question alone"
    slug, _ = next_question(client)
    assert client.get(f"/questions/{slug}?drill=99999999999999&chain=%3Cb%3E").status_code == 200
