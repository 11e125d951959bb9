"""A memory budget on the page: what is drawn, what the table says, and that they are the same."""

import html
import re
from itertools import pairwise

import pytest
from fastapi.testclient import TestClient

import calculators
from app.pages.budget_view import WIDTH, BudgetView, view

BUDGETED = [calculator.slug for calculator in calculators.all() if calculator.budget]


def budget(slug: str, **inputs: object) -> BudgetView:
    found = view(calculators.get(slug).evaluate(inputs))
    assert found is not None
    return found


def test_the_bar_is_as_long_as_its_parts_and_the_edge_where_the_memory_ends() -> None:
    within = budget("serving-capacity", reserve_bytes="8 GB")
    assert [segment.width for segment in within.segments][1] == WIDTH / 10, "8 of 80 GB"
    for before, after in pairwise(within.segments):
        assert after.x == pytest.approx(before.x + before.width, abs=0.02)
    assert within.edge == WIDTH
    assert within.over == 0
    over = budget("serving-capacity", model="llama-3-70b")
    assert over.segments[0].width == WIDTH
    assert over.edge == pytest.approx(WIDTH * 80e9 / 141_107_412_992, abs=0.01)
    assert over.edge + over.over == pytest.approx(WIDTH, abs=0.01)


def test_it_is_said_in_words_what_is_free_and_what_is_over() -> None:
    assert budget("serving-capacity").sentence == (
        "79.7 GB of the 80 GB of NVIDIA A100 80 GB SXM: 281 MB free."
    )
    assert budget("serving-capacity", model="llama-3-70b").sentence == (
        "141 GB against the 80 GB of NVIDIA A100 80 GB SXM: 61.1 GB over."
    )
    shared = budget("serving-capacity", devices=2, memory_fraction="90%").memory
    assert shared == "144 GB of 2 × NVIDIA A100 80 GB SXM, 90% of it"
    assert "within the 128 GB of AMD Instinct MI250X: 8 GB free" in budget("training-memory").sentence
    assert budget("training-memory", params="30e9").sentence == (
        "480 GB is 192 GB over the 288 GB of AMD Instinct MI355X, the largest memory here: "
        "it takes 2 of them at least."
    )
    assert budget("quantization").memory == "80 GB of NVIDIA A100 80 GB SXM"
    assert budget("quantization", hardware="custom", hbm_bandwidth="1 TB/s").memory.startswith("16 GB of")


def test_labels_of_memories_keep_apart() -> None:
    for params in ("1e9", "4e9", "7.5e9", "10e9", "17e9", "100e9"):
        labelled = sorted(mark.x for mark in budget("training-memory", params=params).marks if mark.label)
        assert all(after - before > 60 for before, after in pairwise(labelled))


@pytest.mark.parametrize("slug", BUDGETED)
def test_every_budget_is_on_its_page_with_the_same_table(client: TestClient, slug: str) -> None:
    page = client.get(f"/calculators/{slug}").text
    found = budget(slug)
    [figure] = re.findall(r'<figure class="budget">.*?</figure>', page, re.DOTALL)
    assert "style=" not in figure
    text = html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", figure)))
    for row in found.rows:
        assert f"{row.letter} {row.label} {row.amount} {row.share}" in text
    assert f"{found.rest.label} {found.rest.amount}" in text
    drawn = len([segment for segment in found.segments if segment.width])
    assert figure.count('<rect class="part"') == drawn + len(found.rows), "in the bar, and beside the table"


def test_other_pages_have_none(client: TestClient) -> None:
    assert 'class="budget"' not in client.get("/calculators/roofline").text
