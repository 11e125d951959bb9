"""/progress: what is remembered, how it went, and the attempts with their verdicts and dates."""

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


def test_every_plot_has_its_sentence_and_its_table(client: TestClient, clock: Clock) -> None:
    answer(client, "2 GB")
    clock.advance(minutes=4)
    client.post(f"{ATTENTION}/reveal")
    client.post(f"{ATTENTION}/rating", data={"rating": "1"})
    page = client.get("/progress").text
    told = words(page)
    assert (
        "Practice on 1 day in the last 26 weeks: 1 question in all, each counted once a day, and 4 min."
        in told
    )
    assert "1 review in the next 30 days, none of them today." in told
    assert "Day Reviews tomorrow 1" in told
    assert "4 min in the last 12 weeks, on 1 day." in told
    assert "Seven days from Time 24 Feb 4 min" in told
    for name in re.findall(r'role="img" aria-labelledby="([^"]+)"', page):
        assert f'<p id="{name}">' in page
    assert page.count('role="img"') == 3
    assert page.count('class="level-1" x=') == 1, "the day is drawn as one with 1 to 2 questions"
    assert " style=" not in page


def test_what_is_remembered_stands_beside_what_was_seen(client: TestClient, clock: Clock) -> None:
    client.post(f"{ATTENTION}/reveal")
    client.post(f"{ATTENTION}/rating", data={"rating": "1"})
    page = words(client.get("/progress").text)
    assert "practised, 1 due now." in page, "Again comes back on the same day"
    assert re.search(r"Attention 1 of \d+ 100%", page)
    clock.advance(days=20)
    [recall] = re.findall(r"Attention 1 of \d+ (\d+)%", words(client.get("/progress").text))
    assert 0 < int(recall) < 70
    home = words(client.get("/").text)
    assert re.search(rf"Attention 1 of \d+ {recall}%", home), "the home page says the same"


def test_ratings_are_held_against_the_numbers(client: TestClient) -> None:
    answer(client, "2 GB")
    client.post(f"{ATTENTION}/reveal")
    client.post(f"{ATTENTION}/rating", data={"rating": "3"})
    page = words(client.get("/progress").text)
    assert "You rate Good what is right 50% of the time." in page
    assert "Good 1 sitting 50%" in page
    assert "Hard 0 sittings –" in page


def test_a_mistake_has_its_drill(client: TestClient) -> None:
    answer(client, "2 GB")
    page = client.get("/progress").text
    assert "GB for GiB: 1 time Memory of the full attention matrix That is GiB labelled as GB" in words(page)
    [form] = re.findall(r'<form action="/practice/drill" method="post">(.*?)</form>', page, re.DOTALL)
    fields = dict(re.findall(r'name="([a-z]+)" value="([^"]+)"', form))
    assert fields["question"] == "attention-matrix-memory"
    started = client.post("/practice/drill", data=fields)
    assert started.status_code == 200
    assert started.url.path == "/questions/attention-matrix-memory"
    assert "GB for GiB" in words(started.text)
    again = client.post("/practice/drill", data=fields)
    assert again.url == started.url, "a double click is one drill"


def test_the_hardest_questions_say_why(client: TestClient) -> None:
    answer(client, "17 MB")
    client.post(f"{ATTENTION}/reveal")
    client.post(f"{ATTENTION}/rating", data={"rating": "1"})
    why = "first answers 0% right in 1 sitting, difficulty 6.4 of 10"
    assert f"Memory of the full attention matrix {why}" in words(client.get("/progress").text)


def test_a_period_narrows_how_it_went(client: TestClient, clock: Clock) -> None:
    answer(client, "2 GB")
    clock.advance(days=40)
    recent, usual = client.get("/progress?period=4w").text, client.get("/progress").text
    assert "Nothing was answered in the last 4 weeks." in recent
    assert "GB for GiB: 1 time" in words(usual)
    for page in (recent, usual):
        assert "Practice on 1 day" in page, "the calendar shows its 26 weeks"
    assert re.findall(r'period=(\w+)#results" aria-current', recent) == ["4w"]
    assert re.findall(r'period=(\w+)#results" aria-current', usual) == ["12w"]
    for odd in ("", "4W", "x" * 5000, "all%00"):
        assert client.get(f"/progress?period={odd}").status_code == 200


def test_a_clock_that_is_set_back_harms_nothing(client: TestClient, clock: Clock) -> None:
    clock.advance(days=3)
    answer(client, "2 GB")
    client.post(f"{ATTENTION}/reveal")
    client.post(f"{ATTENTION}/rating", data={"rating": "2"})
    clock.advance(days=-3)
    answer(client, "2 GiB", "/questions/llama-2-13b-on-80-gb")
    for period in ("4w", "all"):
        page = client.get(f"/progress?period={period}")
        assert page.status_code == 200
        assert "GB for GiB: 1 time" in words(page.text)


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
    assert page.count("Older attempts") == 1
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
        page = words(other.get("/progress").text)
        assert "attention-matrix-memory (no longer in the bank)" in page
        assert "The bank has no question that can be read." in page
