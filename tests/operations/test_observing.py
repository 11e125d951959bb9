"""Each request has an id, is counted and logged, by the template of its route and nothing that it holds."""

import json
import logging
from collections.abc import Iterator
from io import StringIO
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from app.bank.load import Bank
from app.main import create_app
from app.operations.logs import formatter
from app.settings import Settings


@pytest.fixture
def app(app_settings: Settings, bank: Bank) -> FastAPI:
    app = create_app(app_settings, bank=bank)

    @app.get("/links/{token}")
    def link(token: str) -> None:
        logging.getLogger("somewhere").warning("inside")

    @app.get("/fails/{token}")
    def fail(token: str) -> None:
        raise RuntimeError("out of order")

    return app


@pytest.fixture
def client(app: FastAPI) -> TestClient:
    return TestClient(app, base_url="http://127.0.0.1", client=("127.0.0.1", 4711))


@pytest.fixture
def log() -> Iterator[StringIO]:
    """Everything that is logged, as JSON."""
    written = StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(formatter("json"))
    root, requests = logging.getLogger(), logging.getLogger("ridgeway.requests")
    root.addHandler(handler)
    requests.setLevel(logging.INFO)
    yield written
    root.removeHandler(handler)
    requests.setLevel(logging.NOTSET)


def lines(log: StringIO, logger: str = "ridgeway.requests") -> list[dict[str, Any]]:
    found = map(json.loads, log.getvalue().splitlines())
    return [line for line in found if line["logger"] == logger]


class TestTheId:
    @pytest.mark.parametrize("given", ["0123456789abcdef", "a.b_c-12"])
    def test_one_that_a_proxy_gave_goes_on(self, client: TestClient, given: str) -> None:
        assert client.get("/healthz", headers={"X-Request-Id": given}).headers["x-request-id"] == given

    @pytest.mark.parametrize("given", ["", "short", "x" * 65, "with space", "new\tline12345", "<script>12"])
    def test_another_is_made_where_that_cannot_be_one(self, client: TestClient, given: str) -> None:
        made = client.get("/healthz", headers={"X-Request-Id": given}).headers["x-request-id"]
        assert made != given
        assert len(made) == 16

    def test_an_error_page_tells_it(self, client: TestClient) -> None:
        answer = client.get("/fails/1", headers={"Accept": "text/html"})
        assert answer.status_code == 500
        assert answer.headers["x-request-id"] in answer.text


class TestTheLog:
    def test_has_a_line_for_each_request(self, client: TestClient, log: StringIO) -> None:
        client.get("/links/s3cret?token=s3cret", headers={"X-Request-Id": "0123456789"})
        [line] = lines(log)
        assert line.pop("message") == f"GET /links/{{token}} 200 in {line['seconds']:.4f} s"
        assert 0 <= line.pop("seconds") < 60
        assert line.pop("time").endswith("+00:00")
        assert line == {
            "level": "info",
            "logger": "ridgeway.requests",
            "request_id": "0123456789",
            "method": "GET",
            "route": "/links/{token}",
            "status": 200,
            "client": "127.0.0.1",
        }

    def test_other_lines_of_a_request_name_it_too(self, client: TestClient, log: StringIO) -> None:
        client.get("/links/1", headers={"X-Request-Id": "0123456789"})
        [line] = lines(log, "somewhere")
        assert line["request_id"] == "0123456789"

    @pytest.mark.parametrize(
        ("method", "path", "route"),
        [
            ("HEAD", "/links/s3cret", "/links/{token}"),
            ("GET", "/s3cret", "unmatched"),
            ("GET", "/calculators/roofline?flops=12345", "/calculators/{slug}"),
            ("GET", "/api/v1/calculators/roofline?flops=12345", "/api/v1/calculators/{slug}"),
            ("S3CRET", "/s3cret", "unmatched"),
        ],
    )
    def test_holds_no_part_of_the_address(
        self, client: TestClient, log: StringIO, method: str, path: str, route: str
    ) -> None:
        client.request(method, path)
        [line] = lines(log)
        assert line["route"] == route
        assert "s3cret" not in str(line).lower()
        assert "12345" not in str(line)

    def test_a_failure_is_logged_with_its_trace_and_without_the_address(
        self, client: TestClient, log: StringIO
    ) -> None:
        client.get("/fails/s3cret")
        [line] = lines(log, "app.errors")
        assert "RuntimeError: out of order" in line["exception"]
        assert "/fails/{token}" in line["message"]
        assert "s3cret" not in str(line)

    def test_nobody_logs_what_a_probe_asks(self, client: TestClient, log: StringIO) -> None:
        client.get("/healthz")
        client.get("/static/css/base.css")
        assert lines(log) == []


class TestFormats:
    def record(self, message: str) -> logging.LogRecord:
        told = "duplicate key\nDETAIL:  Key (login)=(me@example.com) already exists."
        try:
            raise ValueError(told)
        except ValueError as error:
            info = (ValueError, error, error.__traceback__)
        return logging.LogRecord("name", logging.ERROR, "file", 1, message, None, info)

    @pytest.mark.parametrize("name", ["text", "json"])
    def test_what_a_database_tells_of_values_is_left_out(self, name: str) -> None:
        text = formatter(name).format(self.record("failed"))
        assert "duplicate key" in text
        assert "me@example.com" not in text

    def test_json_is_one_line(self) -> None:
        assert "\n" not in formatter("json").format(self.record("two\nlines"))
