"""The home page: for somebody new, and for somebody who has been here."""

import html
import re
from pathlib import Path

from fastapi.testclient import TestClient

from app.bank.load import Bank
from app.main import create_app
from app.settings import Settings


def words(page: str) -> str:
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", page).split()))


def test_a_first_visit_is_told_how_it_works_and_can_begin_at_once(client: TestClient) -> None:
    page = client.get("/").text
    assert "GB is not GiB" in page
    assert "Memory of the full attention matrix" in page
    assert "2.15 GB" not in page
    [action] = re.findall(r'<form class="answer-form" action="([^"]+)"', page)
    answered = client.post(action, data={"answer": "2 GiB"})
    assert "✓ Right." in answered.text
    assert answered.url.path == "/questions/attention-matrix-memory"


def test_later_visits_see_what_is_due(client: TestClient) -> None:
    client.post("/questions/attention-matrix-memory/reveal")
    client.post("/questions/attention-matrix-memory/rating", data={"rating": "1"})
    page = words(client.get("/").text)
    assert "Each question comes back" not in page
    assert "1 due 1 done today" in page, "Again comes back on the same day"
    assert "Go on Drill" in page
    assert re.search(r"Attention 1 of \d+ 100%", page)


def test_who_has_done_everything_is_told_so(small_client: TestClient) -> None:
    for slug in ("sample-carried", "sample-parts", "sample-several"):
        small_client.post(f"/questions/{slug}/reveal")
        small_client.post(f"/questions/{slug}/rating", data={"rating": "3"})
    page = words(small_client.get("/").text)
    assert "0 new questions to meet." in page
    assert "Choose a question" in page
    assert "Nothing waits today" in page
    assert "Start practising" not in page


def test_the_topics_lead_to_their_questions(client: TestClient) -> None:
    topics = re.findall(r'href="(/topics/[a-z-]+)"', client.get("/").text)
    assert topics
    for topic in topics:
        assert 'href="/questions/' in client.get(topic).text


def test_a_bank_without_a_readable_question(app_settings: Settings, tmp_path: Path) -> None:
    broken = tmp_path / "pack" / "attention"
    broken.mkdir(parents=True)
    (broken / "broken.md").write_text("---\ntitle: [\n---\n")
    app = create_app(app_settings, bank=Bank.load([tmp_path / "pack"]))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        assert "1 problem keeps a question file from being served" in words(client.get("/").text)
        assert "The bank is empty" in words(client.get("/practice").text)
        assert "0 of 0 questions" in client.get("/questions").text
