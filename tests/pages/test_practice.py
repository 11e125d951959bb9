"""/practice: one question after the other, what is due first."""

import re
from typing import Protocol
from urllib.parse import parse_qs, urlsplit

from fastapi.testclient import TestClient

from app.bank.load import Bank


class Clock(Protocol):
    def advance(self, **by: float) -> object: ...


def next_question(client: TestClient, after: str = "") -> tuple[str, dict[str, list[str]]]:
    """The slug and the query of the question that is served."""
    response = client.get("/practice", params={"after": after} if after else {}, follow_redirects=False)
    assert response.status_code == 303
    address = urlsplit(response.headers["location"])
    return address.path.removeprefix("/questions/"), parse_qs(address.query)


def rate(client: TestClient, slug: str, rating: int, seed: int = 0) -> str:
    query = f"?v=1&seed={seed}&practice=1"
    client.post(f"/questions/{slug}/reveal{query}")
    return client.post(f"/questions/{slug}/rating{query}", data={"rating": str(rating)}).text


def test_it_serves_new_questions_until_there_is_none(client: TestClient, bank: Bank) -> None:
    met = []
    for _ in bank.questions:
        slug, query = next_question(client)
        assert query == {"v": ["1"], "seed": ["0"], "practice": ["1"]}
        met.append(slug)
        rate(client, slug, 4)
    assert sorted(met) == sorted(bank.questions)
    page = client.get("/practice")
    assert "All done for today" in page.text
    assert "The next review comes" in page.text


def test_what_is_due_comes_first_and_with_other_numbers(client: TestClient, clock: Clock) -> None:
    rate(client, "mfu-and-hfu", 2)
    assert next_question(client)[0] != "mfu-and-hfu"
    clock.advance(days=1)
    slug, query = next_question(client)
    assert slug == "mfu-and-hfu"
    assert query["seed"] == ["1"]


def test_again_comes_back_today_but_not_at_once(client: TestClient) -> None:
    first, _ = next_question(client)
    rate(client, first, 1)
    assert next_question(client, after=first)[0] != first
    assert next_question(client)[0] == first


def test_the_line_counts_and_stays_through_every_act(client: TestClient, bank: Bank) -> None:
    slug, _ = next_question(client)
    page = client.get("/practice").text
    total = len(bank.questions)
    assert re.search(rf"<strong>0</strong> done today.*<strong>{total}</strong> new", page, re.DOTALL)
    assert 'aria-current="true">Practice' in page
    rated = rate(client, slug, 3)
    assert re.search(rf"<strong>1</strong> done today.*<strong>{total - 1}</strong> new", rated, re.DOTALL)
    assert f"/practice?after={slug}" in rated
    assert 'id="share-link" value="http://127.0.0.1/questions/' in rated
    assert "practice=1" not in re.findall(r'id="share-link" value="([^"]*)"', rated)[0]
    htmx = client.post(
        f"/questions/{slug}/rating?practice=1", data={"rating": "2"}, headers={"HX-Request": "true"}
    )
    assert 'id="practice-line" hx-swap-oob' in htmx.text


def test_outside_of_practice_there_is_no_line(client: TestClient) -> None:
    assert "practice-line" not in client.get("/questions/mfu-and-hfu").text
