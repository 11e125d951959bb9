"""Every page on every width: nothing scrolls sideways, nothing jumps, the masthead takes one line."""

import pytest
from playwright.sync_api import Page, expect

import calculators

pytestmark = pytest.mark.browser

WIDTHS = (320, 390, 600, 705, 768, 900, 1100, 1440)
PAGES = (
    "/",
    "/questions",
    "/questions/attention-matrix-memory",
    "/questions/which-matmul-is-compute-bound",
    "/practice",
    "/practice/drill",
    "/interviews",
    "/account",
    "/progress",
    "/calculators",
    "/calculators/kv-cache?batch=many&batchh=2",
    *(f"/calculators/{each.slug}" for each in calculators.all()),
    "/api/docs",
    "/nothing-here",
)
NAV_LINES = """() => new Set(
    [...document.querySelectorAll(".masthead nav li")].map((each) => each.offsetTop)
).size"""
SHIFTS = """
    window.shifts = [];
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
            const moved = entry.sources.map((source) => source.node?.outerHTML);
            if (entry.value > 0.001) window.shifts.push([entry.value, moved]);
        }
    }).observe({ type: "layout-shift", buffered: true });
"""


@pytest.mark.parametrize("address", PAGES)
def test_it_fits_every_width(page: Page, address: str) -> None:
    page.add_init_script(SHIFTS)
    page.goto(address)
    page.evaluate("() => document.fonts.ready")
    assert page.evaluate("() => window.shifts") == []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("() => document.scrollingElement.scrollWidth") <= width, width
        assert page.evaluate(NAV_LINES) == 1, width


def test_an_opened_answer_fits_too_and_what_scrolls_is_reached_by_key(page: Page) -> None:
    page.goto("/questions/which-matmul-is-compute-bound")
    page.get_by_role("button", name="Reveal the answer").click()
    expect(page.locator("#live-answer")).to_be_visible()
    page.set_viewport_size({"width": 320, "height": 800})
    page.evaluate("() => document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert page.evaluate("() => document.scrollingElement.scrollWidth") <= 320
    unreachable = page.locator(".table, .scroll, .math-block, pre").evaluate_all(
        "all => all.filter((each) => each.scrollWidth > each.clientWidth && each.tabIndex < 0).length"
    )
    assert unreachable == 0


def test_a_lost_server_is_told_without_moving_the_page(page: Page) -> None:
    page.goto("/calculators/attention-scores")
    page.evaluate("document.body.dispatchEvent(new Event('htmx:sendError', { bubbles: true }))")
    notice = page.get_by_role("alert")
    expect(notice).to_contain_text("The server did not answer that")
    expect(notice).to_have_css("position", "fixed")
