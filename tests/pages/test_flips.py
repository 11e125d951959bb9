"""Which limit binds, how far the others are from it, and what flips it: with htmx and without JavaScript."""

import html
import re

from fastapi.testclient import TestClient

import calculators

ROOFLINE = "/calculators/roofline"
EVEN = "flops=1e12&bytes=1e10&hardware=custom&peak_flops=200e12&hbm_bandwidth=1e12"
HTMX = {"HX-Request": "true"}


def rows(page: str) -> dict[str, tuple[str, str]]:
    """The address and the text of each number that flips, by the label of its input."""
    found = re.findall(r'<th scope="row">([^<]+) <span.*?<a href="([^"]+)"[^>]*>([^<]+)<', page, re.DOTALL)
    return {label: (html.unescape(path), html.unescape(text)) for label, path, text in found}


def test_the_limits_that_do_not_bind_say_how_far_off_they_are(client: TestClient) -> None:
    page = client.get(f"{ROOFLINE}?{EVEN}").text
    assert "Compute takes 50% of memory’s time: it would bind if that grew 2×." in page
    tie = client.get(f"{ROOFLINE}?{EVEN}&bytes=5e9".replace("bytes=1e10&", "")).text
    assert "Memory is on a par with compute: any more of it, and it would bind." in tie
    loading = client.get("/calculators/data-loading").text
    assert "Workers would allow 1.07× the pace: below 93.8% of what it is now, it would bind." in loading
    alone = client.get("/calculators/ffn?devices=1").text
    assert "Network takes no time here." in alone


def test_without_javascript_a_link_shows_each_flip_with_its_state(client: TestClient) -> None:
    page = client.get(f"{ROOFLINE}?{EVEN}&pin=flops%3D5").text
    [path] = re.findall(r'<p><a href="(/calculators/roofline/flips\?[^"]+)">', page)
    asked = client.get(html.unescape(path)).text
    assert '<details id="flips" class="flips" open>' in asked
    found = rows(asked)
    assert found["Memory bandwidth"][1] == "2 TB/s"
    state = found["Memory bandwidth"][0]
    assert "pin=flops" in state, "what the page keeps stays with it"
    assert re.search(r'<li class="limit-compute binds">', client.get(state).text)


def test_htmx_gets_the_list_alone(client: TestClient) -> None:
    answer = client.get(f"{ROOFLINE}/flips?{EVEN}", headers=HTMX)
    assert "<html" not in answer.text
    assert rows(answer.text).keys() == {"Work", "Memory traffic", "Peak compute", "Memory bandwidth"}
    assert "these alone flip nothing: Number format, Hardware." in answer.text
    assert answer.headers["vary"].startswith("HX-Request")
    bad = client.get(f"{ROOFLINE}/flips?flops=x", headers=HTMX)
    assert "until every input can be used" in bad.text


def test_choices_are_listed_by_what_they_lead_to(client: TestClient) -> None:
    text = html.unescape(client.get("/calculators/kv-transfer/flips", headers=HTMX).text)
    [line] = re.findall(r'<p class="choice-flip">(.*?)</p>', text, re.DOTALL)
    words = re.sub(r"<[^>]+>", "", line)
    assert words.startswith("Model: recompute instead with GPT-2 small, GPT-2 medium,")
    assert "The model’s own dimensions" in text


def test_pages_without_a_verdict_have_none_and_the_address_still_answers(client: TestClient) -> None:
    for calculator in calculators.all():
        page = client.get(f"/calculators/{calculator.slug}/flips")
        assert page.status_code == 200
        assert ('id="flips"' in page.text) == (calculator.verdict is not None)
    assert client.get(f"{ROOFLINE}/flips?flops=x").status_code == 422
