"""Files that go out and come back, from the page."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

pytestmark = pytest.mark.browser


def test_what_is_under_way_is_said_and_what_came_of_it(page: Page, tmp_path: Path) -> None:
    page.goto("/account")
    state = page.locator("#exchange-state")
    held: list[Route] = []
    page.route("**/archive.json", lambda route: held.append(route), times=1)
    with page.expect_download() as archive:
        page.get_by_role("link", name="Everything, as an archive").click()
        expect(state).to_contain_text("Making the archive…")
        expect(state.locator("progress")).to_be_visible()
        held[0].continue_()
    expect(state).to_contain_text("is made, ")
    expect(state.locator("progress")).to_be_hidden()
    file = tmp_path / archive.value.suggested_filename
    archive.value.save_as(file)

    page.get_by_label("Import an archive").set_input_files(file)
    page.get_by_label("Replace what is here").check()
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_role("status").filter(has_text="Imported.")).to_be_visible()
