"""Search and filters in a real browser; every page at both widths and in both colour schemes."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from app.bank.load import Bank

pytestmark = pytest.mark.browser

PAGES = (
    "/",
    "/questions",
    "/questions/attention-matrix-memory",
    "/questions/ffn-which-limit-binds",
    "/questions/which-matmul-is-compute-bound?seed=3",
    "/practice",
    "/progress",
)


def test_search_is_instant_and_the_address_follows(page: Page, bank: Bank) -> None:
    whole = f"{len(bank.questions)} of {len(bank.questions)} questions"
    page.goto("/questions")
    expect(page.locator(".count-line")).to_have_text(whole)
    page.locator("#q").press_sequentially("cuda gra", delay=30)
    expect(page.locator(".question-rows .title").first).to_have_text("Kernel fusion and CUDA graphs")
    expect(page).to_have_url(re.compile(r"/questions\?q=cuda\+gra$"))
    expect(page.locator("#q")).to_be_focused()
    expect(page.locator("#q")).to_have_value("cuda gra")
    page.go_back()
    expect(page.locator(".count-line")).to_have_text(whole)


def test_filters_narrow_with_their_counts(page: Page, bank: Bank) -> None:
    total = len(bank.questions)
    choices = [question.meta.title for question in bank.questions.values() if question.meta.kind == "choice"]
    page.goto("/questions")
    page.get_by_role("checkbox", name="choice").check()
    expect(page.locator(".count-line")).to_have_text(f"{len(choices)} of {total} questions")
    assert set(page.locator(".question-rows .title").all_text_contents()) == set(choices)
    expect(page.get_by_role("checkbox", name="choice")).to_be_focused()
    expect(page.get_by_role("checkbox", name="Anthropic 0")).to_be_visible()
    page.get_by_role("link", name="Clear the filters").click()
    expect(page.locator(".count-line")).to_have_text(f"{total} of {total} questions")


def test_the_search_of_the_masthead_leads_here(page: Page) -> None:
    page.goto("/progress")
    page.keyboard.press("/")
    page.keyboard.type("llama")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/questions\?q=llama$"))
    expect(page.locator(".question-rows .title").first).to_contain_text("Llama 2 13B")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_no_page_scrolls_sideways_or_breaks_the_policy(
    chromium: Browser, server: str, width: int, scheme: str
) -> None:
    colors = {"light": "light", "dark": "dark"}[scheme]
    complaints: list[str] = []
    with chromium.new_context(base_url=server, viewport={"width": width, "height": 900}) as context:
        page = context.new_page()
        page.emulate_media(color_scheme="dark" if colors == "dark" else "light")
        page.on(
            "console", lambda message: complaints.append(message.text) if message.type == "error" else None
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        for path in PAGES:
            page.goto(path)
            _fits(page, path)
            if path.startswith("/questions/"):
                page.get_by_role("button", name="Reveal the answer").click()
                expect(page.get_by_role("heading", name="Model answer")).to_be_visible()
                _fits(page, path)
    assert complaints == []


def _fits(page: Page, path: str) -> None:
    wide, room = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    assert wide <= room, f"{path} is {wide} px wide in {room}"
