import json

from fastapi.testclient import TestClient

QUESTION = "/questions/attention-matrix-memory"


def practise(client: TestClient) -> None:
    client.post(f"{QUESTION}/answer", data={"answer": "2 GB", "key": "k1"})


def test_everything_goes_out_and_comes_back(client: TestClient) -> None:
    practise(client)
    answer = client.get("/account/export/archive.json")
    assert answer.headers["content-disposition"].startswith("attachment; filename=")
    document = answer.json()
    assert [row["text"] for row in document["tables"]["answers"]] == ["2 GB"]
    file = {"archive": ("archive.json", answer.content, "application/json")}
    refused = client.post("/account/import", files=file)
    assert refused.status_code == 422
    assert "practice here already" in refused.text
    client.post("/account/delete", data={"confirmation": "delete"})
    assert client.get("/account/export/archive.json").json()["tables"]["answers"] == []
    assert client.post("/account/import", files=file).status_code == 200
    assert client.get("/account/export/archive.json").json()["tables"]["answers"][0]["text"] == "2 GB"
    assert "Memory of the full attention matrix" in client.get("/progress").text


def test_larger_than_a_form_but_not_without_end(client: TestClient) -> None:
    padded = json.dumps({"format": "another", "filling": "x" * (2 * 1024 * 1024)}).encode()
    answer = client.post("/account/import", files={"archive": ("archive.json", padded, "application/json")})
    assert answer.status_code == 422
    assert "no archive of Ridgeway" in answer.text
    assert client.post("/account/settings", data={"zone": "x" * (2 * 1024 * 1024)}).status_code == 413


def test_no_file_is_said(client: TestClient) -> None:
    for files in ({}, {"archive": ("", b"", "application/json")}, {"archive": ("a.json", b"", "text/plain")}):
        assert client.post("/account/import", files=files).status_code == 422


def test_attempts_and_questions_as_files(client: TestClient) -> None:
    practise(client)
    table = client.get("/account/export/attempts.csv")
    assert table.headers["content-type"].startswith("text/csv")
    assert "2 GB" in table.text
    deck = client.get("/account/export/questions.apkg")
    assert deck.content.startswith(b"PK")
