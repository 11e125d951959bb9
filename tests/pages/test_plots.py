"""The plot of a calculator's page, whole and as the fragment that follows the results."""

import html
import json
import re
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

SCORES = "/calculators/attention-scores"
HTMX = {"HX-Request": "true", "HX-Current-URL": f"http://127.0.0.1{SCORES}"}


def data(page: str) -> dict[str, Any]:
    [text] = re.findall(r'<script type="application/json" class="plot-data">(.*?)</script>', page, re.S)
    found: dict[str, Any] = json.loads(text)
    return found


def rows(page: str) -> list[list[str]]:
    """The numbers of the table, row by row."""
    [body] = re.findall(r'<details id="plot-table".*?<tbody>(.*?)</tbody>', page, re.S)
    return [
        [html.unescape(text) for text in re.findall(r'class="num plain">([^<]*)<', row)]
        for row in re.findall(r"<tr.*?</tr>", body, re.S)
    ]


def test_the_page_has_the_plot_as_data_as_a_table_and_in_words(client: TestClient) -> None:
    page = client.get(SCORES).text
    drawn = data(page)
    table = rows(page)
    assert len(table) == len(drawn["xs"]) == len(drawn["typed"])
    assert table[drawn["now"]] == ["1,024", "2 GiB", "2 MiB"]
    assert drawn["curves"][0]["values"][drawn["now"]] == 2**31
    assert drawn["field"] == "input-seq_len"
    assert "Score matrix: growing from 2 MiB at sequence length 32 to 2 TiB at 32,768" in page


def rest(client: TestClient, update: Response) -> Response:
    """What follows the figures of an update: the address among it."""
    return client.get(update.headers["ridgeway-rest"], headers={**HTMX, "Ridgeway-History": "push"})


def test_a_link_restores_the_plot_and_an_update_keeps_it(client: TestClient) -> None:
    page = client.get(f"{SCORES}?heads=8&plot=batch:ratio:dtype:linear::1:9").text
    assert [row[0] for row in rows(page)] == [str(number) for number in range(1, 10)]
    assert re.search(r'<option value="batch" selected>', page)
    assert re.search(r'<input id="plot-to"[^>]* value="9"', page)
    link = html.unescape(re.findall(r'id="link"[^>]* value="([^"]*)"', page)[0])
    assert link.endswith("&plot=batch:ratio:dtype:linear::1:9")
    form = {"plot-over": "batch", "plot-was": "batch", "plot-output": "ratio", "plot-to": "9"}
    update = client.get(SCORES, params={"heads": "8", **form}, headers=HTMX)
    assert (
        rest(client, update)
        .headers["hx-push-url"]
        .endswith("heads=8&seq_len=1024&layers=1&dtype=fp32&plot=batch:ratio:::::9")
    )
    assert "plot-data" not in update.text  # it follows by a request of its own


def test_the_first_plot_takes_no_place_in_the_address(client: TestClient) -> None:
    form = {"plot-over": "seq_len", "plot-was": "seq_len", "plot-output": "score_bytes", "plot-lines": ""}
    update = client.get(SCORES, params={"heads": "8", **form}, headers=HTMX)
    assert "plot" not in rest(client, update).headers["hx-push-url"]


def test_the_fragment_has_the_same_plot_and_nothing_else(client: TestClient) -> None:
    whole = client.get(f"{SCORES}?heads=8&plot=batch:ratio").text
    fragment = client.get(f"{SCORES}/plot?heads=8&plot=batch:ratio", headers=HTMX)
    assert fragment.status_code == 200
    assert fragment.headers["vary"].startswith("HX-Request")
    assert data(fragment.text) == data(whole)
    assert rows(fragment.text) == rows(whole)
    assert "data-key" not in fragment.text


def test_a_range_belongs_to_the_input_that_it_was_chosen_for(client: TestClient) -> None:
    form = {"plot-over": "batch", "plot-was": "seq_len", "plot-output": "ratio", "plot-from": "4096"}
    fragment = client.get(f"{SCORES}/plot", params=form, headers=HTMX).text
    assert data(fragment)["typed"][0] == "1"


def test_inputs_that_cannot_be_used_leave_the_plot_as_it_is(client: TestClient) -> None:
    answer = client.get(f"{SCORES}/plot?heads=x", headers=HTMX)
    assert answer.status_code == 422
    assert answer.headers["hx-reswap"] == "none"
    page = client.get(f"{SCORES}?heads=x")
    assert page.status_code == 422
    assert "plot-data" not in page.text


def test_without_a_script_the_form_leads_to_the_page_with_its_plot(client: TestClient) -> None:
    form = {
        "heads": "8",
        "plot-over": "batch",
        "plot-was": "seq_len",
        "plot-output": "ratio",
        "pin": "heads=2",
    }
    answer = client.get(SCORES, params=form, follow_redirects=False)
    assert answer.status_code == 303
    query = parse_qs(urlsplit(answer.headers["location"]).query)
    assert query["plot"] == ["batch:ratio"]
    assert query["pin"] == ["heads=2"]
    assert not any(name.startswith("plot-") for name in query)
    copied = client.get(f"{SCORES}/plot?heads=8&plot=batch:ratio", follow_redirects=False)
    assert copied.headers["location"] == f"{SCORES}?heads=8&plot=batch:ratio"


@pytest.mark.parametrize(
    ("plot", "says"),
    [
        ("nope", "does not say over what to draw"),
        ("seq_len:nope", "“nope” is no number that comes out"),
        ("%3Cb%3E:score_bytes", "“&lt;b&gt;” is no number to draw over"),
        ("x" * 3000, "does not say over what to draw"),
    ],
)
def test_a_plot_that_cannot_be_drawn_is_said_and_the_first_is_shown(
    client: TestClient, plot: str, says: str
) -> None:
    page = client.get(f"{SCORES}?plot={plot}")
    assert page.status_code == 200
    assert says in page.text
    assert data(page.text)["field"] == "input-seq_len"
    assert 'name="plot"' not in page.text


def test_an_end_that_cannot_be_is_told_at_its_field(client: TestClient) -> None:
    page = client.get(f"{SCORES}?plot=seq_len:score_bytes:::::many").text
    [message] = re.findall(r'id="error-plot-to"[^>]*>([^<]*)<', page)
    assert "to is “many”" in html.unescape(message)
    assert re.search(r'<input id="plot-to"[^>]* value="many"', page)


def test_solving_keeps_the_plot_and_the_api_knows_none(client: TestClient) -> None:
    page = client.get(f"{SCORES}?plot=batch:ratio").text
    assert '<input type="hidden" name="plot" value="batch:ratio" form="solve">' in page
    answer = client.get("/api/v1/calculators/attention-scores?plot=batch:ratio")
    assert answer.status_code == 422


def test_limits_are_named_in_words_with_markers_of_their_own(client: TestClient) -> None:
    page = client.get("/calculators/ffn").text
    assert data(page)["marks"] == {"compute": "circle", "memory": "square"}
    assert "Limit: memory up to 256, compute from 320." in page
