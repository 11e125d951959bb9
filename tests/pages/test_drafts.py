"""What the browser keeps while somebody types: answers by part, notes, and two windows at once."""

import html
import re

from fastapi.testclient import TestClient

ATTENTION = "/questions/attention-matrix-memory"
SEVERAL = "/questions/sample-several"
PUT = {"seed": 0, "part": "", "text": "3 Gi", "revision": 0}


def other_text(page: str, field: str = "answer") -> str:
    """The text of another window that the page offers; empty where it offers none."""
    [shown] = re.findall(
        rf'id="{field}-aside"( hidden)?>.*?<blockquote[^>]*>(.*?)</blockquote>', page, re.DOTALL
    )
    return "" if shown[0] else html.unescape(shown[1])


def test_a_draft_is_kept_by_revision_and_shown_again(client: TestClient) -> None:
    assert client.put(f"{ATTENTION}/draft", json=PUT).json() == {"revision": 1, "kept": True, "other": None}
    page = client.get(ATTENTION).text
    assert 'value="3 Gi"' in page
    assert 'name="stamp-answer" value="1"' in page
    assert other_text(page) == ""


def test_the_text_of_another_window_is_offered_until_it_is_dismissed(client: TestClient) -> None:
    client.put(f"{ATTENTION}/draft", json=PUT)
    second = client.put(f"{ATTENTION}/draft", json={**PUT, "text": "4 GiB"}).json()
    assert second == {"revision": 2, "kept": True, "other": "3 Gi"}
    assert other_text(client.get(ATTENTION).text) == "3 Gi"
    drop = {**PUT, "text": "4 GiB", "revision": 2, "drop_other": True}
    assert client.put(f"{ATTENTION}/draft", json=drop).json()["other"] is None
    assert other_text(client.get(ATTENTION).text) == ""


def test_a_form_of_an_older_page_sets_the_newer_text_aside(client: TestClient) -> None:
    client.put(f"{ATTENTION}/draft", json={**PUT, "text": "typed in the other window"})
    page = client.post(f"{ATTENTION}/answer", data={"answer": "2 GiB", "stamp-answer": "0"}).text
    assert 'value="2 GiB"' in page
    assert other_text(page) == "typed in the other window"


def test_a_text_that_comes_late_does_not_replace_a_newer_one(client: TestClient) -> None:
    client.put(f"{ATTENTION}/draft", json=PUT)
    late = {**PUT, "text": "typed offline", "typed_at": "2026-03-01T09:00:00Z"}
    assert client.put(f"{ATTENTION}/draft", json=late).json() == {
        "revision": 1,
        "kept": False,
        "other": "3 Gi",
    }
    assert other_text(client.get(ATTENTION).text) == "typed offline"
    for never in ("0001-01-01T00:00:00+23:59", "yesterday", "2026-03-01T09:00:00"):
        assert client.put(f"{ATTENTION}/draft", json={**late, "typed_at": never}).status_code == 422


def test_choices_are_drafted_too(client: TestClient) -> None:
    client.put(f"{SEVERAL}/draft", json={**PUT, "text": "first,third"})
    page = client.get(SEVERAL).text
    assert re.findall(r'value="(\w+)" id="answer-\w+" checked', page) == ["first", "third"]


def test_what_is_no_field_or_too_long_is_refused(client: TestClient) -> None:
    assert client.put(f"{ATTENTION}/draft", json={**PUT, "part": "elsewhere"}).status_code == 404
    for act in ("draft", "note"):
        assert client.put(f"{ATTENTION}/{act}", json={**PUT, "text": "x" * 20_001}).status_code == 422
        assert client.put(f"/questions/nothing/{act}", json=PUT).status_code == 404
