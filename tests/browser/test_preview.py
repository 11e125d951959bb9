"""An author's evening: save, see, re-roll, try an answer."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Page, expect

from app.authoring.new_question import write
from app.authoring.preview import create_preview

pytestmark = pytest.mark.browser


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write("in-parts", "multi", "serving", tmp_path)


@pytest.fixture
def server(file: Path) -> Iterator[str]:
    """In place of the app's own: the preview of one file."""
    running = uvicorn.Server(uvicorn.Config(create_preview(file), port=0, log_config=None))
    thread = threading.Thread(target=running.run, daemon=True)
    thread.start()
    while not running.started:
        assert thread.is_alive(), "the preview did not start"
        thread.join(0.01)
    yield f"http://127.0.0.1:{running.servers[0].sockets[0].getsockname()[1]}"
    running.should_exit = True
    thread.join(10)


def test_the_page_follows_the_file(page: Page, file: Path) -> None:
    page.goto("/")
    text = file.read_text("utf-8")
    page.get_by_label("Your answer to a").fill("0.839 GB")
    page.get_by_label("Your answer to b").fill("59")
    page.get_by_role("button", name="Judge it").click()
    expect(page.get_by_role("region", name="Part b")).to_contain_text("b: right by the learner's own parts")
    page.get_by_label("Your answer to b").focus()
    file.write_text(text.replace("unit: GB, tolerance: 2%", "unit: GB, tolerance: 8%"), "utf-8")
    lint = page.get_by_label("Lint and values")
    expect(lint).to_contain_text("is graded right, though")
    expect(page.get_by_label("Your answer to b")).to_be_focused()
    expect(page.get_by_label("Your answer to b")).to_have_value("59")
    file.write_text(text, "utf-8")
    expect(lint).to_contain_text("No problems found.")
    before = lint.inner_text()
    page.get_by_role("link", name="Re-roll").click()
    page.wait_for_url("**/?seed=*")
    assert lint.inner_text() != before
