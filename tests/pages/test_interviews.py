"""/interviews: set up, run against the clock, report, shared by a link."""

import html
import re
from urllib.parse import quote

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Response

from app.accounts import users
from app.bank.load import Bank
from app.exchange import archive
from app.practice import interviews
from tests.conftest import FakeClock
from tests.pages.test_practice import words

MATRIX, MFU, FUSION, PARTS = (
    "attention-matrix-memory",
    "mfu-and-hfu",
    "kernel-fusion-and-cuda-graphs",
    "sample-parts",
)
TOKEN = "a" * 43


def begin(client: TestClient, *slugs: str, **data: str) -> str:
    """Starts an interview on these questions; its address."""
    given = {"sent": "1", "minutes": "30", "question": list(slugs), **data}
    response = client.post("/interviews", data=given)
    assert response.status_code == 200
    assert re.fullmatch(r"/interviews/\d+", response.url.path)
    return response.url.path


def field(page: str, name: str) -> str:
    found = re.search(rf'name="{name}"[^>]* value="([^"]*)"', page)
    return found[1] if found else ""


def act(client: TestClient, interview: str, name: str, **data: object) -> Response:
    """Sends the form of the question that is open."""
    page = client.get(interview).text
    return client.post(
        f"{interview}/{name}", data={"place": field(page, "place"), "key": field(page, "key"), **data}
    )


def left(page: str) -> int:
    found = re.search(r'data-left="(-?\d+)"', page)
    assert found
    return int(found[1])


def test_from_set_up_to_report_with_no_model_answer_before(client: TestClient, clock: FakeClock) -> None:
    interview = begin(client, MATRIX, FUSION, name="Two of them")
    page = client.get(interview).text
    assert "Question 1 of 2" in words(page)
    assert left(page) == 1800
    page = act(client, interview, "hint", number="1").text
    assert "Write down the shape" in words(page)
    clock.advance(seconds=75)
    page = act(client, interview, "answer", answer="2 GB", working="32*16", note="fp32,\nso 4 bytes").text
    assert "Question 2 of 2" in words(page)
    assert left(page) == 1725
    assert client.get(f"{interview}/clock").json() == {"left": 1725}
    for shown in (page, client.get(interview).text):
        assert "Not right" not in shown
        assert "Model answer" not in shown
    clock.advance(minutes=31)
    assert "marked as late" in client.get(interview).text
    page = act(client, interview, "answer", answer="Fusion saves traffic, a graph launches.").text
    told = words(page)
    assert "Two of them" in told
    assert "Memory of the full attention matrix not right, 50% credit 1:15 1" in told
    assert "Kernel fusion and CUDA graphs to be marked 31:00 late 0" in told
    assert "That is GiB labelled as GB" in told
    assert "fp32, so 4 bytes" in told
    assert "32*16" in told
    assert page.count("<summary>Model answer</summary>") == 2


def test_model_answers_after_each_question_where_chosen(client: TestClient, clock: FakeClock) -> None:
    interview = begin(client, MATRIX, FUSION, reveal="each")
    page = act(client, interview, "answer", answer="2 GiB").text
    assert "✓ Right." in page
    assert "<h2>Model answer</h2>" in page
    assert 'name="answer"' not in page
    clock.advance(minutes=3)
    page = act(client, interview, "next", marking="1", point="shape").text
    assert "Question 2 of 2" in words(page)
    page = act(client, interview, "pass").text
    assert "<h2>Model answer</h2>" in page
    page = act(client, interview, "next", marking="1").text
    assert "right 0:00 0" in words(page)
    assert "passed 3:00" not in words(page), "reading the model answer took no time of the next one"
    interview = begin(client, MATRIX, FUSION, reveal="each")
    act(client, interview, "answer", answer="2 GiB")
    page = act(client, interview, "finish", marking="1", point="shape").text
    assert 'value="shape" id="point-1-shape" checked' in page
    assert "Answered 1 of 1 asked" in words(page)


def test_key_points_are_marked_on_the_report_and_what_was_missed_is_told(client: TestClient) -> None:
    interview = begin(client, FUSION)
    page = act(client, interview, "answer", answer="Fusion saves traffic.").text
    assert "Missed" not in page
    page = client.post(
        f"{interview}/points", data={"place": "1", "marking": "1", "point": "traffic-or-launch"}
    ).text
    assert "27%" in page
    missed = page[page.index("<h4>Missed</h4>") : page.index("Mark the key points again")]
    assert "Puts numbers on both" in missed
    assert "Claims that a graph" not in missed, "a slip that was not made is not missed"


def test_what_went_wrong_is_practised_with_one_click(client: TestClient) -> None:
    interview = begin(client, MATRIX, MFU)
    act(client, interview, "answer", answer="2 GiB")
    page = act(client, interview, "pass").text
    form = page[page.index('<form action="/practice/drill"') :]
    form = form[: form.index("</form>")]
    assert re.findall(r'name="question" value="([^"]+)"', form) == [MFU]
    drill = client.post("/practice/drill", data={"key": field(form, "key"), "question": MFU})
    assert drill.url.path == f"/questions/{MFU}"


def test_against_an_earlier_interview(client: TestClient) -> None:
    first = begin(client, MATRIX, name="Before")
    act(client, first, "pass")
    second = begin(client, MATRIX, name="After")
    page = words(act(client, second, "finish").text)
    assert "Against earlier interviews" in page
    assert "Before 2 Mar 2026 0%" in page
    assert "Against earlier interviews" not in client.get(first).text, "the later one is none"


def test_a_double_click_a_reload_and_the_back_button_do_nothing_twice(client: TestClient) -> None:
    key = {"key": "the-form", "sent": "1", "question": [MATRIX, FUSION], "minutes": "30"}
    interview = client.post("/interviews", data=key).url.path
    assert client.post("/interviews", data=key).url.path == interview
    assert begin(client, MFU) == interview, "one at a time: the other one is not lost sight of"
    page = client.get(interview).text
    sent = {"place": "1", "key": field(page, "key"), "answer": "2 GiB"}
    for answer in ("2 GiB", "2 GiB", "4 GiB"):
        page = client.post(f"{interview}/answer", data={**sent, "answer": answer}).text
        assert "Question 2 of 2" in words(page)
    for name in ("answer", "pass", "hint", "next", "finish", "abandon", "points", "share", "revoke", "notes"):
        assert client.get(f"{interview}/{name}").url.path == interview
    page = act(client, interview, "finish").text
    assert "You wrote 2 GiB" in words(page), "the first one counts"
    late = client.post(f"{interview}/answer", data={**sent, "place": "2", "answer": "A graph."})
    assert "By question" in words(late.text)
    assert "Answered 1 of 2 asked" in words(late.text)


def test_what_was_typed_outlives_every_act_and_another_browser(client: TestClient, app: FastAPI) -> None:
    interview = begin(client, MATRIX, FUSION)
    page = act(client, interview, "hint", number="1", answer="2 G", working="b", note="aloud").text
    assert 'value="2 G"' in page
    refused = act(client, interview, "answer", answer="2 G", note="aloud, more")
    assert refused.status_code == 422
    assert "type 2 GB or 2 GiB" in html.unescape(refused.text)
    assert "aloud, more" in refused.text
    with TestClient(app, base_url="http://127.0.0.1") as other:
        page = other.get(interview).text
        assert 'value="2 G"' in page
        assert "aloud, more" in page
        assert "Write down the shape" in words(page), "the hint was taken"
    saved = client.put(f"{interview}/notes/1", json={"text": "typed", "revision": 2}).json()
    assert saved == {"revision": 3, "kept": True, "other": None}
    other_window = client.put(f"{interview}/notes/1", json={"text": "elsewhere", "revision": 1}).json()
    assert other_window["other"] == "typed"
    client.put(f"/questions/{MATRIX}/draft", json={"seed": 0, "part": "", "text": "3 GiB", "revision": 3})
    page = words(act(client, interview, "abandon").text)
    assert "Abandoned: it counts for nothing." in page
    assert "Thinking aloud elsewhere" in page
    assert "Thinking aloud, in another window typed" in page
    assert "Typed, not submitted" in page


def test_finishing_early_takes_in_the_answer_that_stands_there(client: TestClient) -> None:
    interview = begin(client, MATRIX, FUSION, MFU)
    act(client, interview, "answer", answer="2 GiB")
    page = words(act(client, interview, "finish", answer="Fusion saves traffic.").text)
    assert "Fusion saves traffic." in page
    assert "3." not in page[: page.index("By topic")], "what was not asked is not reported"
    assert "Answered 2 of 2 asked" in page


def test_parts_are_answered_together_and_a_follow_up_comes_next(client: TestClient) -> None:
    interview = begin(client, PARTS, count="5", follow_ups="1")
    refused = act(client, interview, "answer", **{"answer-a": "8388608", "answer-b": "16"})
    assert "Follow-up to “A question in three parts”" in words(refused.text)
    page = act(client, interview, "answer", answer=["first", "second"]).text
    report = words(page)
    assert "follow-up" in report
    assert "b ✓ Right" in report
    assert "How many bytes do they take?" in report


def test_the_schedule_stays_as_it_was_unless_asked(client: TestClient, clock: FakeClock) -> None:
    for asked, due in (("", 0), ("1", 1)):
        interview = begin(client, MATRIX, schedule=asked)
        act(client, interview, "pass")
        clock.advance(days=1)
        assert f"0 done today {due} due" in words(client.get("/practice").text)


def test_a_link_is_read_by_anybody_without_notes_unless_ticked(client: TestClient, app: FastAPI) -> None:
    earlier = begin(client, MFU, name="Not to be seen")
    act(client, earlier, "finish")
    interview = begin(client, MATRIX)
    page = act(client, interview, "answer", answer="2 GB", working="my working", note="my notes").text
    assert re.search(r'name="token" value="[\w-]{43}"', page)
    page = client.post(f"{interview}/share", data={"token": TOKEN}).text
    assert f"http://127.0.0.1/interviews/shared/{TOKEN}" in page
    client.post(f"{interview}/share", data={"token": TOKEN})
    client.post(f"{interview}/share", data={"token": "b" * 43, "notes": "1"})
    assert client.get(interview).text.count("/revoke") == 2
    with TestClient(app, base_url="http://127.0.0.1") as stranger:
        shared = stranger.get(f"/interviews/shared/{TOKEN}")
        assert shared.headers["x-robots-tag"] == "noindex"
        assert "set-cookie" not in shared.headers
        assert "You wrote 2 GB" in words(shared.text)
        for kept in ("my working", "my notes", "Not to be seen", '<form action="/interviews', interview):
            assert kept not in shared.text
        noted = stranger.get(f"/interviews/shared/{'b' * 43}").text
        assert "my working" in noted
        assert "my notes" in noted
        links = re.findall(r'name="link" value="(\d+)"', client.get(interview).text)
        for link in links:
            client.post(f"{interview}/revoke", data={"link": link})
        assert stranger.get(f"/interviews/shared/{TOKEN}").status_code == 404
    made_again = client.post(f"{interview}/share", data={"token": TOKEN}).text
    assert TOKEN not in made_again, "what was revoked stays revoked"
    assert client.post(f"{interview}/share", data={"token": "short"}).status_code == 422


def test_it_is_deleted_after_asking(client: TestClient, app: FastAPI) -> None:
    interview = begin(client, MATRIX)
    assert client.get(f"{interview}/delete").url.path == interview, "not while it runs"
    act(client, interview, "answer", answer="2 GB")
    made = client.post(f"{interview}/share", data={"token": TOKEN})
    assert f"/interviews/shared/{TOKEN}" in made.text
    assert "every link to its report" in words(client.get(f"{interview}/delete").text)
    assert "2 GB not right interview" in words(client.get("/progress").text)
    assert "Interviews so far None yet" in words(client.post(f"{interview}/delete").text)
    assert client.get(interview).status_code == 404
    assert client.get(f"/interviews/shared/{TOKEN}").status_code == 404
    assert "2 GB" not in client.get("/progress").text


def test_a_saved_set_up_is_started_changed_and_deleted(client: TestClient) -> None:
    given = {"sent": "1", "minutes": "20", "count": "2", "topic": "attention", "name": "Mine", "save": "1"}
    page = client.post("/interviews", data=given).text
    assert "Mine 20 min, 2 questions" in words(page)
    number = re.findall(r'name="set" value="(\d+)"', page)[0]
    page = client.get(f"/interviews?set={number}").text
    assert 'name="minutes" value="20"' in page
    assert re.search(r'value="attention"[^>]* checked', page)
    assert not re.search(r'name="follow_ups" value="1" checked', page)
    interview = client.post("/interviews", data={"key": "k", "set": number}).url.path
    assert left(client.get(interview).text) == 1200
    act(client, interview, "abandon")
    page = client.post(f"/interviews/sets/{number}/delete").text
    assert "Mine 20 min" not in words(page)
    unnamed = client.post("/interviews", data={"sent": "1", "save": "1"})
    assert unnamed.status_code == 422
    assert "Give the set-up a name" in unnamed.text


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"minutes": "0"}, "Minutes is “0”: allowed is a whole number from 1 to 240."),
        ({"minutes": "9" * 40}, "Minutes is “9999"),
        ({"count": "ten"}, "Questions is “ten”: allowed is a whole number from 1 to 20."),
        (
            {"topic": "attention", "level": "nobody", "company": "Nobody & Sons"},
            "No question is all of this.",
        ),
        ({"question": ["no-such-question"] * 70}, "No question is all of this."),
    ],
)
def test_what_cannot_be_set_up_says_why(
    client: TestClient, data: dict[str, str | list[str]], said: str
) -> None:
    refused = client.post("/interviews", data={"sent": "1", **data})
    assert refused.status_code == 422
    assert said in html.unescape(refused.text)
    assert client.get("/interviews", params=data).status_code == 200


def test_no_address_and_no_form_breaks_it(client: TestClient, bank: Bank) -> None:
    interview = begin(client, MATRIX)
    for number in ("7", "0", "x", "-1", "9" * 40, quote("٣")):
        assert client.get(f"/interviews/{number}").status_code == 404
        assert client.post(f"/interviews/{number}/answer", data={"place": "1"}).status_code == 404
        assert client.get(f"/interviews?set={number}").status_code == 200
    for place in ("", "0", "2", "x", "9" * 40):
        assert client.post(f"{interview}/answer", data={"place": place}).status_code == 422
        assert (
            client.put(f"{interview}/notes/{place or '0'}", json={"text": "", "revision": 0}).status_code
            == 404
        )
    long = client.post(
        f"{interview}/answer", data={"place": "1", "answer": "9" * 30_000, "note": "n" * 30_000}
    )
    assert long.status_code == 422
    assert "too long" in long.text
    odd = client.post(f"{interview}/hint", data={"place": "1", "number": "²", "stamp-answer": "x"})
    assert odd.status_code == 200
    assert client.post(f"{interview}/revoke", data={"link": "9" * 30}).status_code == 200
    assert client.get("/interviews/shared/" + "é" * 43).status_code == 404


def test_an_archive_with_odd_values_shows_no_error(
    client: TestClient, app: FastAPI, clock: FakeClock
) -> None:
    """What an archive brings was perhaps written by hand."""
    interview = begin(client, MATRIX, FUSION, name="Odd")
    act(client, interview, "answer", answer="2 GB", note="n")
    with app.state.database.session() as session:
        user = users.local_user(session, clock())
        document = archive.export(session, user, clock())
        tables = document["tables"]
        tables["interviews"][0].update(minutes=10**9, questions=10**9, plan={"a": 1}, title="x" * 5000)
        tables["interviews"][0].update(started_at="9999-12-31T23:59:59+00:00", ended_at=clock().isoformat())
        tables["interview_items"][0].update(slug="gone", topic="no-topic", follows=77, points=[None, {}])
        tables["interview_items"][1].update(points="shape", left_at=None, credit=1.0, seed=2**63 - 1)
        tables["interview_sets"][0].update(minutes=-5, choice=[3], slugs="x")
        archive.restore(session, user, document, replace=True)
        [restored] = interviews.summaries(session, user)
    for address in ("/", "/interviews", f"/interviews/{restored.id}", f"/interviews/{restored.id}/clock"):
        assert client.get(address).status_code == 200, address


def test_it_is_found_from_every_page_and_home(client: TestClient) -> None:
    page = client.get("/").text
    assert page.count('href="/interviews"') == 2
    interview = begin(client, MATRIX)
    assert f'href="{interview}">Go on with the interview' in client.get("/").text
