"""The whole path with the keyboard alone."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def test_practice_from_question_to_question(page: Page) -> None:
    page.goto("/questions/attention-matrix-memory?v=1&seed=0&practice=1")
    first = page.locator("h1").inner_text()
    page.keyboard.press("h")
    expect(page.locator(".hints > li")).to_have_count(1)
    page.keyboard.press("a")
    expect(page.locator("#answer")).to_be_focused()
    page.keyboard.type("2 GiB hr1?")
    # Keys are letters while somebody types.
    expect(page.locator("#answer")).to_have_value("2 GiB hr1?")
    for _ in " hr1?":
        page.keyboard.press("Backspace")
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_contain_text("✓ Right.")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(page.locator("#submit-answer")).to_be_focused()
    page.keyboard.press("r")
    expect(page.get_by_role("heading", name="Model answer")).to_be_focused()
    expect(page.locator("#rating-note")).to_contain_text("Hard is suggested: right, with a hint.")
    page.keyboard.press("3")
    expect(page.get_by_role("link", name="Next question")).to_be_focused()
    expect(page.locator("#practice-line")).to_contain_text("1 done today")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).not_to_have_text(first)
    expect(page).to_have_url(re.compile("practice=1$"))


def test_the_keys_are_listed(page: Page) -> None:
    page.goto("/questions/attention-matrix-memory")
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Reveal the model answer")
    page.keyboard.press("r")
    expect(page.get_by_role("heading", name="Model answer")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_an_answer_of_several_lines_is_sent_with_control_enter(page: Page) -> None:
    page.goto("/questions/ffn-which-limit-binds")
    page.keyboard.press("a")
    page.keyboard.type("one line")
    page.keyboard.press("Enter")
    page.keyboard.type("and another")
    expect(page.locator("#answer")).to_have_value("one line\nand another")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#verdict")).to_contain_text("Saved.")


def test_every_stop_of_the_tab_key_shows_the_focus(page: Page) -> None:
    page.goto("/questions/attention-matrix-memory")
    page.keyboard.press("r")
    expect(page.get_by_role("heading", name="Model answer")).to_be_focused()
    seen = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        stop, outline = page.evaluate(
            "[document.activeElement.id || document.activeElement.textContent.trim(),"
            " getComputedStyle(document.activeElement).outlineStyle]"
        )
        if stop in seen or page.evaluate("document.activeElement === document.body"):
            break
        seen.add(stop)
        assert outline != "none", f"{stop} does not show that it has the focus"
    assert {"param-seq_len", "param-seq_len-slider", "point-shape", "rate-1", "rate-4"} <= seen
