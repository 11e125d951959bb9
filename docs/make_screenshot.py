"""Makes the README's picture: python docs/make_screenshot.py, with a server running on port 8000."""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

BASE = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"
TARGET = Path(__file__).with_name("question-page.png")

with sync_playwright() as playwright:
    browser = playwright.chromium.launch(
        executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
    )
    page = browser.new_page(viewport={"width": 1440, "height": 1000})
    page.goto(f"{BASE}/questions/attention-matrix-memory")
    page.get_by_label("Your answer").fill("2 GiB")
    page.get_by_role("button", name="Check the answer").click()
    page.get_by_role("button", name="Reveal the answer").click()
    page.get_by_label("Sequence length", exact=False).first.fill("8192")
    page.wait_for_timeout(700)
    page.evaluate("scrollTo(0, 0)")
    page.screenshot(path=TARGET)
    browser.close()
