"""Pinning and comparing, copying, embedding and solving, in a real browser."""

import http.server
import json
import re
import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

pytestmark = pytest.mark.browser

SCORES = "/calculators/attention-scores"
SPOKEN = "#announcement"


def row(page: Page, label: str) -> Locator:
    return page.locator(".compare tr", has=page.get_by_role("rowheader", name=label, exact=True)).locator(
        "td"
    )


def test_a_pin_stays_while_the_inputs_change_and_the_history_leads_through_it(page: Page) -> None:
    page.goto(SCORES)
    page.locator("#input-heads").fill("8")
    expect(page).to_have_url(re.compile("heads=8"))
    page.keyboard.press("Tab")
    page.locator("#pin-state").click()
    expect(page.locator(SPOKEN)).to_have_text("Pinned. Change an input to compare.")
    expect(page.get_by_role("region", name="Table of states")).to_be_in_viewport()
    expect(row(page, "Score matrix")).to_have_text(
        [re.compile("1 GiB"), re.compile("1 GiB.*same", re.DOTALL)]
    )
    expect(page).to_have_url(re.compile(r"pin=heads%3D8"))
    page.locator("#input-seq_len").fill("2048")
    expect(row(page, "Sequence length")).to_have_text(["1,024", "2,048"])
    expect(row(page, "Score matrix").last).to_have_text(re.compile(r"4 GiB\s*4×"))
    expect(page.locator("#input-seq_len")).to_be_focused()

    link = page.locator("#link").input_value()
    page.go_back()
    expect(row(page, "Score matrix").last).to_have_text(re.compile("1 GiB.*same", re.DOTALL))
    page.go_back()
    expect(page.locator(".compare table")).to_have_count(0)
    expect(page.locator("#input-heads")).to_have_value("8")
    page.goto(link)
    expect(row(page, "Sequence length")).to_have_text(["1,024", "2,048"])


def test_pins_are_named_moved_opened_and_unpinned(page: Page) -> None:
    page.goto(f"{SCORES}?seq_len=4096&pin=seq_len%3D512&pin=seq_len%3D2048")
    name = page.get_by_label("Name of pin 2")
    name.fill("two thousand")
    name.press("Enter")
    expect(page).to_have_url(re.compile(r"pin=seq_len%3D2048%26as%3Dtwo%2Bthousand"))
    expect(name).to_be_focused()
    page.get_by_role("button", name="Make two thousand the baseline").click()
    expect(row(page, "Sequence length")).to_have_text(["2,048", "512", "4,096"])
    page.get_by_label("Name of pin 2").fill("small")
    page.locator("#input-heads").focus()  # leaving the field is enough
    expect(page.get_by_role("button", name="Unpin small")).to_be_visible()
    page.get_by_role("link", name=re.compile("Open two thousand")).click()
    expect(page.locator("#input-seq_len")).to_have_value("2048")
    page.get_by_role("button", name="Unpin small").click()
    expect(row(page, "Score matrix")).to_have_count(2)


def test_each_press_of_a_button_is_a_step_of_the_history(page: Page) -> None:
    page.goto(SCORES)
    page.locator("#pin-add").click()
    expect(page).to_have_url(re.compile(r"\bpin="))
    page.get_by_role("button", name="Unpin Pin 1").click()
    expect(page.locator(".compare table")).to_have_count(0)
    page.go_back()
    expect(page.get_by_role("button", name="Unpin Pin 1")).to_be_visible()
    page.go_back()
    expect(page).to_have_url(re.compile(f"{SCORES}$"))


def test_pinning_without_javascript(plain_page: Page) -> None:
    plain_page.goto(SCORES)
    plain_page.locator("#input-seq_len").fill("4096")
    plain_page.get_by_role("button", name="Pin this state").first.click()
    expect(plain_page).to_have_url(re.compile(r"seq_len=4096&.*pin=seq_len%3D4096#compared$"))
    plain_page.locator("#input-seq_len").fill("8192")
    plain_page.get_by_role("button", name="Calculate").click()
    expect(row(plain_page, "Score matrix")).to_have_text(["32 GiB", re.compile(r"128 GiB\s*4×")])


def test_the_table_scrolls_in_its_own_place_on_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto("/calculators/decode?batch=4&" + "&".join(f"pin=batch%3D{batch}" for batch in (1, 2, 8, 16)))
    table = page.get_by_role("region", name="Table of states")
    assert table.evaluate("element => element.scrollWidth > element.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    expect(table).to_have_attribute("tabindex", "0")
    before = page.get_by_role("rowheader", name="Throughput").bounding_box()
    table.evaluate("element => { element.scrollLeft = 200; }")
    assert page.get_by_role("rowheader", name="Throughput").bounding_box() == before


def test_copying_says_so(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{SCORES}?seq_len=2048&pin=heads%3D2")
    read = "navigator.clipboard.readText()"
    page.keyboard.press("c")
    expect(page.locator(SPOKEN)).to_have_text("Link copied")
    assert "pin=heads%3D2" in page.evaluate(read)
    page.get_by_role("button", name="Copy as JSON").click()
    expect(page.locator(SPOKEN)).to_have_text("JSON copied")
    assert json.loads(page.evaluate(read))["outputs"]["score_bytes"]["value"] == 8 * 2**30
    page.get_by_role("button", name="Copy as command").click()
    expect(page.locator(SPOKEN)).to_have_text("Command copied")
    assert page.evaluate(read).startswith("ridgeway calc attention-scores batch=32")


def test_without_a_clipboard_the_text_is_selected(page: Page) -> None:
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined });")
    page.goto(SCORES)
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("#copy-remark")).to_contain_text("press Ctrl+C")
    assert page.evaluate("getSelection().toString()") == page.locator("#link").input_value()
    page.get_by_role("button", name="Copy as JSON").click()
    expect(page.locator("#json")).to_be_visible()
    assert json.loads(page.evaluate("getSelection().toString()"))["calculator"] == "attention-scores"


def test_a_solution_can_be_used(page: Page) -> None:
    page.goto(f"{SCORES}?batch=1&heads=2&pin=heads%3D2")
    page.get_by_text("Solve for an input").click()
    page.get_by_label("Find", exact=True).select_option("seq_len")
    page.get_by_label("so that").select_option("score_bytes")
    page.get_by_label("equals").fill("80GB")
    page.get_by_label("equals").press("Enter")
    page.get_by_role("link", name="Use 100,000").click()
    expect(page.locator("#input-seq_len")).to_have_value("100000")
    expect(page.locator("[data-key='second:score_bytes']")).to_have_text("80 GB")
    expect(page.locator(".compare table")).to_be_visible()


@pytest.fixture
def elsewhere(server: str) -> Iterator[str]:
    """The address of a page of another origin that frames an embedding and, beside it, the page itself."""
    text = f"""<!doctype html><title>A wiki</title>
        <iframe name="embedded" src="{server}{SCORES}/embed?heads=8" width="700" height="600"></iframe>
        <iframe name="whole" src="{server}{SCORES}" width="700" height="600"></iframe>"""

    class Wiki(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Wiki) as wiki:
        threading.Thread(target=wiki.serve_forever, daemon=True).start()
        yield f"http://localhost:{wiki.server_port}"
        wiki.shutdown()


def test_a_page_of_another_origin_frames_an_embedding_and_nothing_else(
    chromium: Browser, server: str, elsewhere: str
) -> None:
    with chromium.new_context() as context:
        page = context.new_page()
        refused: list[str] = []
        page.on("console", lambda message: refused.append(message.text) if message.type == "error" else None)
        page.goto(elsewhere)
        frame = page.frame_locator("iframe[name=embedded]")
        expect(frame.locator("[data-key='out:score_bytes']")).to_have_text("1 GiB")
        frame.locator("#input-seq_len").fill("2048")
        expect(frame.locator("[data-key='out:score_bytes']")).to_have_text("4 GiB")
        expect(frame.locator("#whole")).to_have_attribute("href", re.compile("heads=8&seq_len=2048"))
        assert (
            page.evaluate("history.length") == 2
        )  # what is typed in a frame is no step of the page's history
        assert context.cookies() == []
        with context.expect_page() as opened:
            frame.locator("#whole").click()
        expect(opened.value.locator("[data-key='out:score_bytes']")).to_have_text("4 GiB")
        whole = page.frame("whole")
        assert whole is not None
        assert whole.locator("main").count() == 0
        assert all("frame-ancestors 'none'" in text for text in refused)
        assert len(refused) == 1
