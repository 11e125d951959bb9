"""The echo of a typed quantity."""

import pytest
from fastapi.testclient import TestClient

PATH = "/api/v1/quantities"


def test_a_quantity_is_read(client: TestClient) -> None:
    answer = client.get(f"{PATH}?text=34.4%20GB&family=bytes")
    assert answer.status_code == 200
    assert answer.json() == {
        "value": 34400000000,
        "base_unit": "B",
        "read_unit": "GB",
        "reading": "34.4 GB",
    }


def test_a_bare_number_takes_the_unit_that_is_asked_for(client: TestClient) -> None:
    assert client.get(PATH, params={"text": "2", "family": "bytes"}).json()["value"] == 2
    assert client.get(PATH, params={"text": "2", "family": "bytes", "unit": "GiB"}).json()["value"] == 2**31


@pytest.mark.parametrize(
    ("text", "says"),
    [("2 G", "GiB"), ("1,5", "."), ("nan", "number"), ("1e999", ""), ("", ""), ("9" * 70, "64")],
)
def test_what_cannot_be_read_says_what_to_type(client: TestClient, text: str, says: str) -> None:
    answer = client.get(PATH, params={"text": text, "family": "bytes"})
    assert answer.status_code == 422
    [problem] = answer.json()["errors"]
    assert problem["field"] == "text"
    assert says in problem["message"]


def test_an_unknown_family_lists_those_there_are(client: TestClient) -> None:
    answer = client.get(PATH, params={"text": "1", "family": "length"})
    assert answer.status_code == 422
    [problem] = answer.json()["errors"]
    assert problem["field"] == "family"
    assert "bytes" in problem["allowed"]


def test_an_unknown_unit_is_refused(client: TestClient) -> None:
    answer = client.get(PATH, params={"text": "1", "family": "bytes", "unit": "parsec"})
    assert answer.status_code == 422
