"""Errors as pages for people and as problem details for programs."""

import pytest
from fastapi.testclient import TestClient


def test_a_page_that_is_not_there(client: TestClient) -> None:
    answer = client.get("/nothing-here", headers={"Accept": "text/html"})
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert "<h1>Not Found</h1>" in answer.text


@pytest.mark.parametrize(
    ("path", "accept"),
    [
        ("/api/v1/nothing-here", "text/html"),
        ("/nothing-here", "application/json"),
        ("/nothing-here", "application/problem+json"),
    ],
)
def test_the_api_and_who_reads_json_get_problem_details(client: TestClient, path: str, accept: str) -> None:
    answer = client.get(path, headers={"Accept": accept})
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert (problem["type"], problem["title"], problem["status"]) == ("about:blank", "Not Found", 404)


def test_a_method_that_is_not_allowed_names_those_that_are(client: TestClient) -> None:
    answer = client.post("/calculators")
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET"
    assert "<h1>Method Not Allowed</h1>" in answer.text


def test_a_request_that_does_not_validate_names_the_field(client: TestClient) -> None:
    answer = client.get("/api/v1/quantities")
    assert answer.status_code == 422
    assert {problem["field"] for problem in answer.json()["errors"]} == {"text", "family"}


def test_static_files_are_kept_for_good_under_their_hash(client: TestClient) -> None:
    page = client.get("/calculators").text
    address = page.split('rel="stylesheet" href="')[1].split('"')[0]
    assert "immutable" in client.get(address).headers["cache-control"]
    bare = client.get(address.partition("?")[0])
    assert bare.headers["cache-control"] == "no-cache"
    again = client.get(address.partition("?")[0], headers={"If-None-Match": bare.headers["etag"]})
    assert again.status_code == 304


@pytest.mark.parametrize(
    "path", ["/static/../app/main.py", "/static/%2e%2e/app/main.py", "/static//etc/passwd"]
)
def test_nothing_outside_the_static_folder_is_served(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_pages_are_never_kept_by_a_cache(client: TestClient) -> None:
    assert client.get("/calculators").headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["/calculators", "/calculators/nope", "/healthz", "/static/css/base.css"])
def test_head_is_answered_as_get_without_a_body(client: TestClient, path: str) -> None:
    got, head = client.get(path), client.head(path)
    assert head.status_code == got.status_code
    assert head.content == b""
    assert head.headers["content-type"] == got.headers["content-type"]
