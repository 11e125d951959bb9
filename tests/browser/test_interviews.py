"""A mock interview in a browser: its clock ticks, what is typed stays, and it works without JavaScript."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

TWO = "/interviews?question=attention-matrix-memory&question=kernel-fusion-and-cuda-graphs"


def test_left_and_taken_up_again_with_nothing_lost(page: Page) -> None:
    page.goto(TWO)
    page.get_by_label("Minutes").fill("10")
    page.get_by_label("Follow-ups").uncheck()
    page.get_by_role("button", name="Start the interview").dblclick()
    clock = page.locator("#clock")
    expect(clock).to_have_text(re.compile(r"9:5\d left"))
    before = clock.text_content() or ""
    expect(clock).not_to_have_text(before)
    notes = page.get_by_label("Thinking aloud")
    with page.expect_response(lambda response: "/notes/1" in response.url and response.ok):
        notes.press_sequentially("fp32:\n4 bytes")
    page.get_by_label("Your answer").fill("2 GB")
    expect(page.locator(".answer-form .draft-state")).to_have_text("Saved")
    address = page.url

    again = page.context.new_page()
    page.close()
    again.goto("/interviews")
    again.get_by_role("link", name="Go on with it").click()
    expect(again).to_have_url(address)
    expect(again.get_by_label("Thinking aloud")).to_have_value("fp32:\n4 bytes")
    answer = again.get_by_label("Your answer")
    expect(answer).to_have_value("2 GB")
    again.locator("h1").click()
    again.keyboard.press("h")
    expect(again.locator(".hints > li")).to_have_count(1)
    answer.press("Enter")
    expect(again.get_by_role("heading", level=1)).to_have_text("Kernel fusion and CUDA graphs")
    expect(again.locator(".notice.lost")).to_have_count(0)
    for width in (320, 390, 1100):
        again.set_viewport_size({"width": width, "height": 800})
        assert again.evaluate("() => document.scrollingElement.scrollWidth") <= width
    again.get_by_label("Thinking aloud").fill("never sent by a key")
    again.get_by_label("Your answer").fill("Fusion saves traffic.")
    again.get_by_role("button", name="Answer and finish").click()
    report = again.locator("main")
    expect(report).to_contain_text("not right, 50% credit")
    expect(report).to_contain_text("never sent by a key")
    for width in (320, 390, 1100):
        again.set_viewport_size({"width": width, "height": 800})
        assert again.evaluate("() => document.scrollingElement.scrollWidth") <= width
    again.get_by_role("button", name="Open all model answers").click()
    again.emulate_media(media="print")
    expect(again.locator(".model-answer .prose").first).to_be_visible()
    expect(again.get_by_role("button", name="Make a link")).to_be_hidden()


def test_without_javascript(plain_page: Page) -> None:
    page = plain_page
    page.goto(TWO)
    page.get_by_role("radio", name=re.compile("After each question")).check()
    page.get_by_role("button", name="Start the interview").click()
    expect(page.locator("#clock")).to_have_text(re.compile("4[45]:.. left"))
    page.get_by_label("Thinking aloud").fill("fp32")
    page.get_by_role("button", name="Save the notes").click()
    page.get_by_label("Your answer").fill("2 GiB")
    page.get_by_role("button", name="Hint").click()
    expect(page.get_by_label("Your answer")).to_have_value("2 GiB")
    expect(page.get_by_label("Thinking aloud")).to_have_value("fp32")
    page.get_by_role("button", name="Answer", exact=True).click()
    expect(page.locator("main")).to_contain_text("✓ Right.")
    page.get_by_role("checkbox").first.check()
    page.get_by_role("button", name="Next question").click()
    page.get_by_text("End the interview").click()
    page.get_by_role("button", name="Finish now").click()
    expect(page.get_by_role("heading", name="By question")).to_be_visible()
    page.get_by_role("button", name="Make a link").click()
    link = page.get_by_label(re.compile("Anyone with this link")).input_value()
    page.get_by_role("button", name="Revoke").click()
    expect(page.get_by_role("button", name="Revoke")).to_have_count(0)
    page.goto(link)
    expect(page.locator("main")).to_contain_text("This link leads nowhere")
