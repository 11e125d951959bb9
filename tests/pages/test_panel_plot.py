"""The plot beside a model answer: which one it is, and that it is there only after the reveal."""

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from app.bank.load import Bank
from app.bank.plotted import movable
from app.bank.variants import make_variant
from app.pages.panel_plot import panel_plot
from app.paths import QUESTIONS

ATTENTION = "/questions/attention-matrix-memory"
HTMX = {"HX-Request": "true", "HX-Current-URL": f"http://127.0.0.1{ATTENTION}"}


def data(page: str) -> dict[str, Any]:
    [text] = re.findall(r'class="plot-data">(.*?)</script>', page, re.S)
    found: dict[str, Any] = json.loads(text)
    return found


def title(bank: Bank, slug: str) -> str:
    plot = panel_plot(make_variant(bank.questions[slug], 0))
    return plot.title if plot else ""


def test_the_answers_number_is_drawn_over_what_moves_it(bank: Bank) -> None:
    assert title(bank, "attention-matrix-memory") == "Score matrix over sequence length"
    assert title(bank, "llama-2-13b-on-80-gb") == "Conversations over sequence length"
    assert title(bank, "mfu-and-hfu") == "MFU over throughput"
    assert title(bank, "which-matmul-is-compute-bound") == ""  # every size goes through an expression


def test_a_parameter_that_moves_two_inputs_is_not_drawn_over(bank: Bank) -> None:
    """In `doubled` the length is 2 * seq_len: a sweep of seq_len would not be what the question says."""
    program = bank.questions["attention-matrix-memory"].program
    assert movable(program, "scores") == ("batch", "heads", "seq_len")
    assert movable(program, "doubled") == ("batch", "heads")
    assert movable(program, "traffic") == ()


def test_the_front_matter_names_the_plot_and_its_lines(tmp_path: Path) -> None:
    text = (QUESTIONS / "attention" / "attention-matrix-memory.md").read_text("utf-8")
    wanted = "plot: {over: batch, output: scores.ratio, lines: [per_head, traffic.ridge_point, nothing]}"
    changed = re.sub(r"^plot:.*$", wanted, text, flags=re.M)
    assert changed != text
    (tmp_path / "attention").mkdir()
    (tmp_path / "attention" / "attention-matrix-memory.md").write_text(changed, "utf-8")
    question = Bank.load([tmp_path]).questions["attention-matrix-memory"]
    plot = panel_plot(make_variant(question, 0))
    assert plot is not None
    assert plot.title == "Memory saved over batch"
    assert [entry.label for entry in plot.entries] == ["Memory saved", "Per head", "Ridge point"]


def test_it_is_there_after_the_reveal_alone(client: TestClient) -> None:
    assert "plot-data" not in client.get(ATTENTION).text
    hidden = client.get(f"{ATTENTION}/plot", headers=HTMX)
    assert hidden.status_code == 422
    assert "plot-data" not in hidden.text
    page = client.post(f"{ATTENTION}/reveal").text
    drawn = data(page)
    assert drawn["field"] == "param-seq_len"
    assert [level["title"] for level in drawn["levels"]] == ["Kept by a fused kernel", "Memory 80 GB"]
    assert "passing memory (80 GB) at about 6,250" in page


def test_it_follows_the_numbers_by_a_request_of_its_own(client: TestClient) -> None:
    client.post(f"{ATTENTION}/reveal")
    update = client.get(f"{ATTENTION}?seq_len=8192", headers=HTMX)
    assert "live-first" in update.text
    assert "plot-data" not in update.text
    drawn = data(client.get(f"{ATTENTION}/plot?seq_len=8192&dtype=bf16", headers=HTMX).text)
    assert drawn["typed"][drawn["now"]] == "8192"
    assert drawn["curves"][0]["values"][drawn["now"]] == pytest.approx(2**36)
    assert client.get(f"{ATTENTION}/plot?seq_len=many", headers=HTMX).status_code == 422


def test_its_address_leads_to_the_question(client: TestClient) -> None:
    answer = client.get(f"{ATTENTION}/plot?seq_len=8192", follow_redirects=False)
    assert answer.status_code == 303
    assert html.unescape(answer.headers["location"]).startswith(ATTENTION)
    assert "seq_len=8192" in answer.headers["location"]
