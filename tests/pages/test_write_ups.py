"""Write-ups without JavaScript, and the fragments that htmx asks for."""

import html
import re
from typing import Any

from fastapi.testclient import TestClient
from httpx2 import Response

HTMX = {"HX-Request": "true"}
ATTENTION = "/questions/attention-matrix-memory"


def begin(client: TestClient) -> str:
    """The address of a new write-up."""
    page = client.get("/write-ups/new")
    assert page.url.path.endswith("/edit")
    return page.url.path.removesuffix("/edit")


def press(client: TestClient, address: str, act: str, headers: Any = None, **texts: str) -> Response:
    """Sends the form as it stands on the page, with these texts in it; `note_1` is the field `1-note`."""
    page = client.get(f"{address}/edit").text
    token = re.search(r'name="form" value="([^"]+)"', page)
    assert token
    stamps = dict(re.findall(r'name="(stamp-[^"]+)" value="(\d+)"', page))
    parts = {"-".join(reversed(name.split("_"))): text for name, text in texts.items()}
    data = {"form": token[1], "act": act, **stamps, **parts}
    return client.post(f"{address}/edit", data=data, headers=headers)


def words(page: Response) -> str:
    main = page.text.partition("<main")[2].partition("</main>")[0]
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", main)).split())


def test_an_interview_is_written_up_and_read(client: TestClient) -> None:
    assert "Write an interview up while you remember it" in words(client.get("/write-ups"))
    address = begin(client)
    page = press(client, address, "add:1", company="Example Labs", role="engineer", asked_1="Why <slow>?")
    assert page.url.fragment == "question-1"
    press(client, address, "add:2:attention-matrix-memory", note_1="Said launch overhead")
    page = press(client, address, "done", date="2026-03-01", note_2="Forgot\r\nthe heads", about="Long day")
    assert page.url.path == address
    said = words(page)
    assert "Example Labs, engineer 1 March 2026" in said
    assert "1. Why <slow>? Your note Said launch overhead Not linked to the bank" in said
    assert "2. Memory of the full attention matrix Your note Forgot the heads" in said
    assert "Forgot\nthe heads" in page.text
    assert "Practise the linked question" in said

    listed = words(client.get("/write-ups", params={"q": "launch", "company": "example labs"}))
    assert "1 of 1 write-up Example Labs, engineer 1 March 2026 2 questions Long day" in listed
    assert "No write-up has all of this" in words(client.get("/write-ups?q=nowhere"))
    assert "<html" not in client.get("/write-ups?q=launch", headers=HTMX).text
    assert "Example Labs, engineer" in words(client.get("/"))


def test_what_is_from_elsewhere_is_marked_until_it_is_verified(client: TestClient) -> None:
    address = begin(client)
    press(client, address, "add:1", asked_1="What is MFU?")
    page = press(client, address, "done", note_1="mine", elsewhere_1="MFU > HFU", source_1="a model")
    assert "From elsewhere, not your note to verify Source: a model MFU > HFU" in words(page)
    token = re.search(r'name="form" value="([^"]+)"', page.text)
    assert token
    sent = {"form": token[1], "from": "reading", "act": "verify:1"}
    page = client.post(f"{address}/edit", data=sent)
    assert page.url.path == address
    assert "From elsewhere, not your note verified by you" in words(page)
    page = press(client, address, "own:1")
    assert "mine\n\nMFU &gt; HFU\n(From: a model)" in page.text


def test_linked_questions_are_drilled_and_show_the_notes(client: TestClient) -> None:
    address = begin(client)
    press(client, address, "add:1:attention-matrix-memory", company="Example Labs")
    page = press(client, address, "done", note_1="Forgot the <heads>")
    key, title, slug = (
        re.findall(rf'name="{name}" value="([^"]+)"', page.text)[0] for name in ("key", "title", "question")
    )
    drill = client.post("/practice/drill", data={"key": key, "title": title, "question": slug})
    assert drill.url.path == ATTENTION
    assert "From your write-up of Example Labs Forgot the <heads>" in words(drill)
    assert "write-up" not in words(client.get("/questions/mfu-and-hfu"))


def test_the_bank_is_searched_with_and_without_javascript(client: TestClient) -> None:
    address = begin(client)
    press(client, address, "add:1", asked_1="What was that acronym?")
    found = client.get("/write-ups/find", params={"number": 1, "q-1": "hfu"}).text
    assert 'value="link:1:mfu-and-hfu"' in found
    assert "<html" not in found
    page = client.get(f"{address}/edit")
    token = re.search(r'name="form" value="([^"]+)"', page.text)
    assert token
    page = client.post(
        f"{address}/edit", data={"form": token[1], "act": "stay", "q-1": "hfu", "1-note": "kept"}
    )
    assert 'value="link:1:mfu-and-hfu"' in page.text
    assert "kept" in page.text
    page = client.get(f"{address}/edit?find=1&q=zebra")
    assert "No question of the bank has all of these words" in words(page)
    page = press(client, address, "link:1:mfu-and-hfu")
    assert "HFU and MFU of a training run" in words(page)
    assert "Linked to the bank" not in words(press(client, address, "unlink:1"))
    assert press(client, address, "link:1:no-such-question").status_code == 200


def test_an_error_stands_at_its_field_and_what_was_typed_stays(client: TestClient) -> None:
    address = begin(client)
    page = press(client, address, "done")
    assert page.status_code == 422
    assert "Write something first" in page.text
    page = press(client, address, "done", company="x" * 101, about="still here", date="31 March")
    assert page.status_code == 422
    assert "at most 100 are kept here" in page.text
    assert "x" * 101 in page.text
    assert "still here" in page.text
    page = press(client, address, "done", company="Example Labs", date="31 March")
    assert "“31 March” is no day" in words(page)
    assert 'type="text" id="field-date"' in page.text
    assert 'value="31 March"' in page.text


def test_htmx_gets_the_form_and_where_to_go_on(client: TestClient) -> None:
    address = begin(client)
    part = press(client, address, "add:1", HTMX, asked_1="One")
    assert "<html" not in part.text
    assert 'data-announce="Added as question 1."' in part.text
    field = part.text.partition('id="field-1-note"')[2].partition(">")[0]
    assert "data-take-focus" in field
    assert press(client, address, "remove:1", HTMX).text.count("Remove this question with what") == 1
    assert press(client, address, "done", HTMX).headers["HX-Redirect"] == address


def test_a_field_is_kept_as_it_is_typed(client: TestClient) -> None:
    address = begin(client)
    sent = {"seed": 0, "part": "company", "text": "Exam", "revision": 0}
    assert client.put(f"{address}/text", json=sent).json() == {"revision": 1, "kept": True, "other": None}
    sent |= {"text": "Another"}
    assert client.put(f"{address}/text", json=sent).json()["other"] == "Exam"
    page = client.get(f"{address}/edit")
    assert 'value="Another"' in page.text
    assert "Another window of yours had this text here" in words(page)
    json = {"Accept": "application/json"}
    for part, text, status in (("color", "red", 404), ("9-note", "x", 404), ("company", "x" * 101, 422)):
        changed = {**sent, "part": part, "text": text}
        assert client.put(f"{address}/text", json=changed, headers=json).status_code == status
    assert client.put("/write-ups/short/text", json=sent, headers=json).status_code == 404


def test_deleting_asks_first(client: TestClient) -> None:
    address = begin(client)
    assert client.get(address).status_code == 404
    press(client, address, "add:1", company="Example Labs", asked_1="One")
    page = client.get(f"{address}/delete")
    assert "Delete “Example Labs”?" in words(page)
    assert client.get(address).status_code == 200
    for _ in range(2):
        assert client.post(f"{address}/delete").url.path == "/write-ups"
    assert client.get(address).status_code == 404
    assert client.get("/write-ups/short/edit").status_code == 404


def test_odd_requests_are_no_error_of_the_server(client: TestClient) -> None:
    address = begin(client)
    press(client, address, "add:1", asked_1="One\0\ud800".encode(errors="replace").decode())
    for act in ("", "move:1:-1:up", "move:1:99999999", "verify:x", "own:9", "remove:", "add:1:zebra", "::::"):
        assert press(client, address, act).status_code == 200, act
    assert client.get("/write-ups/find?number=1&q-1=%00%22*").status_code == 200
    assert client.get("/write-ups/find?number=x").status_code == 422
    assert client.get(f"{address}/edit?find=7&q=hfu&remove=7").status_code == 200
