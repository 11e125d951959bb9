"""The preview of one file: what it shows, how it judges, and that it follows the file."""

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.authoring.new_question import write
from app.authoring.preview import create_preview


def words(page: str) -> str:
    text = html.unescape(re.sub(r"<[^>]+>", " ", page.partition("<body>")[2] or page))
    return " ".join(text.split())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write("in-parts", "multi", "serving", tmp_path)


@pytest.fixture
def client(file: Path) -> Iterator[TestClient]:
    with TestClient(create_preview(file), base_url="http://127.0.0.1:8000") as client:
        yield client


def stamp(page: str) -> str:
    [found] = re.findall(r'name="stamp" value="(\w+)"', page)
    return str(found)


def test_the_whole_question_with_its_values_and_the_lint(client: TestClient) -> None:
    page = client.get("/").text
    shown = words(page)
    for piece in ("In parts", "Your answer to a", "Part b Divide and round down", "No problems found."):
        assert piece in shown
    assert "answer.a 1.68 GB one-tensor mistake, keeps 30% 0.839 GB answer.b 29 c: right more" in shown
    assert "3! A smaller cache" in shown
    seed = re.findall(r'id="reroll" href="/\?seed=(\d+)"', page)[0]
    other = client.get(f"/?seed={seed}").text
    assert f"seed {seed}" in words(other)
    drawn = [re.findall(r"(?s)Parameters.*?</table>", each) for each in (page, other)]
    assert drawn[0] != drawn[1]


def test_an_answer_is_judged_with_the_graders_reasoning(client: TestClient) -> None:
    sent = {
        "seed": "0",
        "answer-a": "0.839 GB",
        "answer-b": "59",
        "answer-c": "less",
        "answer-d": "Fewer bits",
    }
    shown = words(client.post("/judge", data=sent).text)
    assert "a: mistake , credit 30%. That stores K or V alone." in shown
    assert "Read as 0.839 GB , which is 839,000,000 B in base units." in shown
    assert "mistake one-tensor 0.838861 GB 0.822084 GB to 0.855638 GB decides" in shown
    assert "slip gib-as-gb: GiB meant" not in shown.partition("b: right")[2]
    assert "b: right by the learner's own parts , credit 100%." in shown
    assert "With a = 839,000,000 in base units, 59 would follow." in shown
    assert "right, from the learner's own parts 59 58.41 to 59.59 decides" in shown
    assert "the right choice would be less." in shown
    assert "d: written . Words are not graded" in shown
    assert "a: format" in words(client.post("/judge", data={"answer-a": "1,5 GB"}).text)


def test_it_follows_the_file_and_keeps_what_is_typed(client: TestClient, file: Path) -> None:
    first = stamp(client.get("/").text)
    headers = {"HX-Request": "true"}
    sent = {"stamp": first, "seed": "0", "answer-a": "1.68 GB"}
    assert client.post("/look", data=sent, headers=headers).status_code == 204
    text = file.read_text("utf-8")
    file.write_text(text.replace('title: "In parts"', 'title: "In <i>four</i> parts"'), "utf-8")
    renewed = client.post("/look", data=sent, headers=headers).text
    assert "<html" not in renewed
    assert "In &lt;i&gt;four&lt;/i&gt; parts" in renewed
    assert 'value="1.68 GB"' in renewed
    assert "a: right" in words(renewed)
    assert stamp(renewed) != first


def test_a_file_that_breaks_is_told_beside_what_it_was(client: TestClient, file: Path) -> None:
    text = file.read_text("utf-8")
    line = text[: text.index("unit: GB")].count("\n") + 1
    client.get("/")
    file.write_text(text.replace("unit: GB", "unit: gb"), "utf-8")
    shown = words(client.get("/").text)
    assert f"{line} `gb` is not a unit of bytes did you mean GB?" in shown
    assert "below is what it was before" in shown
    assert "In parts" in shown
    file.unlink()
    assert "there is no such file or folder" in words(client.get("/").text)


def test_a_file_that_cannot_be_read_at_all(tmp_path: Path) -> None:
    path = tmp_path / "serving" / "broken.md"
    path.parent.mkdir()
    path.write_bytes(b"---\ntitle: [\n---\n\xff")
    with TestClient(create_preview(path), base_url="http://localhost") as client:
        answer = client.get("/?seed=nonsense")
        assert answer.status_code == 200
        assert "the file is not UTF-8" in words(answer.text)
        assert client.post("/judge", data={"answer-a": "1"}).status_code == 200


def test_a_seed_that_breaks_the_question_is_told(tmp_path: Path) -> None:
    path = write("a-number", "numeric", "serving", tmp_path)
    text = path.read_text("utf-8").replace("answer / 2,", "1 / (seq_len - 2048),")
    path.write_text(text, "utf-8")
    with TestClient(create_preview(path), base_url="http://localhost") as client:
        pages = [words(client.get(f"/?seed={seed}").text) for seed in range(8)]
    assert any("this question cannot be computed: This divides by zero" in page for page in pages)
    assert all("with seed" in page for page in pages)


def test_only_this_machine_is_answered(client: TestClient) -> None:
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 400
    assert client.post("/judge", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert "default-src 'none'" in client.get("/").headers["Content-Security-Policy"]
    assert client.get("/api/v1/quantities?text=2&family=bytes&unit=GiB").json()["reading"] == "2 GiB"
