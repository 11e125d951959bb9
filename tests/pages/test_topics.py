"""/topics/{slug} and /numbers."""

from fastapi.testclient import TestClient

from app.bank.topics import TOPICS


def test_each_topic_opens_with_its_questions_numbers_and_calculators(client: TestClient) -> None:
    for slug, topic in TOPICS.items():
        page = client.get(f"/topics/{slug}")
        assert page.status_code == 200
        assert f"<h1>{topic.name}</h1>" in page.text
        assert 'class="by-heart"' in page.text
    attention = client.get("/topics/attention").text
    assert 'href="/questions/attention-matrix-memory"' in attention
    assert 'href="/calculators/flash-attention-io"' in attention
    assert 'href="/practice/drill?topic=attention"' in attention
    assert 'href="/questions?topic=attention&amp;level=' in attention


def test_an_unknown_topic_is_not_there(client: TestClient) -> None:
    page = client.get("/topics/alchemy")
    assert page.status_code == 404
    assert "There is no topic" in page.text


def test_the_sheet_has_the_numbers_of_every_topic_and_leads_to_their_calculators(client: TestClient) -> None:
    page = client.get("/numbers").text
    for slug in TOPICS:
        assert f'<h2 id="{slug}">' in page
    assert page.count("<dt>") >= 60
    assert "124,439,808" in page
    assert "/calculators/roofline?v=1&amp;flops=" in page
