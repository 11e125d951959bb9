"""Headers on every answer, the Host check, the CSRF check and the limits of size."""

import pytest
from fastapi import FastAPI, Request
from fastapi.testclient import TestClient

from app.bank.load import Bank
from app.main import create_app
from app.security import CONTENT_SECURITY_POLICY, MAX_BODY_BYTES, MAX_QUERY_BYTES
from app.settings import Settings

PAGES = ("/calculators", "/calculators/roofline", "/nothing-here", "/api/docs")
FILES = ("/api/v1/calculators", "/static/css/base.css")


def started(settings: Settings, bank: Bank) -> TestClient:
    """A client of an app that also has a route which changes something and one which fails."""
    app: FastAPI = create_app(settings, bank=bank)

    @app.post("/changes")
    async def change(request: Request) -> dict[str, int]:
        return {"bytes": len(await request.body())}

    @app.get("/fails")
    def fail() -> None:
        raise RuntimeError("a secret of the server")

    @app.get("/api/v1/fails")
    def fail_as_json() -> None:
        raise RuntimeError("a secret of the server")

    return TestClient(app, base_url="http://127.0.0.1:8000")


@pytest.fixture
def client(app_settings: Settings, bank: Bank) -> TestClient:
    return started(app_settings, bank)


@pytest.mark.parametrize("path", [*PAGES, *FILES, "/fails"])
def test_every_answer_carries_the_security_headers(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    assert headers["content-security-policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "camera=()" in headers["permissions-policy"]


def test_the_policy_allows_nothing_inline_and_no_other_host() -> None:
    assert "unsafe" not in CONTENT_SECURITY_POLICY
    assert "http" not in CONTENT_SECURITY_POLICY


@pytest.mark.parametrize("path", PAGES)
def test_no_page_has_an_inline_script_or_style(client: TestClient, path: str) -> None:
    text = client.get(path).text
    assert "<style" not in text
    assert " style=" not in text
    assert "javascript:" not in text
    tags = [tag.split(">")[0] for tag in text.split("<script")[1:]]
    assert all(" src=" in tag or 'type="application/json"' in tag for tag in tags)  # data is no script


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:8000", "localhost:1234", "LOCALHOST", "[::1]:8000"])
def test_the_hosts_of_this_machine_are_answered(client: TestClient, host: str) -> None:
    assert client.get("/calculators", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "192.0.2.1", "", "local host", "a@localhost"]
)
def test_another_host_is_refused_without_being_repeated(client: TestClient, host: str) -> None:
    answer = client.get("/calculators", headers={"Host": host})
    assert answer.status_code == 400
    assert "evil" not in answer.text
    assert "RIDGEWAY_BASE_URL" in answer.text


def test_the_host_of_the_base_url_is_answered(app_settings: Settings, bank: Bank) -> None:
    settings = app_settings.model_copy(update={"base_url": "https://ridgeway.example"})
    client = started(settings, bank)
    assert client.get("/calculators", headers={"Host": "ridgeway.example"}).status_code == 200
    sent = client.post("/changes", headers={"Host": "ridgeway.example", "Origin": "https://ridgeway.example"})
    assert sent.status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none"},
        {"Origin": "http://127.0.0.1:8000"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "http://evil.example"},
    ],
)
def test_a_change_from_a_page_of_ours_or_no_browser_is_allowed(
    client: TestClient, headers: dict[str, str]
) -> None:
    assert client.post("/changes", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://127.0.0.1:8000"},
        {"Origin": "http://evil.example"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Origin": "null"},
        {"Origin": "http://[evil"},
        {"Origin": "127.0.0.1:8000"},
    ],
)
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_a_change_from_another_site_is_refused(
    client: TestClient, method: str, headers: dict[str, str]
) -> None:
    assert client.request(method, "/changes", headers=headers).status_code == 403


def test_a_link_from_another_site_may_be_followed(client: TestClient) -> None:
    assert client.get("/calculators", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200


def test_a_body_up_to_the_limit_is_read(client: TestClient) -> None:
    assert client.post("/changes", content=b"x" * MAX_BODY_BYTES).json() == {"bytes": MAX_BODY_BYTES}


@pytest.mark.parametrize("chunked", [False, True])
def test_a_larger_body_is_refused(
    client: TestClient, chunked: bool, caplog: pytest.LogCaptureFixture
) -> None:
    body = b"x" * (MAX_BODY_BYTES + 1)
    sent = client.post("/changes", content=iter([body[:-1], body[-1:]]) if chunked else body)
    assert sent.status_code == 413
    assert "too large" in sent.text
    assert sent.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
    assert not caplog.records


def test_a_larger_body_of_another_site_is_refused_as_such(client: TestClient) -> None:
    body = b"x" * (MAX_BODY_BYTES + 1)
    assert client.post("/changes", content=body, headers={"Origin": "http://evil.example"}).status_code == 403


def test_a_larger_form_and_a_larger_draft_are_refused(client: TestClient) -> None:
    question = "/questions/attention-matrix-memory"
    form = iter([b"answer=", b"x" * MAX_BODY_BYTES])
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    assert client.post(f"{question}/answer", content=form, headers=kind).status_code == 413
    draft = iter([b"[", b"1," * MAX_BODY_BYTES])
    kind = {"Content-Type": "application/json"}
    assert client.put(f"{question}/draft", content=draft, headers=kind).status_code == 413


@pytest.mark.parametrize("length", [MAX_QUERY_BYTES, 60_000])
@pytest.mark.parametrize("path", ["/calculators/roofline", "/api/v1/calculators/roofline"])
def test_a_longer_query_is_refused(client: TestClient, path: str, length: int) -> None:
    answer = client.get(f"{path}?flops={'9' * length}")
    assert answer.status_code == 414
    assert len(answer.content) < 10_000


def test_a_failure_shows_a_request_id_and_nothing_of_the_server(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    answer = client.get("/fails")
    assert answer.status_code == 500
    assert "secret" not in answer.text
    request_id = caplog.messages[-1].split()[1]
    assert request_id in answer.text
    assert "RuntimeError" in caplog.text


def test_a_failure_of_the_api_is_problem_details(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    answer = client.get("/api/v1/fails")
    assert answer.status_code == 500
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["request_id"] in caplog.text
    assert "secret" not in answer.text
