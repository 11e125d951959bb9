"""The live answer: change an input and every number follows, with the address behind it."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

pytestmark = pytest.mark.browser

ATTENTION = "/questions/attention-matrix-memory"
CHANGED = re.compile(r"\bchanged\b")


@pytest.fixture
def revealed(page: Page) -> Page:
    """The page of the question with its answer revealed, 2 GiB having been the answer."""
    page.goto(ATTENTION)
    page.get_by_label("Your answer").fill("2 GiB")
    page.keyboard.press("Enter")
    expect(page.locator("#verdict")).to_contain_text("✓ Right.")
    page.get_by_role("button", name="Reveal the answer").click()
    expect(page.get_by_role("heading", name="Model answer")).to_be_focused()
    return page


def param(page: Page, name: str) -> Locator:
    return page.locator(f"#param-{name}")


def result(page: Page, key: str) -> Locator:
    return page.locator(f"[data-key='{key}']")


def retype(field: Locator, text: str) -> None:
    field.press("Control+a")
    field.press_sequentially(text, delay=30)


def test_every_number_follows_and_is_marked_for_a_moment(revealed: Page) -> None:
    page = revealed
    expect(page.locator("#live-answer")).to_contain_text("2 GiB, or 2.15 GB in powers of ten")
    retype(param(page, "seq_len"), "8192")
    expect(page.locator("#live-answer")).to_contain_text("128 GiB, or 137 GB in powers of ten")
    expect(page.locator("#live-prompt")).to_contain_text("sequences of 8,192 tokens")
    expect(result(page, "scores.score_bytes")).to_have_text("128 GiB")
    expect(page.locator("#live-answer .num").first).to_have_class(CHANGED)
    expect(result(page, "scores.score_bytes")).to_have_class(CHANGED)
    expect(result(page, "scores.score_bytes-substituted")).to_contain_text("34,359,738,368")
    expect(page.locator("#live-answer .num").first).not_to_have_class(CHANGED)
    expect(param(page, "seq_len")).to_be_focused()
    expect(page.locator("#live-variant")).to_contain_text("edited")
    expect(page.locator("#verdict")).to_contain_text("sequence length 1,024")


def test_the_wording_follows_too(revealed: Page) -> None:
    page = revealed
    expect(page.locator("#live-answer")).not_to_contain_text("what one NVIDIA H100 SXM holds")
    retype(param(page, "seq_len"), "8192")
    expect(page.locator("#live-answer")).to_contain_text("1.72× what one NVIDIA H100 SXM holds")
    param(page, "hardware").select_option("a100-80gb-sxm")
    expect(page.locator("#live-answer")).to_contain_text("what one NVIDIA A100 80 GB SXM holds")


def test_the_address_follows_and_back_returns(revealed: Page) -> None:
    page = revealed
    retype(param(page, "seq_len"), "8192")
    expect(page).to_have_url(re.compile(rf"{ATTENTION}\?v=1&seed=0&seq_len=8192$"))
    param(page, "dtype").select_option("bf16")
    expect(page).to_have_url(re.compile(r"seq_len=8192&dtype=bf16$"))
    expect(result(page, "scores.score_bytes")).to_have_text("64 GiB")
    page.go_back()
    expect(result(page, "scores.score_bytes")).to_have_text("128 GiB")
    expect(param(page, "dtype")).to_have_value("fp32")
    page.go_back()
    expect(result(page, "scores.score_bytes")).to_have_text("2 GiB")
    expect(param(page, "seq_len")).to_have_value("1024")
    page.go_forward()
    expect(result(page, "scores.score_bytes")).to_have_text("128 GiB")


def test_a_slider_types_its_value_in(revealed: Page) -> None:
    page = revealed
    slider = page.get_by_role("slider", name="Sequence length, slider")
    slider.focus()
    slider.press("ArrowRight")
    expect(param(page, "seq_len")).to_have_value("1536")
    expect(page).to_have_url(re.compile(r"seq_len=1536$"))
    expect(slider).to_have_attribute("aria-valuetext", "1536")
    slider.press("End")
    expect(param(page, "seq_len")).to_have_value("1048576")
    expect(result(page, "scores.score_bytes")).to_have_text("2 PiB")
    expect(slider).to_be_focused()
    page.go_back()
    expect(param(page, "seq_len")).to_have_value("1536")


def test_dragging_is_one_step_of_the_history(revealed: Page) -> None:
    page = revealed
    box = page.get_by_role("slider", name="Sequence length, slider").bounding_box()
    assert box
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.5, middle)
    page.mouse.down()
    for share in (0.55, 0.6, 0.65, 0.7):
        before = param(page, "seq_len").input_value()
        page.mouse.move(box["x"] + box["width"] * share, middle)
        expect(page).not_to_have_url(re.compile(f"seq_len={before}$"))
    page.mouse.up()
    dragged = param(page, "seq_len").input_value()
    expect(page).to_have_url(re.compile(f"seq_len={dragged}$"))
    page.go_back()
    expect(param(page, "seq_len")).to_have_value("1024")


def test_a_refused_value_is_told_at_its_field_and_nothing_else_changes(revealed: Page) -> None:
    page = revealed
    retype(param(page, "batch"), "8")
    expect(result(page, "scores.score_bytes")).to_have_text("512 MiB")
    retype(param(page, "seq_len"), "many")
    expect(page.locator("#param-seq_len-error")).to_contain_text("seq_len is “many”")
    expect(param(page, "seq_len")).to_have_attribute("aria-invalid", "true")
    expect(param(page, "batch")).to_have_value("8")
    expect(result(page, "scores.score_bytes")).to_have_text("512 MiB")
    expect(page).to_have_url(re.compile(r"batch=8$"))
    retype(param(page, "seq_len"), "2048")
    expect(page.locator("#param-seq_len-error")).to_be_empty()
    expect(result(page, "scores.score_bytes")).to_have_text("2 GiB")


def test_a_copied_link_shows_the_same_numbers_with_the_answer_hidden(
    revealed: Page, chromium: Browser, server: str
) -> None:
    page = revealed
    retype(param(page, "seq_len"), "8192")
    expect(page).to_have_url(re.compile("seq_len=8192$"))
    link = page.locator("#share-link").input_value()
    assert link == page.url
    with chromium.new_context(base_url=server) as elsewhere:
        other = elsewhere.new_page()
        other.goto(link)
        expect(other.locator("#live-prompt")).to_contain_text("sequences of 8,192 tokens")
        assert "128 GiB" not in other.content()
        other.get_by_role("button", name="Reveal the answer").click()
        expect(other.locator("#live-answer")).to_contain_text("128 GiB, or 137 GB")
        expect(other.locator("#param-seq_len")).to_have_value("8192")


def test_the_calculator_opens_in_the_same_state(revealed: Page) -> None:
    page = revealed
    retype(param(page, "seq_len"), "8192")
    expect(result(page, "scores.score_bytes")).to_have_text("128 GiB")
    page.get_by_role("link", name="Open calculator").first.click()
    expect(page.locator("#input-seq_len")).to_have_value("8192")
    expect(page.locator("[data-key='out:score_bytes']")).to_have_text("128 GiB")


def test_rating_leaves_the_edited_numbers_alone(revealed: Page) -> None:
    page = revealed
    retype(param(page, "seq_len"), "8192")
    expect(result(page, "scores.score_bytes")).to_have_text("128 GiB")
    page.locator("#rate-3").click()
    expect(page.locator("#rating")).to_contain_text("Rated Good.")
    expect(result(page, "scores.score_bytes")).to_have_text("128 GiB")
    expect(page).to_have_url(re.compile("seq_len=8192$"))


def test_unfolded_calculations_stay_unfolded(revealed: Page) -> None:
    page = revealed
    page.locator("#more-calculations > summary").click()
    expect(result(page, "doubled.score_bytes")).to_have_text("8 GiB")
    retype(param(page, "seq_len"), "8192")
    expect(result(page, "doubled.score_bytes")).to_have_text("512 GiB")
    expect(result(page, "doubled.score_bytes")).to_be_visible()


def test_a_screen_reader_hears_the_verdict_once_and_then_the_changes(revealed: Page) -> None:
    page = revealed
    spoken = page.locator("#announcement")
    retype(param(page, "seq_len"), "8192")
    expect(spoken).to_have_text(re.compile("Score matrix 128 GiB"))
    expect(spoken).not_to_contain_text("Right")
    page.locator("#rate-3").click()
    expect(spoken).to_contain_text("Rated Good.")
