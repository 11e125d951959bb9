"""Plots in a real browser. That none of it breaks the page's policy is asserted after every test."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, Position, expect

pytestmark = pytest.mark.browser

SCORES = "/calculators/attention-scores"


def over(page: Page) -> Locator:
    """The area of the lines."""
    area = page.locator(".plot-stage .u-over")
    area.scroll_into_view_if_needed()
    return area


def at(page: Page, share: float) -> Position:
    """A place on the area, this share of its width from the left."""
    box = over(page).bounding_box()
    assert box is not None
    return {"x": box["width"] * share, "y": box["height"] / 2}


def columns(page: Page, text: str) -> list[str]:
    """The numbers of the table's row that begins with this one."""
    row = page.locator(".plot-table tbody tr").filter(
        has=page.locator("th .num", has_text=re.compile(f"^{text}$"))
    )
    return row.locator("td .num").all_text_contents()


def field(page: Page, name: str) -> Locator:
    return page.locator(f"#input-{name}")


def test_hovering_shows_the_values_that_the_table_has(page: Page) -> None:
    page.goto(SCORES)
    where = page.locator(".plot-at")
    expect(where).to_have_text("Sequence length 1,024 now")
    over(page).hover(position=at(page, 0.8))
    expect(where).not_to_contain_text("now")
    text = page.locator(".plot-at .num").text_content() or ""
    assert page.locator(".plot-legend .plot-value").all_text_contents() == columns(page, text)
    page.mouse.move(0, 0)
    expect(where).to_have_text("Sequence length 1,024 now")


def test_a_click_sets_the_input_and_results_and_plot_follow(page: Page) -> None:
    page.goto(SCORES)
    over(page).click(position=at(page, 0.998))
    expect(field(page, "seq_len")).to_have_value("32768")
    expect(page.locator("[data-key='out:score_bytes']")).to_have_text("2 TiB")
    expect(page).to_have_url(re.compile(r"seq_len=32768\b(?!.*plot)"))
    page.mouse.move(0, 0)
    expect(page.locator(".plot-at")).to_have_text("Sequence length 32,768 now")
    expect(page.locator(".plot-stage canvas")).to_have_count(1)
    page.go_back()
    expect(field(page, "seq_len")).to_have_value("1024")


def test_the_keys_do_what_the_mouse_does(page: Page) -> None:
    page.goto(SCORES)
    stage = page.get_by_role("slider", name="Score matrix over sequence length")
    expect(stage).to_have_attribute("aria-valuetext", re.compile("1,024, now: Score matrix 2 GiB"))
    stage.focus()
    stage.press("ArrowRight")
    expect(stage).to_have_attribute("aria-valuetext", re.compile("1,280: Score matrix 3.13 GiB"))
    stage.press("End")
    stage.press("Enter")
    expect(field(page, "seq_len")).to_have_value("32768")
    expect(page.locator("[data-key='out:score_bytes']")).to_have_text("2 TiB")
    expect(stage).to_be_focused()


def test_a_finger_looks_first_and_then_sets(chromium: Browser, server: str) -> None:
    with chromium.new_context(
        base_url=server, has_touch=True, viewport={"width": 390, "height": 800}
    ) as context:
        page = context.new_page()
        page.goto(SCORES)
        over(page).tap(position=at(page, 0.75))
        expect(page.locator(".plot-at")).not_to_contain_text("now")
        expect(field(page, "seq_len")).to_have_value("1024")
        button = page.locator(".plot-set")
        value = (button.text_content() or "").removeprefix("Set to ")
        button.tap()
        expect(field(page, "seq_len")).to_have_value(value)
        expect(page.locator(".plot-set")).to_be_hidden()


def test_choices_are_in_the_link_which_brings_them_back(page: Page) -> None:
    page.goto("/calculators/decode")
    page.locator("#plot-lines").select_option("dtype")
    expect(page.locator(".plot-legend .curve")).to_have_count(6)
    page.locator("#plot-over").select_option("context")
    expect(page).to_have_url(re.compile(r"plot=context:tokens_per_second:dtype$"))
    page.get_by_text("Axes and range").click()
    page.locator("#plot-to").fill("many")
    page.locator("#plot-to").press("Tab")
    expect(page.locator("#error-plot-to")).to_contain_text("to is “many”")
    page.locator("#plot-to").fill("128Ki")
    page.locator("#plot-x").select_option("linear")
    expect(page.locator("#error-plot-to")).to_be_empty()
    expect(page).to_have_url(re.compile(r"plot=context:tokens_per_second:dtype:linear:::128Ki$"))
    expect(page.locator("#link")).to_have_value(
        re.compile(r"plot=context:tokens_per_second:dtype:linear:::128Ki$")
    )
    expect(page.locator(".plot-table tbody tr").last).to_contain_text("131,072")
    shown = page.locator(".plot-table").text_content()

    page.goto(page.locator("#link").input_value())
    assert page.locator(".plot-table").text_content() == shown
    expect(page.locator("#plot-x")).to_have_value("linear")
    expect(page.locator(".plot-stage canvas")).to_be_visible()
    page.go_back()
    expect(page.locator("#plot-to")).to_have_value("many")
    expect(page.locator("#error-plot-to")).to_contain_text("to is “many”")


def test_a_refused_input_leaves_the_plot_and_a_new_scheme_redraws_it(page: Page) -> None:
    page.goto(SCORES)
    says = page.locator(".plot-says").text_content() or ""
    field(page, "heads").fill("many")
    expect(page.locator("#error-heads")).not_to_be_empty()
    expect(page.locator(".plot-says")).to_have_text(says)
    field(page, "heads").fill("32")
    expect(page.locator(".plot-says")).not_to_have_text(says)
    page.emulate_media(color_scheme="dark")
    expect(page.locator(".plot-stage")).to_have_class(re.compile("drawn-dark"))
    page.set_viewport_size({"width": 700, "height": 800})
    expect(page.locator(".plot-stage canvas")).to_have_count(1)
    stage = page.locator(".plot-stage").bounding_box()
    drawn = page.locator(".plot-stage .uplot").bounding_box()
    assert stage is not None
    assert drawn is not None
    assert stage["width"] == pytest.approx(drawn["width"], abs=1)


def test_without_javascript_there_is_the_table(plain_page: Page) -> None:
    plain_page.goto(SCORES)
    expect(plain_page.locator(".plot-table td").first).to_be_visible()
    expect(plain_page.locator(".plot-stage")).to_be_hidden()
    plain_page.locator("#plot-over").select_option("batch")
    plain_page.get_by_role("button", name="Draw").click()
    expect(plain_page).to_have_url(re.compile(r"plot=batch:score_bytes$"))
    assert columns(plain_page, "32") == ["2 GiB", "2 MiB"]


def test_beside_a_model_answer_it_follows_the_numbers_and_sets_them(page: Page) -> None:
    page.goto("/questions/attention-matrix-memory")
    page.get_by_role("button", name="Reveal the answer").click()
    where = page.locator(".plot-at")
    expect(where).to_have_text("Sequence length 1,024 now")
    page.locator("#param-seq_len").fill("4096")
    expect(where).to_have_text("Sequence length 4,096 now")
    over(page).click(position=at(page, 0.998))
    expect(page.locator("#param-seq_len")).to_have_value("32768")
    expect(page.locator("#live-answer")).to_contain_text("2,048 GiB")
    expect(page).to_have_url(re.compile(r"seq_len=32768\b"))
    expect(page.locator(".plot-stage canvas")).to_have_count(1)
