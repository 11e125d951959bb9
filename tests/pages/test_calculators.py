"""The calculator pages as a browser without JavaScript and as htmx see them."""

import html
import re
from urllib.parse import parse_qsl, urlsplit

import pytest
from fastapi.testclient import TestClient

import calculators

SLUGS = [calculator.slug for calculator in calculators.all()]
SCORES = "/calculators/attention-scores"
HTMX = {"HX-Request": "true", "HX-Current-URL": f"http://127.0.0.1{SCORES}"}


def number(page: str, key: str) -> str:
    """The text of the computed number with this key."""
    [text] = re.findall(rf'data-key="{re.escape(key)}"[^>]*>([^<]*)<', page)
    return html.unescape(text)


def value(page: str, name: str) -> str:
    """What stands in a text field."""
    [text] = re.findall(rf'<input id="input-{name}"[^>]* value="([^"]*)"', page)
    return html.unescape(text)


def message(page: str, name: str) -> str:
    """The message at a field."""
    [text] = re.findall(rf'id="error-{name}"[^>]*>([^<]*)<', page)
    return html.unescape(text)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_calculator_has_a_page_of_its_declaration(client: TestClient, slug: str) -> None:
    declared = calculators.get(slug)
    page = client.get(f"/calculators/{slug}")
    assert page.status_code == 200
    for each in declared.inputs:
        assert f'name="{each.name}"' in page.text
    for output in declared.outputs:
        assert number(page.text, f"out:{output.name}")
        assert number(page.text, f"step:{output.name}")


def test_the_index_lists_all_and_finds_some(client: TestClient) -> None:
    everything = client.get("/calculators").text
    assert all(f'href="/calculators/{slug}"' in everything for slug in SLUGS)
    found = client.get("/calculators?q=KV+memory").text
    assert 'href="/calculators/kv-cache"' in found
    assert 'href="/calculators/roofline"' not in found
    nothing = client.get("/calculators?q=<b>zebra").text
    assert "No calculator matches" in nothing
    assert "<b>zebra" not in nothing


def test_an_unknown_calculator_is_a_404(client: TestClient) -> None:
    assert client.get("/calculators/nope").status_code == 404


def test_bytes_are_shown_in_both_units_and_exactly(client: TestClient) -> None:
    page = client.get(SCORES).text
    assert number(page, "out:score_bytes") == "2 GiB"
    assert number(page, "second:score_bytes") == "2.15 GB"
    assert number(page, "exact:score_bytes") == "2,147,483,648 B"
    assert 'title="2,147,483,648 B"' in page


def test_the_derivation_has_the_numbers_put_in(client: TestClient) -> None:
    assert (
        number(client.get(f"{SCORES}?heads=12").text, "put:score_elements") == "32 · 12 · 1,024 · 1,024 · 1"
    )


@pytest.mark.parametrize("devices", ["1", "8", "512"])
def test_the_limit_that_binds_is_named(client: TestClient, devices: str) -> None:
    page = client.get(f"/calculators/ffn?tokens=4096&devices={devices}").text
    bound = calculators.get("ffn").evaluate(tokens=4096, devices=devices).bound
    assert number(page, "out:bound") == bound
    assert re.search(rf'<li class="limit-{bound} binds">', page)


def test_a_link_restores_the_state(client: TestClient) -> None:
    page = client.get(f"{SCORES}?seq_len=8k&dtype=bf16&kv_len=").text
    link = html.unescape(re.findall(r'id="link"[^>]* value="([^"]*)"', page)[0])
    assert dict(parse_qsl(urlsplit(link).query)) == {
        "v": "1",
        "batch": "32",
        "heads": "16",
        "seq_len": "8k",
        "layers": "1",
        "dtype": "bf16",
    }
    again = client.get(link).text
    assert value(again, "seq_len") == "8k"
    assert number(again, "out:score_bytes") == number(page, "out:score_bytes")
    assert 'value="bf16" selected' in again


def test_a_follower_shows_what_it_follows(client: TestClient) -> None:
    page = client.get(f"{SCORES}?seq_len=4096").text
    assert value(page, "kv_len") == ""
    assert 'placeholder="4,096"' in page


def placeholder(page: str, name: str) -> str:
    """What an empty text field says that it takes."""
    [text] = re.findall(rf'<input id="input-{name}"[^>]* placeholder="([^"]*)"', page)
    return html.unescape(text)


@pytest.mark.parametrize("query", ["", "?v=1&params=540e9&model=custom&layers=118&heads=48&head_dim=256"])
def test_a_default_of_a_custom_model_is_not_sent_along_with_another(client: TestClient, query: str) -> None:
    page = client.get(f"/calculators/mfu{query}").text
    fields = {name: value(page, name) for name in ("params", "layers", "heads", "head_dim")}
    assert set(fields.values()) == {""}
    assert placeholder(page, "params") == "540,000,000,000"
    chosen = client.get("/calculators/mfu", params={**fields, "model": "llama-3-8b"}).text
    assert placeholder(chosen, "params") == "8,030,261,248"
    assert number(chosen, "put:model_flops_per_token") == "6 · 8,030,261,248 + 12 · 32 · 32 · 128 · 2,048"
    assert "Empty: 8,030,261,248, from the model." in html.unescape(chosen)
    assert value(client.get("/calculators/mfu?params=7B").text, "params") == "7B"
    assert value(client.get("/calculators/mfu?params=540e9&model=llama-3-8b").text, "params") == "540e9"


def test_the_command_gives_the_same_state(client: TestClient) -> None:
    page = client.get(f"{SCORES}?seq_len=8%20k").text
    command = html.unescape(re.findall(r'id="command"[^>]* value="([^"]*)"', page)[0])
    assert command == "ridgeway calc attention-scores batch=32 heads=16 'seq_len=8 k' layers=1 dtype=fp32"


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ("foo=1", "“foo” is no input here"),
        ("v=9", "version 9"),
        ("batch=2&batch=3", "batch was given more than once"),
        ("%3Cscript%3E=1", "“&lt;script&gt;” is no input here"),
    ],
)
def test_what_is_passed_over_is_said(client: TestClient, query: str, says: str) -> None:
    page = client.get(f"{SCORES}?{query}")
    assert page.status_code == 200
    assert says in page.text


def test_a_bad_input_is_named_at_its_field_and_the_others_are_kept(client: TestClient) -> None:
    page = client.get(f'{SCORES}?heads=<i>"&seq_len=7777')
    assert page.status_code == 422
    assert "whole number" in message(page.text, "heads")
    assert message(page.text, "seq_len") == ""
    assert value(page.text, "heads") == '<i>"'
    assert value(page.text, "seq_len") == "7777"
    assert "<i>" not in page.text
    assert 'data-key="out:' not in page.text


def test_a_custom_model_asks_for_what_it_needs_in_an_open_fold(client: TestClient) -> None:
    page = client.get("/calculators/kv-cache?model=custom")
    assert page.status_code == 422
    assert "needed" in message(page.text, "layers")
    assert "<details open>" in page.text
    assert "<details open>" not in client.get("/calculators/kv-cache").text


@pytest.mark.parametrize(
    "state",
    ["roofline?bytes=1e-300", "roofline?flops=1e300&bytes=1e-320", "ffn?devices=1e300", "mfu?layers=1e300"],
)
def test_numbers_at_the_ends_of_floats_have_a_page(client: TestClient, state: str) -> None:
    page = client.get(f"/calculators/{state}")
    assert page.status_code == (422 if "1e-320" in state else 200)  # too small to be read
    assert not re.search(r"\b(nan|inf)\b", re.sub(r"<[^>]+>", "", page.text))


def test_a_value_of_any_length_is_refused_cleanly(client: TestClient) -> None:
    page = client.get(f"{SCORES}?heads={'9' * 10_000}")
    assert page.status_code == 422
    assert "64" in message(page.text, "heads")


STATE = "v=1&batch=32&heads=16&seq_len=2048&layers=1&dtype=fp32"


def test_htmx_gets_the_figures_alone_and_where_the_rest_is(client: TestClient) -> None:
    answer = client.get(f"{SCORES}?seq_len=2048&kv_len=", headers=HTMX)
    assert answer.status_code == 200
    assert number(answer.text, "out:score_bytes") == "8 GiB"
    assert not re.search("<html|<input|<form|Derivation", answer.text)
    assert not {"hx-push-url", "hx-replace-url"} & set(answer.headers)
    assert answer.headers["vary"].startswith("HX-Request")
    rest = client.get(answer.headers["ridgeway-rest"], headers={**HTMX, "Ridgeway-History": "push"})
    assert rest.status_code == 200
    assert number(rest.text, "put:score_elements") == "32 · 16 · 2,048 · 2,048 · 1"
    assert 'id="hint-kv_len" data-placeholder-for="input-kv_len" data-placeholder="2,048"' in rest.text
    assert rest.headers["hx-push-url"] == f"{SCORES}?{STATE}"
    assert rest.headers["vary"].startswith("HX-Request")


def test_the_rest_leaves_alone_what_may_have_been_said_since(client: TestClient) -> None:
    rest = client.get(f"{SCORES}/rest?{STATE}", headers=HTMX).text
    assert not re.search(r'id="(error-|status|solution|input-)|data-key="out:', rest)


def test_the_rest_replaces_the_address_within_a_gesture(client: TestClient) -> None:
    answer = client.get(f"{SCORES}/rest?{STATE}", headers={**HTMX, "Ridgeway-History": "replace"})
    assert "hx-push-url" not in answer.headers
    assert answer.headers["hx-replace-url"] == f"{SCORES}?{STATE}"


def test_htmx_is_sent_no_address_where_it_is_right_already(client: TestClient) -> None:
    current = {**HTMX, "HX-Current-URL": f"http://127.0.0.1{SCORES}?{STATE}"}
    answer = client.get(f"{SCORES}/rest?{STATE}&kv_len=", headers=current)
    assert not {"hx-push-url", "hx-replace-url"} & set(answer.headers)


def test_the_rest_alone_leads_to_the_page(client: TestClient) -> None:
    page = client.get(f"{SCORES}/rest?{STATE}", follow_redirects=False)
    assert page.status_code == 303
    assert page.headers["location"] == f"{SCORES}?{STATE.removeprefix('v=1&')}"
    assert client.get(f"{SCORES}/rest?heads=x", headers=HTMX).status_code == 422


@pytest.mark.parametrize("query", ["pin-do=add", "unknown=1", "pin=heads%3D2&pin-name=new"])
def test_what_changes_more_than_figures_comes_with_all_of_it(client: TestClient, query: str) -> None:
    answer = client.get(f"{SCORES}?{STATE}&{query}", headers=HTMX)
    assert "ridgeway-rest" not in answer.headers
    assert 'id="working"' in answer.text


def test_htmx_keeps_the_last_results_beside_a_bad_input(client: TestClient) -> None:
    answer = client.get(f"{SCORES}?heads=x", headers=HTMX)
    assert answer.status_code == 422
    assert answer.headers["hx-reswap"] == "none"
    assert "whole number" in message(answer.text, "heads")
    assert "still those of before" in answer.text


def test_restoring_the_history_takes_the_whole_page(client: TestClient) -> None:
    answer = client.get(SCORES, headers={**HTMX, "HX-History-Restore-Request": "true"})
    assert "<html" in answer.text


def test_solving_without_javascript(client: TestClient) -> None:
    page = client.get(f"{SCORES}/solve?for=seq_len&output=score_bytes&equals=80GB&heads=2&batch=1")
    assert page.status_code == 200
    solved = page.text.split('id="solved"')[1].split("</section>")[0]
    assert "Sequence length at which score matrix is 80 GB" in solved
    assert 'aria-label="Use 100,000"' in solved
    assert "seq_len=100000" in page.text
    assert value(page.text, "heads") == "2"


@pytest.mark.parametrize(
    ("query", "place", "says"),
    [
        ("for=seq_len&output=score_bytes&equals=many", 'id="error-solve-equals"', "“many”"),
        ("for=seq_len&output=score_bytes&equals=", 'id="error-solve-equals"', "The target"),
        ("for=foo&output=score_bytes&equals=1GB", 'class="notice problem"', "foo"),
        ("for=seq_len&output=foo&equals=1GB", 'class="notice problem"', "foo"),
    ],
)
def test_a_solve_that_makes_no_sense_says_so(client: TestClient, query: str, place: str, says: str) -> None:
    page = client.get(f"{SCORES}/solve?{query}")
    assert page.status_code == 422
    [message] = re.findall(rf"<p[^>]*{place}[^>]*>([^<]+)</p>", page.text)
    assert says in message
    assert number(page.text, "out:score_bytes") == "2 GiB"
