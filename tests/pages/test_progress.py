"""/progress: attempts with verdicts and dates, reviews to come, results by topic."""

import html
import re
from typing import Protocol

from fastapi.testclient import TestClient

from app.bank.load import Bank
from app.main import create_app
from app.settings import Settings

ATTENTION = "/questions/attention-matrix-memory"


class Clock(Protocol):
    def __call__(self) -> object: ...
    def advance(self, **by: float) -> object: ...


def words(page: str) -> str:
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", page).split()))


def answer(client: TestClient, text: str, path: str = ATTENTION) -> None:
    client.post(f"{path}/answer", data={"answer": text, "zone": "Europe/Berlin"})


def test_before_the_first_attempt_it_says_how_to_begin(client: TestClient) -> None:
    page = words(client.get("/progress").text)
    for told in ("Nothing is scheduled yet", "Nothing was answered in the last 12 weeks", "None yet."):
        assert told in page


def test_attempts_with_verdicts_hints_ratings_and_local_times(client: TestClient) -> None:
    client.post(f"{ATTENTION}/hint", data={"number": "1"})
    answer(client, "2 GB")
    answer(client, "2 GiB")
    client.post(f"{ATTENTION}/reveal")
    client.post(f"{ATTENTION}/rating", data={"rating": "2"})
    page = words(client.get("/progress").text)
    assert "today 13:00 Memory of the full attention matrix 2 GB not right 2 GiB right 1 hint Hard" in page
    assert "tomorrow Memory of the full attention matrix Hard" in page
    assert "Times are in Europe/Berlin." in page


def test_results_by_topic_say_in_words_what_the_bar_shows(client: TestClient) -> None:
    answer(client, "2 GiB")
    answer(client, "1", "/questions/llama-2-13b-on-80-gb")
    page = client.get("/progress").text
    assert "Attention 1 of 1 100%" in words(page)
    assert "Serving 0 of 1 0%" in words(page)
    bars = re.findall(r'<progress value="(\d+)" max="100" aria-label="[^"]*: (\d+)%"', page)
    assert bars
    assert all(value == said for value, said in bars)


def test_it_outlives_the_process(client: TestClient, app_settings: Settings, bank: Bank) -> None:
    answer(client, "134 MB")
    again = create_app(app_settings, bank=bank)
    with TestClient(again, base_url="http://127.0.0.1") as other:
        assert "134 MB not right" in words(other.get("/progress").text)


def test_a_long_history_comes_in_pages(client: TestClient, clock: Clock) -> None:
    for seed in range(52):
        client.post(f"{ATTENTION}/reveal?v=1&seed={seed}")
    page = client.get("/progress").text
    assert page.count("revealed without an answer") == 50
    [older] = re.findall(r'href="(/progress\?before=\d+)#attempts"', page)
    rest = client.get(older).text
    assert rest.count("revealed without an answer") == 2
    assert "Older attempts" not in rest
    for bad in ("x", "-1", "99999999999999", ""):
        assert client.get(f"/progress?before={bad}").status_code == 200


def test_what_left_the_bank_is_still_told(client: TestClient, app_settings: Settings) -> None:
    answer(client, "2 GiB")
    empty = create_app(app_settings, bank=Bank([]))
    with TestClient(empty, base_url="http://127.0.0.1") as other:
        assert "attention-matrix-memory (no longer in the bank)" in words(other.get("/progress").text)
