"""The list of questions: search, filters with their counts, and what htmx gets of it."""

import html
import re

import pytest
from fastapi.testclient import TestClient

from app.bank.load import Bank
from tests.conftest import FakeClock


def titles(page: str) -> list[str]:
    shown = re.findall(r'<span class="title"><a href="/questions/[^"]*">(.*?)</a>', page)
    return [html.unescape(re.sub("<[^>]+>", "", title)) for title in shown]


def counts(page: str, facet: str) -> dict[str, int]:
    """The values of a filter with their counts."""
    found = re.findall(rf'name="{facet}" value="([^"]*)".*?<span class="mono quiet">(\d+)</span>', page)
    return {html.unescape(value): int(count) for value, count in found}


def all_titles(client: TestClient, address: str) -> list[str]:
    """The titles of a list with all its further pages."""
    found: list[str] = []
    while address:
        page = client.get(address).text
        found += titles(page)
        more = re.search(r'<a href="([^"]+)">More questions</a>', page)
        address = html.unescape(more[1]) if more else ""
    return found


def test_all_questions_with_their_counts(client: TestClient, bank: Bank) -> None:
    page = client.get("/questions").text
    assert len(titles(page)) == 50
    listed = all_titles(client, "/questions")
    assert sorted(listed) == sorted(question.title for question in bank.questions.values())
    total = len(bank.questions)
    assert f"{total} of {total} questions" in page
    by_kind = [question.meta.kind for question in bank.questions.values()]
    assert counts(page, "kind") == {
        kind: by_kind.count(kind) for kind in ("open", "numeric", "choice", "multi")
    }
    assert counts(page, "company") == {"Anthropic": 1, "Example Labs": 1}
    states = counts(page, "state")
    assert states.pop("new") == total
    assert states == {"due": 0, "learning": 0, "wrong": 0, "bookmarked": 0, "suspended": 0}
    assert counts(page, "topic")["attention"] >= 2


def test_filters_and_search_narrow_together(client: TestClient, bank: Bank) -> None:
    page = client.get("/questions?kind=choice&kind=multi&topic=kernels").text
    assert "A choice of several" in titles(page)
    assert "A question in three parts" not in titles(page)
    assert re.search(r'value="kernels"[^>]* checked', page)
    found = client.get("/questions", params={"q": "attention matrix", "level": "mid"}).text
    assert titles(found)[0] == "Memory of the full attention matrix"
    assert f"of {len(bank.questions)} questions for “attention matrix”" in html.unescape(found)
    assert "/calculators/attention-scores" in found
    assert "<mark>" in found


@pytest.mark.parametrize(
    "text", ['"', "a OR NOT", "NEAR(", "<script>alert(1)</script>", "%", "ﬁ\x00", "*", "q" * 900]
)
def test_no_text_is_a_query_language(client: TestClient, text: str) -> None:
    page = client.get("/questions", params={"q": text, "topic": text, "from": text})
    assert page.status_code == 200
    assert "<script>alert" not in page.text


def test_nothing_found_says_so(client: TestClient, bank: Bank) -> None:
    page = client.get("/questions?q=zzzzqqq").text
    assert f"0 of {len(bank.questions)} questions" in page
    assert "Nothing matches" in page
    assert titles(client.get("/questions?company=Nobody").text) == []


def test_htmx_gets_results_and_filters_and_the_address(client: TestClient) -> None:
    headers = {"HX-Request": "true", "HX-Current-URL": "http://127.0.0.1/questions"}
    part = client.get("/questions?q=kernel&topic=&level=", headers=headers)
    assert "<html" not in part.text
    assert 'id="facets" hx-swap-oob' in part.text
    assert part.headers["HX-Push-Url"] == "/questions?q=kernel"


def test_rows_say_where_the_learner_stands(client: TestClient, clock: FakeClock) -> None:
    client.post("/questions/attention-matrix-memory/answer", data={"answer": "2 GB"})
    row = client.get("/questions?q=attention+matrix").text
    assert "last not right" in row
    client.post("/questions/attention-matrix-memory/reveal")
    client.post("/questions/attention-matrix-memory/rating", data={"rating": "2"})
    page = client.get("/questions").text
    assert "due tomorrow · last not right" in page
    for state in ("learning", "wrong"):
        assert counts(page, "state")[state] == 1
        assert titles(client.get(f"/questions?state={state}").text) == ["Memory of the full attention matrix"]
    clock.advance(days=1)
    assert titles(client.get("/questions?state=due").text) == ["Memory of the full attention matrix"]
    clock.advance(days=20)
    assert titles(client.get("/questions?state=wrong").text) == []


def test_what_is_bookmarked_or_suspended_is_found_by_that(client: TestClient) -> None:
    client.post("/questions/mfu-and-hfu/marks", data={"bookmark": "1"})
    client.post("/questions/mfu-and-hfu/marks", data={"suspend": "1"})
    for state in ("bookmarked", "suspended", "new"):
        assert "HFU and MFU of a training run" in all_titles(client, f"/questions?state={state}")
    assert "★ · suspended · new" in client.get("/questions?state=suspended").text
    client.post("/questions/mfu-and-hfu/marks", data={"bookmark": "0", "suspend": "0"})
    assert titles(client.get("/questions?state=bookmarked&state=suspended").text) == []
