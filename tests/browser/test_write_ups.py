"""An interview is written up as it is typed: searched for, added, moved, reloaded, in two windows."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


def test_an_interview_is_written_up_with_the_keyboard(page: Page) -> None:
    page.goto("/write-ups")
    page.get_by_role("link", name="Write up an interview").click()
    page.get_by_label("Company").press_sequentially("Example Labs")
    page.get_by_label("Day").fill("2026-03-01")
    expect(page.locator(".draft-state")).to_have_text("Saved")
    page.reload()
    expect(page.get_by_label("Company")).to_have_value("Example Labs")
    expect(page.get_by_label("Day")).to_have_value("2026-03-01")

    page.get_by_label("Find it in the bank").press_sequentially("attention mem")
    page.get_by_role("button", name="Add Memory of the full attention matrix").press("Enter")
    note = page.locator("#field-1-note")
    expect(note).to_be_focused()
    expect(page.locator("#announcement")).to_have_text("Added as question 1.")
    note.press_sequentially("Forgot the heads")

    # At once after the last key: what was typed goes along, and nothing is taken for another window's.
    page.locator("#next textarea").press_sequentially("What was that acronym?")
    page.get_by_role("button", name="Add it in these words").press("Enter")
    expect(page.locator("#field-2-note")).to_be_focused()
    page.locator("#field-2-note").press_sequentially("Blanked on it")
    page.get_by_role("button", name="Move question 2 up").press("Enter")
    expect(page.get_by_role("button", name="Move question 1 down")).to_be_focused()
    expect(page.locator(".asked-forms textarea[name$=note]").first).to_have_value("Blanked on it")
    page.wait_for_timeout(1200)  # longer than any copy of the texts waits to be sent
    page.reload()
    expect(page.locator(".asked-forms textarea[name$=note]").first).to_have_value("Blanked on it")
    expect(page.locator("#next textarea")).to_have_value("")
    expect(page.locator(".set-aside:visible")).to_have_count(0)

    other = page.context.new_page()
    other.goto(page.url)
    other.locator("#field-1-note").fill("from the other window")
    expect(other.locator(".draft-state")).to_have_text("Saved")
    note.fill("from this one")
    expect(page.locator("#field-1-note-aside")).to_contain_text("from the other window")
    page.get_by_role("button", name="Discard it").click()
    expect(page.locator("#field-1-note-aside")).to_be_hidden()
    page.get_by_role("button", name="Done").dblclick()
    page.wait_for_url(re.compile("/write-ups/[^/]+$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Example Labs")
    expect(page.locator(".own").nth(1)).to_contain_text("from this one")


def test_without_javascript_a_question_is_found_linked_and_noted(plain_page: Page) -> None:
    page = plain_page
    page.goto("/write-ups/new")
    page.get_by_label("Company").fill("Example Labs")
    page.get_by_label("As it was asked").fill("What is MFU?")
    page.get_by_role("button", name="Add it in these words").click()
    page.locator("#field-1-note").fill("Blanked on it")
    page.get_by_text("Link it to a question of the bank").click()
    page.get_by_label("Search the bank for question 1").fill("hfu")
    page.get_by_label("Search the bank for question 1").press("Enter")
    page.get_by_role("button", name="Link HFU and MFU of a training run").click()
    expect(page.locator("#field-1-note")).to_have_value("Blanked on it")
    page.get_by_role("button", name="Done").click()
    page.get_by_role("button", name="Practise the linked question").click()
    expect(page).to_have_url(re.compile("/questions/mfu-and-hfu"))
    page.get_by_text("Your note").click()
    expect(page.locator("#note-fold")).to_contain_text("From your write-up of Example Labs")
