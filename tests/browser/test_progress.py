"""The page of progress without JavaScript, by keyboard alone, on a narrow screen."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

ATTENTION = "/questions/attention-matrix-memory"


def test_from_a_mistake_to_its_drill_by_keyboard(plain_page: Page) -> None:
    page = plain_page
    page.set_viewport_size({"width": 320, "height": 800})
    page.goto(ATTENTION)
    page.get_by_label("Your answer").fill("2 GB")
    page.get_by_role("button", name="Check the answer").click()
    page.get_by_role("button", name="Reveal the answer").click()
    page.locator(".ratings button").first.click()

    page.goto("/progress")
    plots = page.get_by_role("img")
    expect(plots).to_have_count(3)
    expect(plots.first).to_have_accessible_name(
        re.compile("^Practice on 1 day in the last 26 weeks: 1 question")
    )
    summary = page.locator("summary", has_text="The days as a table")
    summary.focus()
    page.keyboard.press("Enter")
    expect(
        page.get_by_role("region", name="Questions a day, by week").get_by_role("cell", name="1")
    ).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("region", name="Questions a day, by week")).to_be_focused()

    for each in page.locator("summary").all()[1:]:
        each.click()
    assert page.evaluate("() => document.scrollingElement.scrollWidth") <= 320
    page.get_by_role("link", name="4 weeks").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="4 weeks")).to_have_attribute("aria-current", "true")
    expect(page.get_by_role("heading", name="How it went")).to_be_in_viewport()
    page.get_by_role("button", name="Drill this question: GB for GiB").focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(rf"{ATTENTION}\?.*drill=\d+"))
