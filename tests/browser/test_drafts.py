"""Nothing that was typed is lost: reloads, two windows, a server that is away, a window that was closed."""

import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

pytestmark = pytest.mark.browser

ATTENTION = "/questions/attention-matrix-memory"
CHOICE = "/questions/which-matmul-is-compute-bound"
FFN = "/questions/ffn-which-limit-binds"


def test_a_draft_survives_a_reload_and_another_page(page: Page) -> None:
    page.goto(FFN)
    field = page.get_by_label("Your answer")
    with page.expect_response(lambda response: response.url.endswith("/draft")):
        field.press_sequentially("Three times,\nthe largest")
    expect(page.locator(".answer-form .draft-state")).to_have_text("Saved")
    page.reload()
    expect(field).to_have_value("Three times,\nthe largest")
    page.goto("/questions")
    page.go_back()
    expect(field).to_have_value("Three times,\nthe largest")


def test_a_number_and_its_working_are_drafted_too(page: Page) -> None:
    page.goto(ATTENTION)
    page.get_by_label("Your answer").fill("3 GiB")
    expect(page.locator(".answer-form .draft-state")).to_have_text("Saved")
    page.get_by_label("Your working").fill("b h n squared")
    page.reload()
    expect(page.get_by_label("Your answer")).to_have_value("3 GiB")
    expect(page.get_by_label("Your working")).to_have_value("b h n squared")


def test_a_choice_is_drafted(page: Page) -> None:
    page.goto(CHOICE)
    page.get_by_label(re.compile("A prompt of 4,096 tokens")).check()
    expect(page.locator(".answer-form .draft-state")).to_have_text("Saved")
    page.reload()
    expect(page.get_by_label(re.compile("A prompt of 4,096 tokens"))).to_be_checked()


def test_of_two_windows_neither_text_is_lost(page: Page) -> None:
    page.goto(FFN)
    field, aside = page.get_by_label("Your answer"), page.locator("#answer-aside")
    other = page.context.new_page()
    other.goto(FFN)
    other.get_by_label("Your answer").fill("from the other window")
    expect(other.locator(".answer-form .draft-state")).to_have_text("Saved")
    field.fill("from this one")
    expect(aside).to_contain_text("from the other window")
    expect(page.locator("#announcement")).to_contain_text("Another window has saved another text")
    page.reload()
    expect(field).to_have_value("from this one")
    aside.get_by_role("button", name="Use this text").click()
    expect(field).to_have_value("from the other window")
    expect(field).to_be_focused()
    expect(aside.locator("blockquote")).to_have_text("from this one")
    aside.get_by_role("button", name="Use this text").click()
    expect(field).to_have_value("from this one")
    expect(aside.locator("blockquote")).to_have_text("from the other window")
    aside.get_by_role("button", name="Discard it").click()
    expect(aside).to_be_hidden()
    page.reload()
    expect(field).to_have_value("from this one")
    expect(aside).to_be_hidden()


def test_typing_that_does_not_pause_is_saved_all_the_same(page: Page) -> None:
    page.goto(FFN)
    with page.expect_response(lambda response: response.url.endswith("/draft")):
        page.get_by_label("Your answer").press_sequentially("a word after the other " * 4, delay=50)
        expect(page.get_by_label("Your answer")).to_have_value("a word after the other " * 4)


def test_what_was_typed_last_is_saved_when_the_window_is_left(page: Page) -> None:
    page.goto(FFN)
    page.get_by_label("Your answer").fill("typed just now")
    page.goto("/questions")
    page.evaluate("localStorage.clear()")
    page.goto(FFN)
    expect(page.get_by_label("Your answer")).to_have_value("typed just now")


def test_while_the_server_is_away_the_text_waits_and_is_then_sent(chromium: Browser, server: str) -> None:
    # In a context of its own: the requests that fail are logged as errors.
    with chromium.new_context(base_url=server) as context:
        page = context.new_page()
        page.goto(FFN)
        context.set_offline(True)
        page.get_by_label("Your answer").fill("while the server is away")
        expect(page.locator(".answer-form .draft-state")).to_contain_text(
            "kept in this browser and saved when"
        )
        context.set_offline(False)
        expect(page.locator(".answer-form .draft-state")).to_contain_text(
            "The server is back, and what you typed is saved."
        )

        context.set_offline(True)
        page.get_by_label("Your answer").fill("and then the window was closed")
        expect(page.locator(".answer-form .draft-state")).to_contain_text("kept in this browser")
        page.close()
        context.set_offline(False)
        elsewhere = context.new_page()
        elsewhere.clock.install()
        elsewhere.clock.fast_forward(60_000)
        elsewhere.goto("/calculators/kv-cache")
        expect(elsewhere.locator(".lost")).to_have_text("What you typed while the server was away is saved.")
        elsewhere.goto(FFN)
        expect(elsewhere.get_by_label("Your answer")).to_have_value("and then the window was closed")


def test_a_form_that_overtakes_the_text_saved_before_it_is_no_other_window(page: Page) -> None:
    page.goto(ATTENTION)
    field, verdict = page.get_by_label("Your answer"), page.locator("#verdict")
    held: list[Route] = []
    page.route("**/draft", lambda route: held.append(route), times=1)
    with page.expect_request("**/draft"):
        field.fill("2.15 GB")
    field.fill("2 GB")
    page.get_by_role("button", name="Check the answer").click()
    expect(verdict).to_contain_text("That is GiB labelled as GB")
    with page.expect_response("**/draft") as late:
        held[0].continue_()
    assert late.value.json()["other"] is None
    expect(page.locator("#announcement")).to_contain_text("GiB labelled as GB")
    expect(page.locator("#answer-aside")).to_be_hidden()
    page.reload()
    expect(field).to_have_value("2 GB")
    expect(page.locator("#answer-aside")).to_be_hidden()


def test_a_page_that_was_asked_for_before_a_text_was_saved_shows_that_text(page: Page) -> None:
    page.goto(FFN)
    field, state = page.get_by_label("Your answer"), page.locator(".answer-form .draft-state")
    field.fill("the first")
    expect(state).to_have_text("Saved")
    older = page.request.get(FFN).text()
    held: list[Route] = []
    page.route(f"**{FFN}", lambda route: held.append(route), times=1)
    # The page's own timers, as Playwright types into no page that is being left.
    field.evaluate("""field => {
        setTimeout(() => location.reload());
        setTimeout(() => { field.value = "the second"; field.dispatchEvent(new Event("input")); }, 200);
    }""")
    with page.expect_response("**/draft"):
        pass
    with page.expect_navigation():
        held[0].fulfill(body=older, content_type="text/html")
    expect(field).to_have_value("the second")
    field.press_sequentially(", and on")
    expect(state).to_have_text("Saved")
    expect(page.locator("#answer-aside")).to_be_hidden()
