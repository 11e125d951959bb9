"""The calculator pages in a real browser."""

import re
import time

import pytest
from playwright.sync_api import Locator, Page, Route, expect

import calculators

pytestmark = pytest.mark.browser

SCORES = "/calculators/attention-scores"


def output(page: Page, name: str) -> Locator:
    return page.locator(f"[data-key='out:{name}']")


def field(page: Page, name: str) -> Locator:
    return page.locator(f"#input-{name}")


def test_typing_updates_the_outputs_in_place(page: Page) -> None:
    page.goto(SCORES)
    length = field(page, "seq_len")
    length.click()
    length.press("Control+a")
    length.press_sequentially("8192", delay=40)
    expect(output(page, "score_bytes")).to_have_text("128 GiB")
    expect(output(page, "score_bytes")).to_have_class(re.compile(r"\bchanged\b"))
    expect(output(page, "score_bytes")).not_to_have_class(re.compile(r"\bchanged\b"))
    expect(length).to_be_focused()
    expect(length).to_have_value("8192")
    expect(field(page, "kv_len")).to_have_attribute("placeholder", "8,192")
    expect(page.locator("#announcement")).to_contain_text("128 GiB")


def test_the_last_of_many_quick_changes_wins(page: Page) -> None:
    page.goto(SCORES)
    for length in range(1, 40):
        field(page, "seq_len").fill(str(length * 1024))
    expect(output(page, "score_bytes")).to_have_text(re.compile("GiB|TiB"))
    wanted = calculators.get("attention-scores").evaluate(seq_len=39 * 1024).exact["score_bytes"]
    expect(page.locator("[data-key='exact:score_bytes']")).to_have_text(f"{wanted:,} B")
    expect(page).to_have_url(re.compile(r"seq_len=39936\b"))


def test_the_address_follows_and_back_returns_state_by_state(page: Page) -> None:
    page.goto(SCORES)
    field(page, "seq_len").press("Control+a")
    field(page, "seq_len").press_sequentially("8192", delay=30)
    expect(page).to_have_url(re.compile(r"\?v=1&batch=32&heads=16&seq_len=8192&layers=1&dtype=fp32$"))
    field(page, "dtype").select_option("bf16")
    expect(page).to_have_url(re.compile(r"dtype=bf16$"))
    expect(output(page, "score_bytes")).to_have_text("64 GiB")

    page.go_back()
    expect(output(page, "score_bytes")).to_have_text("128 GiB")
    expect(field(page, "dtype")).to_have_value("fp32")
    expect(field(page, "seq_len")).to_have_value("8192")
    page.go_back()
    expect(output(page, "score_bytes")).to_have_text("2 GiB")
    expect(field(page, "seq_len")).to_have_value("1024")
    expect(page).to_have_url(re.compile(rf"{SCORES}$"))
    page.go_forward()
    expect(output(page, "score_bytes")).to_have_text("128 GiB")
    expect(field(page, "seq_len")).to_have_value("8192")


def test_a_copied_link_shows_the_same_elsewhere(page: Page) -> None:
    page.goto(SCORES)
    field(page, "heads").fill("7")
    expect(page.locator("#link")).to_have_value(re.compile(r"heads=7\b"))
    link = page.locator("#link").input_value()
    shown = output(page, "score_bytes").text_content()
    page.goto(link)
    expect(output(page, "score_bytes")).to_have_text(shown or "")
    expect(field(page, "heads")).to_have_value("7")


def test_a_bad_input_is_told_at_its_field_and_the_last_results_stay(page: Page) -> None:
    page.goto(SCORES)
    field(page, "seq_len").fill("2048")
    expect(page).to_have_url(re.compile(r"seq_len=2048\b"))
    expect(output(page, "score_bytes")).to_have_text("8 GiB")
    address = page.url
    field(page, "heads").fill("many")
    expect(page.locator("#error-heads")).to_contain_text("whole number")
    expect(field(page, "heads")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#status")).to_contain_text("still those of before")
    expect(output(page, "score_bytes")).to_have_text("8 GiB")
    expect(field(page, "seq_len")).to_have_value("2048")
    assert page.url == address

    field(page, "heads").fill("32")
    expect(page.locator("#error-heads")).to_be_empty()
    expect(field(page, "heads")).to_have_attribute("aria-invalid", "false")
    expect(page.locator("#status")).to_have_text("")
    expect(output(page, "score_bytes")).to_have_text("16 GiB")


def test_what_comes_late_never_overtakes_what_is_newer(page: Page) -> None:
    """The rest of a state is held back until an input is wrong, and then until another state is shown."""
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.goto(f"{SCORES}?heads=32")
    page.route(re.compile("rest.*(heads=32&seq_len=2048|seq_len=4096)"), hold)
    with page.expect_request(re.compile("rest.*seq_len=2048")):
        field(page, "seq_len").fill("2048")
    field(page, "heads").fill("many")
    expect(page.locator("#error-heads")).to_contain_text("whole number")
    held.pop().continue_()
    expect(page.locator("#link")).to_have_value(re.compile("seq_len=2048"))
    expect(page.locator("#error-heads")).to_contain_text("whole number")
    expect(page.locator("#status")).to_contain_text("still those of before")

    field(page, "heads").fill("16")
    expect(page.locator("#link")).to_have_value(re.compile("heads=16&seq_len=2048"))
    with page.expect_request(re.compile("rest.*seq_len=4096")):
        field(page, "seq_len").fill("4096")
    field(page, "seq_len").fill("8192")
    expect(output(page, "score_bytes")).to_have_text("128 GiB")
    held.pop().continue_()
    expect(page).to_have_url(re.compile(r"seq_len=8192\b"))
    expect(page.locator("#link")).to_have_value(re.compile("seq_len=8192"))


def test_a_custom_model_unfolds_what_it_needs(page: Page) -> None:
    page.goto("/calculators/kv-cache")
    expect(field(page, "layers")).to_be_hidden()
    field(page, "model").select_option("custom")
    expect(page.locator("#error-layers")).to_contain_text("needed")
    expect(field(page, "layers")).to_be_visible()
    for name, text in {"layers": "2", "heads": "4", "d_model": "64", "vocab_size": "100"}.items():
        field(page, name).fill(text)
    expect(output(page, "bytes_per_token")).to_have_text("512 B")


def test_solving_with_the_keyboard_alone(page: Page) -> None:
    page.goto(f"{SCORES}?batch=1&heads=2")
    page.get_by_text("Solve for an input").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("Sequence")
    page.keyboard.press("Tab")
    page.keyboard.type("Score matrix")
    page.keyboard.press("Tab")
    page.keyboard.type("80 GB")
    page.keyboard.press("Enter")
    solution = page.locator("#solution")
    expect(solution).to_contain_text("100,000 gives 80 GB")
    expect(page).to_have_url(re.compile(r"/solve\?.*equals=80(\+|%20)GB"))
    page.reload()
    expect(solution).to_contain_text("100,000 gives 80 GB")
    solution.get_by_role("link").click()
    expect(page.locator("[data-key='second:score_bytes']")).to_have_text("80 GB")


def test_what_is_wrong_is_said_and_marked_where_it_is(page: Page) -> None:
    page.goto(SCORES)
    said = page.locator("#announcement")
    field(page, "batch").fill("many")
    expect(said).to_contain_text("batch is “many”, but must be")
    field(page, "batch").fill("2")
    page.get_by_text("Solve for an input").click()
    target = page.locator("#solve-equals")
    target.fill("lots")
    target.press("Enter")
    expect(page.locator("#error-solve-equals")).to_contain_text("“lots”")
    expect(target).to_have_attribute("aria-invalid", "true")
    expect(said).to_contain_text("“lots”")
    target.fill("64 MB")
    target.press("Enter")
    expect(target).to_have_attribute("aria-invalid", "false")
    expect(said).to_contain_text("at which")
    expect(target).to_be_focused()


def test_without_javascript_the_form_submits(plain_page: Page) -> None:
    plain_page.goto(SCORES)
    field(plain_page, "seq_len").fill("8192")
    plain_page.get_by_role("button", name="Calculate").click()
    expect(output(plain_page, "score_bytes")).to_have_text("128 GiB")
    expect(field(plain_page, "seq_len")).to_have_value("8192")
    expect(plain_page.locator("#link")).to_have_value(re.compile("seq_len=8192"))
    field(plain_page, "heads").fill("many")
    plain_page.get_by_role("button", name="Calculate").click()
    expect(plain_page.locator("#error-heads")).to_contain_text("whole number")
    expect(field(plain_page, "seq_len")).to_have_value("8192")


def test_without_javascript_solving_works(plain_page: Page) -> None:
    plain_page.goto(f"{SCORES}?batch=1&heads=2")
    plain_page.get_by_text("Solve for an input").click()
    plain_page.locator("#solve-for").select_option("seq_len")
    plain_page.locator("#solve-output").select_option("score_bytes")
    plain_page.locator("#solve-equals").fill("80 GB")
    plain_page.get_by_role("button", name="Solve").click()
    expect(plain_page.locator("#solution")).to_contain_text("100,000 gives 80 GB")


def test_keys_and_their_list(page: Page) -> None:
    page.goto(SCORES)
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("?")
    expect(page.locator("#keys")).to_be_hidden()


def test_the_link_is_copied(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(SCORES)
    page.get_by_role("button", name="Copy").first.click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("#link").input_value()


def test_the_index_is_searched_while_typing(page: Page) -> None:
    page.goto("/calculators")
    expect(page.locator("#found a")).to_have_count(len(calculators.all()))
    page.get_by_label("Find a calculator").press_sequentially("kv cache", delay=20)
    expect(page.locator("#found a", has_text="KV cache")).to_be_visible()
    expect(page.locator("#found a", has_text="Roofline")).to_have_count(0)


@pytest.mark.parametrize("width", [320, 390, 768, 1440])
def test_nothing_is_wider_than_the_window(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    for path in ("", *(f"/{each.slug}" for each in calculators.all())):
        page.goto(f"/calculators{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def late(route: Route) -> None:
    time.sleep(0.3)
    route.continue_()


def test_nothing_moves_while_the_fonts_arrive(page: Page) -> None:
    page.add_init_script(
        """
        window.shift = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
        }).observe({type: "layout-shift", buffered: true});
        """
    )
    page.route("**/*.woff2", late)
    page.goto(SCORES)
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(300)
    assert page.evaluate("window.shift") < 0.02
