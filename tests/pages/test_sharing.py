"""How a state or a question looks in a chat and in another page."""

import html
import re
from urllib.parse import parse_qsl, urlsplit

import pytest
from fastapi.testclient import TestClient

import calculators
from app.bank.load import Bank
from app.main import create_app
from app.pages import sharing
from app.settings import Settings

CACHE = "/calculators/kv-cache"


def properties(page: str) -> dict[str, str]:
    """The meta elements by their names."""
    found = re.findall(r'<meta (?:property|name)="([^"]*)" content="([^"]*)">', page)
    return {name: html.unescape(content) for name, content in found}


def test_a_calculator_s_preview_has_its_inputs_and_its_result(client: TestClient) -> None:
    meta = properties(client.get(f"{CACHE}?model=llama-3-8b&seq_len=8192&batch=1").text)
    assert meta["og:title"] == "KV cache: sequence length 8,192, Llama 3 8B → 1 GiB (1.07 GB)"
    assert meta["og:description"] == (
        "With sequence length 8,192, Llama 3 8B: one token 128 KiB (131 kB); one sequence 1 GiB (1.07 GB); "
        "whole batch 1 GiB (1.07 GB); saved against multi-head 4."
    )
    assert meta["og:type"] == "website"
    assert meta["twitter:card"] == "summary"
    url = urlsplit(meta["og:url"])
    assert (url.scheme, url.netloc, url.path) == ("http", "127.0.0.1", CACHE)
    assert dict(parse_qsl(url.query))["seq_len"] == "8192"


def test_at_its_defaults_it_has_the_result_alone(client: TestClient) -> None:
    meta = properties(client.get(f"{CACHE}?seq_len=4096").text)  # given, and as it would be anyway
    assert meta["og:title"] == "KV cache: 2 GiB (2.15 GB)"
    assert meta["og:description"].startswith("With the defaults: one token 512 KiB (524 kB); ")


def test_a_state_without_a_result_has_no_preview_and_no_failure(client: TestClient) -> None:
    page = client.get(f"{CACHE}?seq_len=x")
    assert page.status_code == 422
    assert "og:title" not in properties(page.text)


def test_the_address_is_the_one_that_readers_type(app_settings: Settings, bank: Bank) -> None:
    settings = app_settings.model_copy(update={"base_url": "https://ridgeway.example"})
    with TestClient(create_app(settings, bank=bank), base_url="http://127.0.0.1") as client:
        page = client.get(CACHE).text
        assert properties(page)["og:url"].startswith(f"https://ridgeway.example{CACHE}?v=1&")
        question = properties(client.get("/questions/attention-matrix-memory").text)
        assert question["og:url"] == "https://ridgeway.example/questions/attention-matrix-memory"


@pytest.mark.parametrize("slug", [calculator.slug for calculator in calculators.all()])
def test_every_preview_is_short(slug: str) -> None:
    calculator = calculators.get(slug)
    given = {each.name: "1e9" for each in calculator.inputs if each.family == "count" and each.numeric}
    for inputs in (
        {},
        {name: text for name, text in given.items() if name in ("batch", "seq_len", "tokens")},
    ):
        card = sharing.calculator_card(calculator.evaluate(inputs), "http://x")
        assert card.title.startswith(f"{calculator.title}: ")
        assert len(card.title) <= sharing.MAX_TITLE
        assert len(card.description) <= sharing.MAX_DESCRIPTION


def test_a_question_s_preview_is_what_is_asked_and_nothing_of_the_answer(client: TestClient) -> None:
    path = "/questions/attention-matrix-memory"
    before = properties(client.get(path).text)
    assert before["og:title"] == "Memory of the full attention matrix"
    assert "sequences of 1,024 tokens" in before["og:description"]
    assert "2 GiB" not in before["og:description"]
    revealed = properties(client.get(f"{path}?reveal=1").text)
    assert revealed["og:description"] == before["og:description"]
    other = properties(client.get(f"{path}?v=1&seed=3").text)
    assert other["og:url"].endswith("?v=1&seed=3")
    assert other["og:description"] != before["og:description"]


def test_the_frame_can_be_put_into_any_page(client: TestClient) -> None:
    page = client.get(f"{CACHE}?seq_len=8k&batch=2").text
    frame = html.unescape(re.findall(r'<input id="embed"[^>]* value="([^"]*)"', page)[0])
    match = re.fullmatch(
        r'<iframe src="([^"<>]*)" title="KV cache" width="100%" height="\d+" loading="lazy"></iframe>', frame
    )
    assert match is not None
    source = html.unescape(match[1])
    assert source.startswith(f"http://127.0.0.1{CACHE}/embed?v=1&batch=2&seq_len=8k")
    embedded = client.get(source)
    assert embedded.status_code == 200
    assert 'data-key="out:total_bytes"' in embedded.text
