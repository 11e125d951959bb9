"""When a fragment is asked for."""

import pytest
from starlette.requests import Request

from app.pages.htmx import wants_fragment


@pytest.mark.parametrize(
    ("headers", "fragment"),
    [
        ({}, False),
        ({"hx-request": "true"}, True),
        ({"hx-request": "false"}, False),
        ({"hx-request": "true", "hx-history-restore-request": "true"}, False),
    ],
)
def test_a_fragment_is_for_htmx_but_not_for_its_history(headers: dict[str, str], fragment: bool) -> None:
    raw = [(name.encode(), text.encode()) for name, text in headers.items()]
    assert wants_fragment(Request({"type": "http", "headers": raw})) is fragment
