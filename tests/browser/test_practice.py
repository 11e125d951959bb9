"""An evening of practice in a real browser: plan, keys, undo, drill, and the way back after closing a tab."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

MODEL_ANSWER = "Model answer"


def reveal_and_rate(page: Page, rating: int) -> None:
    page.keyboard.press("r")
    expect(page.get_by_role("heading", name=MODEL_ANSWER)).to_be_focused()
    page.keyboard.press(str(rating))
    expect(page.get_by_role("link", name="Next question")).to_be_focused()


def test_an_evening_with_the_keyboard_alone(page: Page) -> None:
    page.goto("/practice")
    page.keyboard.press("n")
    expect(page).to_have_url(re.compile("practice=1$"))
    first = page.locator("h1").inner_text()
    reveal_and_rate(page, 1)
    expect(page.locator("#practice-line")).to_contain_text("1 done today")
    page.keyboard.press("n")
    expect(page.locator("h1")).not_to_have_text(first)
    second = page.locator("h1").inner_text()
    expect(page.locator("#undo")).to_have_text(f"Undo the last rating: Again, “{first}”")

    page.keyboard.press("u")  # from the next question
    expect(page.locator("h1")).to_have_text(first)
    expect(page.locator("#practice-line")).to_contain_text("0 done today")
    expect(page.locator("#rate-1")).not_to_have_attribute("aria-pressed", "true")
    page.keyboard.press("4")
    expect(page.locator("#rating")).to_contain_text("Rated Easy.")
    page.keyboard.press("n")
    expect(page.locator("h1")).to_have_text(second)
    page.go_back()
    expect(page.locator("#rate-4")).to_have_attribute("aria-pressed", "true")
    page.go_forward()
    expect(page.locator("h1")).to_have_text(second)

    page.keyboard.press("s")
    expect(page.locator("h1")).not_to_have_text(second)
    third = page.locator("h1").inner_text()
    page.keyboard.press("b")
    expect(page.get_by_role("button", name="Bookmarked")).to_be_visible()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Undo the last rating")
    page.keyboard.press("Escape")
    page.keyboard.press("h")
    expect(page.locator(".hints > li")).to_have_count(1)

    page.close()  # and the next morning
    page = page.context.new_page()
    page.goto("/practice")
    expect(page.locator(".plan li").first).to_contain_text(third)
    expect(page.get_by_text("Skipped today")).to_be_visible()
    page.get_by_role("link", name="Go on").click()
    expect(page.locator("h1")).to_have_text(third)
    expect(page.locator(".hints > li")).to_have_count(1)


def test_single_keys_turned_off_do_nothing_anywhere(page: Page) -> None:
    page.goto("/account")
    page.get_by_label("Single keys are shortcuts").uncheck()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").filter(has_text="Saved.")).to_be_visible()
    for address in ("/questions/attention-matrix-memory", "/calculators/kv-cache"):
        page.goto(address)
        for key in "?rha/":
            page.keyboard.press(key)
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.locator("body")).to_be_focused()
    page.goto("/questions/attention-matrix-memory")
    expect(page.get_by_role("heading", name=MODEL_ANSWER)).to_have_count(0)
    page.get_by_role("button", name="Keyboard").click()
    expect(page.get_by_role("dialog")).to_contain_text("Single keys are turned off")


def test_a_drill_to_its_summary(page: Page) -> None:
    page.goto("/practice/drill")
    page.get_by_label("Questions", exact=True).fill("2")
    page.locator("input[value=where-the-time-goes]").check()
    page.get_by_role("button", name="Start the drill").click()
    expect(page.locator("#practice-line")).to_contain_text("Drill: Where the time goes")
    for done in (1, 2):
        reveal_and_rate(page, 3)
        expect(page.locator("#practice-line")).to_contain_text(f"{done} of 2 done")
        title = page.locator("h1").inner_text()
        page.keyboard.press("Enter")
        expect(page.locator("h1")).not_to_have_text(title)
        page.wait_for_load_state()
    expect(page.locator("h1")).to_have_text("Summary of the drill: Where the time goes")
    expect(page.get_by_text("The schedule stays as it was.")).to_be_visible()
    page.goto("/progress")
    expect(page.get_by_text("Nothing is scheduled yet.")).to_be_visible()


def test_a_note_is_kept_while_it_is_typed(page: Page) -> None:
    page.goto("/questions/attention-matrix-memory")
    page.get_by_text("Your note").click()
    note = page.get_by_label(re.compile("Yours alone"))
    note.fill("count K and V")
    expect(page.locator(".own-note .draft-state")).to_have_text("Saved")
    page.get_by_role("button", name="Reveal the answer").click()
    expect(note).to_have_value("count K and V")
    page.goto("/questions/attention-matrix-memory?v=1&seed=7")
    expect(note).to_be_hidden()
    page.get_by_text("Your note").click()
    expect(note).to_have_value("count K and V")


def test_everything_is_deleted_in_the_browser_too(page: Page) -> None:
    page.goto("/questions/attention-matrix-memory")
    page.evaluate(
        "localStorage.setItem('ridgeway-draft old /questions/mfu-and-hfu/draft 0 ', '{\"refused\":true}')"
    )
    page.get_by_label("Your answer").fill("2 GB")
    page.get_by_role("button", name="Check the answer").click()
    expect(page.locator("#verdict")).to_be_visible()
    page.goto("/account")
    page.get_by_role("button", name="Delete everything").click()
    expect(page.get_by_text("Nothing was deleted.")).to_be_visible()
    page.get_by_label("Type “delete” to confirm").fill("delete")
    page.get_by_role("button", name="Delete everything").click()
    expect(page.get_by_role("heading", name="Everything of yours is deleted")).to_be_visible()
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('ridgeway-draft'))") == []
    page.goto("/progress")
    expect(page.get_by_text("None yet.")).to_be_visible()
