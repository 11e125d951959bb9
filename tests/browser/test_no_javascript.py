"""The whole path in a browser without JavaScript: forms, links and reloads."""

import re

import pytest
from playwright.sync_api import Page, expect

from app.bank.load import Bank

pytestmark = pytest.mark.browser

ATTENTION = "/questions/attention-matrix-memory"


def test_from_the_home_page_to_the_progress_page(plain_page: Page) -> None:
    page = plain_page
    page.goto("/")
    page.get_by_label("Your answer").fill("2 GB")
    page.get_by_role("button", name="Check the answer").click()
    expect(page).to_have_url(re.compile(rf"{ATTENTION}\?practice=1#verdict$"))
    expect(page.locator("#verdict")).to_contain_text("GiB labelled as GB")
    page.get_by_label("Your answer").fill("2 GiB")
    page.get_by_label("Your working").fill("b h n^2")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".hints > li")).to_have_count(1)
    expect(page.get_by_label("Your answer")).to_have_value("2 GiB")
    expect(page.get_by_label("Your working")).to_have_value("b h n^2")
    page.get_by_label("Your answer").press("Enter")
    expect(page.locator("#verdict")).to_contain_text("✓ Right.")
    page.get_by_role("button", name="Reveal the answer").click()
    expect(page.locator("#live-answer")).to_contain_text("2 GiB, or 2.15 GB")

    page.locator("#param-seq_len").fill("8192")
    page.get_by_role("button", name="Update").click()
    expect(page.locator("#live-answer")).to_contain_text("128 GiB, or 137 GB")
    expect(page.locator("#verdict")).to_contain_text("sequence length 1,024")
    page.locator("#param-seq_len").fill("many")
    page.get_by_role("button", name="Update").click()
    expect(page.locator("#param-seq_len-error")).to_contain_text("seq_len is “many”")
    page.go_back()
    expect(page.locator("#live-answer")).to_contain_text("128 GiB, or 137 GB")

    page.locator("#point-shape").check()
    page.locator("#rate-3").click()
    expect(page.locator("#rating")).to_contain_text("Rated Good.")
    expect(page.locator("#point-shape")).to_be_checked()
    expect(page.locator("#param-seq_len")).to_have_value("8192")
    page.get_by_role("link", name="Next question").click()
    expect(page.locator("h1")).not_to_have_text("Memory of the full attention matrix")
    page.goto("/progress")
    expect(page.locator(".answers li")).to_have_count(2)


def test_search_and_filters(plain_page: Page, bank: Bank) -> None:
    page = plain_page
    juniors = {question.meta.title for question in bank.questions.values() if question.meta.level == "junior"}
    page.goto("/questions")
    page.locator("#q").fill("matmul")
    page.locator("#q").press("Enter")
    expect(page).to_have_url(re.compile("q=matmul"))
    page.get_by_role("checkbox", name="junior").check()
    page.get_by_role("button", name="Apply").click()
    expect(page.locator(".count-line")).to_contain_text(f" of {len(bank.questions)} questions")
    found = set(page.locator(".title a[href^='/questions/']").all_text_contents())
    assert "Which of these matmuls is bound by compute?" in found
    assert found <= juniors
    expect(page.locator("#q")).to_have_value("matmul")


def test_a_choice(plain_page: Page) -> None:
    page = plain_page
    page.goto("/questions/which-matmul-is-compute-bound")
    page.get_by_label(re.compile("A prompt of 4,096 tokens")).check()
    page.get_by_role("button", name="Check the answer").click()
    expect(page.locator("#verdict")).to_contain_text("✓ Right.")
    expect(page.get_by_label(re.compile("A prompt of 4,096 tokens"))).to_be_checked()
