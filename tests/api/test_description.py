"""/openapi.json says what the API does, and its page loads nothing from elsewhere."""

import html
import re
from typing import Any

import pytest
from fastapi.testclient import TestClient

import calculators


@pytest.fixture
def document(client: TestClient) -> dict[str, Any]:
    described: dict[str, Any] = client.get("/openapi.json").json()
    return described


def test_it_has_the_routes_of_the_api_and_no_pages(document: dict[str, Any]) -> None:
    assert set(document["paths"]) == {
        "/api/v1/calculators",
        "/api/v1/calculators/{slug}",
        "/api/v1/calculators/{slug}/sweep",
        "/api/v1/calculators/{slug}/solve",
        "/api/v1/calculators/{slug}/flips",
        "/api/v1/quantities",
        "/api/v1/me",
        "/api/v1/me/progress",
        "/api/v1/me/attempts",
        "/api/v1/me/due",
        "/healthz",
        "/readyz",
    }


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    references = set(re.findall(r"#/components/schemas/(\w+)", str(document)))
    assert references == set(document["components"]["schemas"])


def test_it_names_the_calculators(document: dict[str, Any]) -> None:
    parameters = document["paths"]["/api/v1/calculators/{slug}"]["get"]["parameters"]
    slug = next(each for each in parameters if each["name"] == "slug")
    assert slug["schema"]["enum"] == [each.slug for each in calculators.all()]
    inputs = next(each for each in parameters if each["name"] == "inputs")
    assert inputs["schema"]["type"] == "object"


def test_refusals_are_described_as_problem_details(document: dict[str, Any]) -> None:
    for path in ("/api/v1/calculators/{slug}/solve", "/api/v1/quantities"):
        refused = document["paths"][path]["get"]["responses"]["422"]
        assert list(refused["content"]) == ["application/problem+json"]


def test_the_names_of_the_answers_are_those_that_are_sent(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    assert set(schemas["Solve"]["properties"]) == {
        "calculator",
        "version",
        "for",
        "unit",
        "target",
        "solutions",
        "notes",
    }


def test_the_page_shows_every_operation_and_each_example_works(client: TestClient) -> None:
    page = client.get("/api/docs")
    assert page.status_code == 200
    links = [html.unescape(link) for link in re.findall(r'(?:src|href)="([^"#]+)', page.text)]
    assert all(link.startswith("/") for link in links)
    examples = [link for link in links if link.startswith(("/api/v1", "/healthz"))]
    assert len(examples) == 11 + len(calculators.all())
    for example in examples:
        assert client.get(example).status_code == 200, example
