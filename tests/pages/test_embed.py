"""The embedding: a calculator for a frame in another page, and the only page that may be framed."""

import html
import re
from collections.abc import Iterable, Iterator

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from starlette.routing import BaseRoute, Route

from app.bank.load import Bank
from app.main import create_app
from app.security import MAX_QUERY_BYTES
from app.settings import Settings

EMBED = "/calculators/attention-scores/embed"
HTMX = {"HX-Request": "true", "HX-Current-URL": f"http://127.0.0.1{EMBED}"}
VALUES = {"slug": "attention-scores", "path": "css/base.css", "name": "x", "id": "1"}


def ancestors(policy: str) -> str:
    [found] = re.findall(r"frame-ancestors ([^;]*)", policy)
    return str(found)


def leaves(routes: Iterable[BaseRoute]) -> Iterator[Route]:
    """Every route, those of included routers too."""
    for route in routes:
        included = getattr(route, "original_router", None)
        if included is not None:
            yield from leaves(included.routes)
        elif isinstance(route, Route):
            yield route


def requests(app: FastAPI) -> Iterator[tuple[str, str]]:
    """A method and an address for every route, and those that no route answers."""
    for route in leaves(app.routes):
        path = re.sub(r"\{(\w+)[^}]*\}", lambda name: VALUES.get(name[1], "x"), route.path)
        yield from ((method, path) for method in route.methods or ())
    yield from (
        ("GET", "/static/css/base.css"),
        ("GET", "/nothing-here"),
        ("POST", EMBED),
        ("GET", "/calculators/nope/embed"),
        ("GET", f"{EMBED}?heads={'9' * MAX_QUERY_BYTES}"),
    )


def test_nothing_but_an_embedding_may_be_framed(client: TestClient) -> None:
    assert isinstance(client.app, FastAPI)
    framed = set()
    everything = list(requests(client.app))
    assert {("GET", "/"), ("GET", "/calculators"), ("GET", EMBED)} < set(everything)
    for method, path in everything:
        answer = client.request(method, path, follow_redirects=False)
        allowed = ancestors(answer.headers["content-security-policy"])
        assert "x-frame-options" not in answer.headers
        if allowed != "'none'":
            assert allowed == "*"
            assert "set-cookie" not in answer.headers
            framed.add((method, path))
    assert framed == {("GET", EMBED)}


def test_the_rest_of_an_embedding_s_policy_is_that_of_every_page(client: TestClient) -> None:
    embedded = client.get(EMBED).headers["content-security-policy"]
    page = client.get("/calculators").headers["content-security-policy"]
    assert embedded.replace("frame-ancestors *", "frame-ancestors 'none'") == page


@pytest.mark.parametrize(
    ("origins", "allowed"),
    [("none", "'none'"), ("https://wiki.example", "'self' https://wiki.example")],
)
def test_the_settings_say_who_may_frame_it(
    app_settings: Settings, bank: Bank, origins: str, allowed: str
) -> None:
    settings = app_settings.model_copy(update={"embed_origins": origins})
    with TestClient(create_app(settings, bank=bank), base_url="http://127.0.0.1") as client:
        assert ancestors(client.get(EMBED).headers["content-security-policy"]) == allowed


def test_it_has_the_inputs_the_outputs_and_the_way_to_the_whole_page(client: TestClient) -> None:
    page = client.get(f"{EMBED}?seq_len=2048&pin=seq_len%3D1").text
    assert 'data-key="out:score_bytes"' in page
    assert ">8 GiB<" in page
    assert re.search(r'<input id="input-seq_len"[^>]* value="2048"', page)
    [whole] = re.findall(r'<a id="whole" href="([^"]*)" target="_blank" rel="noopener">', page)
    address = html.unescape(whole)
    assert address.startswith("/calculators/attention-scores?v=1&")
    assert "seq_len=2048" in address
    assert ">8 GiB<" in client.get(address).text
    assert "<nav" not in page
    assert 'name="robots" content="noindex"' in page


def test_htmx_gets_what_changed_and_no_address(client: TestClient) -> None:
    answer = client.get(f"{EMBED}?seq_len=4096", headers=HTMX)
    assert "<html" not in answer.text
    assert ">32 GiB<" in answer.text
    beside = answer.text.partition('<template id="beside" hx-swap-oob="true">')[2]
    assert '<a id="whole" href="/calculators/attention-scores?v=1&amp;' in beside
    assert not {"hx-push-url", "hx-replace-url"} & set(answer.headers)


def test_a_bad_input_is_named_in_the_frame_too(client: TestClient) -> None:
    page = client.get(f"{EMBED}?heads=x")
    assert page.status_code == 422
    assert ancestors(page.headers["content-security-policy"]) == "*"
    assert "whole number" in page.text
    answer = client.get(f"{EMBED}?heads=x", headers=HTMX)
    assert answer.headers["hx-reswap"] == "none"
    assert "still those of before" in answer.text
