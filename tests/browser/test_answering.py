"""Answering a question in a real browser: verdicts, hints, and what double clicks come to."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = pytest.mark.browser

ATTENTION = "/questions/attention-matrix-memory"
FFN = "/questions/ffn-which-limit-binds"


def submit(page: Page, text: str) -> None:
    page.get_by_label("Your answer").fill(text)
    page.get_by_role("button", name="Check the answer").click()


def test_the_four_answers(page: Page) -> None:
    page.goto(ATTENTION)
    verdict = page.locator("#verdict")
    submit(page, "2 GiB")
    expect(verdict).to_contain_text("✓ Right.")
    submit(page, "2.15 GB")
    expect(verdict).to_contain_text("✓ Right. You wrote 2.15 GB, read as 2.15 GB.")
    submit(page, "2 GB")
    expect(verdict).to_contain_text("✗ Not right.")
    expect(verdict).to_contain_text("That is GiB labelled as GB")
    expect(page.locator("#announcement")).to_contain_text("GiB labelled as GB")
    submit(page, "134 MB")
    expect(verdict).to_contain_text("That is one head.")
    expect(page.get_by_role("heading", name="Model answer")).to_have_count(0)
    expect(page.get_by_label("Your answer")).to_have_value("134 MB")
    expect(page).to_have_url(re.compile(f"{ATTENTION}$"))

    page.goto("/progress")
    for text, outcome in (
        ("2 GiB", "right"),
        ("2.15 GB", "right"),
        ("2 GB", "not right"),
        ("134 MB", "not right"),
    ):
        expect(page.locator(".answers li", has_text=re.compile(f"^{text} {outcome}$"))).to_have_count(1)


def test_the_number_is_read_back_while_it_is_typed(page: Page) -> None:
    page.goto(ATTENTION)
    field, reading = page.get_by_label("Your answer"), page.locator("#answer-reading")
    field.press_sequentially("34400 MB", delay=20)
    expect(reading).to_have_text("read as 34,400 MB")
    field.fill("1.024,5")
    expect(reading).to_contain_text("type")
    field.fill("7")
    expect(reading).to_have_text("read as 7 GiB")
    field.fill("")
    expect(reading).to_be_empty()


def test_what_cannot_be_read_is_told_at_the_field(page: Page) -> None:
    page.goto(ATTENTION)
    submit(page, "12 bananas")
    expect(page.locator("#answer-error")).to_contain_text("“bananas” is not a unit")
    expect(page.get_by_label("Your answer")).to_have_value("12 bananas")
    expect(page.get_by_label("Your answer")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#verdict")).to_have_count(0)


def test_hints_one_by_one_without_losing_the_text(page: Page) -> None:
    page.goto(ATTENTION)
    page.get_by_label("Your answer").fill("3 G")
    for shown in (1, 2, 3):
        page.get_by_role("button", name="int").click()
        expect(page.locator(".hints > li")).to_have_count(shown)
        expect(page.get_by_label("Your answer")).to_have_value("3 G")
    expect(page.get_by_role("button", name="Next hint")).to_have_count(0)


def test_a_double_click_stores_one_answer(page: Page) -> None:
    page.goto(ATTENTION)
    page.get_by_label("Your answer").fill("2 GB")
    page.get_by_role("button", name="Check the answer").dblclick()
    expect(page.locator("#verdict")).to_contain_text("GiB labelled as GB")
    page.goto("/progress")
    expect(page.locator(".answers li")).to_have_count(1)


def test_what_an_act_brings_is_said_once_and_seen(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 700})
    page.goto(ATTENTION)
    said = page.locator("#announcement")
    submit(page, "2 GB")
    expect(said).to_contain_text("✗ Not right. That is GiB labelled as GB")
    expect(page.locator("#verdict")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Hint").click()
    expect(said).to_have_text(re.compile("^Hint 1: Write down"))
    expect(page.locator(".hints > li").last).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Reveal the answer").click()
    expect(page.get_by_role("heading", name="Model answer")).to_be_focused()
    expect(said).to_have_text(re.compile("^Hint 1: "))


def test_what_is_too_long_is_told_at_the_field_and_kept(page: Page) -> None:
    page.goto(FFN)
    field = page.get_by_label("Your answer")
    field.evaluate("field => { field.removeAttribute('maxlength'); }")
    field.fill("y" * 20_001)
    page.get_by_role("button", name="Save the answer").click()
    expect(page.locator("#answer-error")).to_contain_text("at most 20,000")
    expect(page.locator("#announcement")).to_contain_text("at most 20,000")
    expect(field).to_be_focused()
    expect(field).to_have_value("y" * 20_001)


def test_an_act_that_gets_no_answer_keeps_the_page(chromium: Browser, server: str) -> None:
    # In a context of its own: here htmx logs an error, which `page` would not let pass.
    with chromium.new_context(base_url=server) as context:
        page = context.new_page()
        page.goto(ATTENTION)
        page.route("**/answer", lambda route: route.abort())
        submit(page, "2 GiB")
        expect(page.get_by_role("alert")).to_contain_text("The server did not answer that")
        expect(page.get_by_label("Your answer")).to_have_value("2 GiB")


def test_an_answer_in_words_is_compared_point_by_point(page: Page) -> None:
    page.goto(FFN)
    page.get_by_label("Your answer").fill("Compare three times.")
    page.get_by_role("button", name="Save the answer").click()
    expect(page.locator("#verdict")).to_contain_text("Saved.")
    page.get_by_role("button", name="Reveal the answer").click()
    expect(page.locator(".own-answer .own-text")).to_have_text("Compare three times.")
    expect(page.locator("#rating-note")).to_contain_text("Again is suggested")
    for point in ("three-times", "tokens-decide", "all-reduce", "sharded-hidden"):
        page.locator(f"#point-{point}").check()
    expect(page.locator("#rate-3")).to_have_class("suggested")
    page.locator("#rate-4").click()
    expect(page.locator("#rating")).to_contain_text("Rated Easy. It comes back")
    expect(page.get_by_role("link", name="Next question")).to_be_focused()
    page.reload()
    expect(page.locator("#point-all-reduce")).to_be_checked()
    expect(page.locator("#rate-4")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Start again").click()
    expect(page.get_by_role("heading", name="Model answer")).to_have_count(0)
    expect(page.get_by_label("Your answer")).to_have_value("")
