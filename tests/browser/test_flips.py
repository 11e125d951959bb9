"""What flips a verdict is looked up when somebody looks, and follows the inputs while it is open."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser

EVEN = "flops=1e12&bytes=1e10&hardware=custom&peak_flops=200e12&hbm_bandwidth=1e12"


def test_flips_follow_the_inputs_while_they_are_open(page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/flips" in request.url else None)
    page.goto(f"/calculators/roofline?{EVEN}")
    page.locator("#input-bytes").fill("8e9")
    expect(page.locator("[data-key='out:time_memory']")).to_have_text("8 ms")
    assert not any("/flips?" in url for url in asked), "not while they are closed"

    page.get_by_role("link", name="What would flip that?").click()
    flips = page.locator("#flips")
    expect(flips.get_by_role("row", name=re.compile("Memory bandwidth"))).to_contain_text("1.6 TB/s")
    page.locator("#input-bytes").fill("1e9")
    expect(flips).to_contain_text("Limit that binds now: compute")
    bandwidth = flips.get_by_role("row", name=re.compile("Memory bandwidth"))
    expect(bandwidth).to_contain_text("199.9 GB/s")
    bandwidth.get_by_role("link").click()
    expect(page.locator("[data-key='out:bound']")).to_have_text("memory")
