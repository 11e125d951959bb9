"""Bookmark, suspend, note and report: what one does with a question besides answering it."""

import html
import re
from urllib.parse import parse_qs, urlsplit

from fastapi.testclient import TestClient

from app.bank.load import Bank
from app.main import create_app
from app.settings import Settings
from tests.pages.test_practice import next_question, words

ATTENTION = "/questions/attention-matrix-memory"
HTMX = {"HX-Request": "true"}


def test_a_bookmark_is_set_and_taken_away(client: TestClient) -> None:
    assert "☆ Bookmark" in client.get(ATTENTION).text
    part = client.post(f"{ATTENTION}/marks", data={"bookmark": "1"}, headers=HTMX).text
    assert "★ Bookmarked" in part
    assert "<html" not in part
    page = client.post(f"{ATTENTION}/marks?v=1&seed=7", data={"bookmark": "1"})
    assert page.url.query == b"v=1&seed=7"
    assert 'aria-pressed="true"' in page.text, "twice is once"
    assert "☆ Bookmark" in client.post(f"{ATTENTION}/marks", data={"bookmark": "0"}).text
    assert client.post(f"{ATTENTION}/marks", data={"bookmark": "perhaps"}).status_code == 200


def test_a_suspended_question_says_so_and_is_not_served(client: TestClient, bank: Bank) -> None:
    first, _ = next_question(client)
    page = client.post(f"/questions/{first}/marks?practice=1", data={"suspend": "1"}).text
    assert "Suspended: it is not served" in page
    assert next_question(client)[0] != first
    client.post(f"/questions/{first}/marks", data={"suspend": "0"})
    assert bank.questions[first].title in client.get("/practice").text


def test_a_note_is_shown_apart_folded_until_the_answer_is_open(client: TestClient) -> None:
    put = {"seed": 0, "part": "", "text": "Each head has its own <matrix>", "revision": 0}
    assert client.put(f"{ATTENTION}/note", json=put).json()["revision"] == 1
    page = client.get(f"{ATTENTION}?seed=7").text
    assert "Each head has its own &lt;matrix&gt;</textarea>" in page
    assert '<details class="own-note" id="note-fold">' in page, "it may hold the answer"
    client.post(f"{ATTENTION}/reveal")
    assert '<details class="own-note" id="note-fold" open>' in client.get(ATTENTION).text


def test_a_note_without_javascript_sets_the_newer_text_aside(client: TestClient) -> None:
    sent = client.post(f"{ATTENTION}/note", data={"note": "one\r\nline", "stamp-note": "0"})
    assert sent.url.fragment in ("", "note")
    assert "one\nline</textarea>" in sent.text
    older = client.post(f"{ATTENTION}/note", data={"note": "from an older page", "stamp-note": "0"}).text
    assert "from an older page</textarea>" in older
    assert re.search(r'id="note-aside">.*?one\nline</blockquote>', older, re.DOTALL)
    assert client.post(f"{ATTENTION}/note", data={"note": "x" * 30_000}).status_code == 200


def test_a_report_names_what_was_seen_and_answered(client: TestClient) -> None:
    client.post(f"{ATTENTION}/answer?v=1&seed=7", data={"answer": "1 <b> GB"})
    client.post(f"{ATTENTION}/answer?v=1&seed=7", data={"answer": "3 GB"})
    page = client.get(f"{ATTENTION}/report?v=1&seed=7").text
    text = html.unescape(page)
    assert "Question: attention-matrix-memory, version" in text
    assert "Seed: 7" in text
    assert re.search(r"Numbers: .*seq_len = \d+", text)
    assert "Answered: 3 GB → " in text
    assert "names no address for reports" in words(page)
    assert 'href="mailto:' not in page


def test_a_report_goes_where_the_settings_say(app_settings: Settings, bank: Bank) -> None:
    for to, field in (
        ("mailto:bank@example.com", "subject"),
        ("https://example.com/issues/new?labels=question", "title"),
    ):
        settings = app_settings.model_copy(update={"report_to": to})
        with TestClient(create_app(settings, bank=bank), base_url="http://127.0.0.1") as client:
            page = client.get(f"{ATTENTION}/report?v=1&seed=7").text
        [address] = [html.unescape(found) for found in re.findall(r'primary" href="([^"]+)"', page)]
        assert address.startswith(to)
        query = parse_qs(urlsplit(address).query)
        assert query[field] == ["Mistake in “Memory of the full attention matrix”"]
        assert "Seed: 7" in query["body"][0]
        assert "+" not in address if field == "subject" else True, "a mail program shows a plus as a plus"


def test_the_address_of_an_act_leads_back(client: TestClient) -> None:
    for act in ("skip", "marks", "note"):
        assert client.get(f"{ATTENTION}/{act}?v=1&seed=7").url.query == b"v=1&seed=7"
        assert client.post(f"{ATTENTION}/{act}", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
