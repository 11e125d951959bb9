"""A real server on a free port and a real Chromium, one of each test's own but for the browser's process."""

import threading
from collections.abc import Iterator

import pytest
import uvicorn
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, sync_playwright

from app.bank.load import Bank
from app.main import create_app
from app.settings import Settings
from tests.conftest import CHROMIUM

ARGUMENTS = (
    "--no-sandbox",
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture
def server(app_settings: Settings, bank: Bank) -> Iterator[str]:
    """The address of a running server with an empty database."""
    config = uvicorn.Config(create_app(app_settings, bank=bank), port=0, log_config=None, lifespan="on")
    running = uvicorn.Server(config)
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    while not running.started:
        assert thread.is_alive(), "the server did not start"
        thread.join(0.01)
    port = running.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}"
    running.should_exit = True
    thread.join(10)


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


def _watched(page: Page, server: str) -> Iterator[Page]:
    """The page; afterwards nothing may have failed in it, broken its policy or asked another host."""
    failures: list[str] = []
    elsewhere: list[str] = []

    def on_console(message: ConsoleMessage) -> None:
        # A refused input is a 422, which Chromium logs as a resource that failed.
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            failures.append(message.text)

    def on_request(request: Request) -> None:
        if not request.url.startswith((server, "data:", "blob:")):
            elsewhere.append(request.url)

    page.on("console", on_console)
    page.on("pageerror", lambda error: failures.append(str(error)))
    page.on("request", on_request)
    yield page
    assert failures == []
    assert elsewhere == []


@pytest.fixture
def page(chromium: Browser, server: str) -> Iterator[Page]:
    """A page of a browser that nobody has used."""
    with chromium.new_context(base_url=server) as context:
        context.set_default_timeout(10_000)
        yield from _watched(context.new_page(), server)


@pytest.fixture
def plain_page(chromium: Browser, server: str) -> Iterator[Page]:
    """The same without JavaScript."""
    with chromium.new_context(base_url=server, java_script_enabled=False) as context:
        context.set_default_timeout(10_000)
        yield from _watched(context.new_page(), server)
