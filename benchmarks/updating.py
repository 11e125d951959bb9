"""From an input to its result on the page, in Chromium, beside a page of htmx that shows one product."""

import os
import shutil
from collections.abc import Iterator
from typing import Final

from playwright.sync_api import Page, sync_playwright

from benchmarks.comparing import Compared, Timed, in_turns
from benchmarks.servers import servers

GOAL: Final = 1.5
ROUNDS: Final = 40
ASKED: Final = {"attention-scores": "batch", "roofline": "bytes", "decode": "batch"}
ARGUMENTS: Final = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync")

# From the input event to the change of the document, by the page's own clock.
_CHANGE = """([field, target, value]) => new Promise((resolve) => {
  const input = document.querySelector(field);
  const observer = new MutationObserver(() => {
    observer.disconnect();
    resolve(performance.now() - begun);
  });
  observer.observe(document.querySelector(target), { childList: true, subtree: true, characterData: true });
  input.value = value;
  const begun = performance.now();
  input.dispatchEvent(new Event("input", { bubbles: true }));
})"""


def run() -> Iterator[Compared]:
    with servers({}) as both, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_chromium(), args=ARGUMENTS)
        bare = browser.new_page()
        bare.goto(both.floor)
        for slug, name in ASKED.items():
            page = browser.new_page()
            page.goto(f"{both.ours}/calculators/{slug}")
            floor = _timed(bare, "#a", "#product")
            ours = _timed(page, f"#input-{name}", "#results")
            yield Compared(f"show {slug}", *in_turns(floor, ours, ROUNDS), "ratio", GOAL)
            page.close()
        browser.close()


def _chromium() -> str:
    found = (
        os.environ.get("RIDGEWAY_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    )
    if not found:
        raise SystemExit("updating needs a Chromium: name one in RIDGEWAY_CHROMIUM")
    return found


def _timed(page: Page, field: str, target: str) -> Timed:
    number = 1

    def once() -> float:
        nonlocal number
        number += 1
        page.bring_to_front()
        page.wait_for_timeout(300)  # what the change before set going has come to rest
        milliseconds: float = page.evaluate(_CHANGE, [field, target, str(number)])
        return milliseconds / 1000

    return once
