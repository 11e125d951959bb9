"""When a fragment is asked for."""

import pytest
from starlette.requests import Request

from app.pages.htmx import address_headers, wants_fragment


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


@pytest.mark.parametrize(
    ("current", "sent"),
    [
        ("http://127.0.0.1/calculators/ffn?v=1", {}),
        ("http://127.0.0.1/calculators/ffn?v=2", {"HX-Push-Url": "/calculators/ffn?v=1"}),
        ("", {"HX-Push-Url": "/calculators/ffn?v=1"}),
        ("http://[bad", {"HX-Push-Url": "/calculators/ffn?v=1"}),
    ],
)
def test_the_address_follows_where_it_is_another(current: str, sent: dict[str, str]) -> None:
    request = Request({"type": "http", "headers": [(b"hx-current-url", current.encode())]})
    assert address_headers(request, "/calculators/ffn?v=1") == sent
