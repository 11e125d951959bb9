"""/practice: the day's plan and the way through it."""

import html
import re
from typing import Protocol
from urllib.parse import parse_qs, urlsplit

from fastapi.testclient import TestClient

from app.bank.load import Bank

SMALL = ["sample-carried", "sample-parts", "sample-several"]


class Clock(Protocol):
    def advance(self, **by: float) -> object: ...


def words(page: str) -> str:
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", page).split()))


def next_question(client: TestClient, after: str = "") -> tuple[str, int]:
    """The slug and the seed of the question that is served."""
    response = client.get("/practice/next", params={"after": after} if after else {}, follow_redirects=False)
    assert response.status_code == 303
    address = urlsplit(response.headers["location"])
    query = parse_qs(address.query)
    assert query.keys() == {"v", "seed", "practice"}
    return address.path.removeprefix("/questions/"), int(query["seed"][0])


def rate(client: TestClient, slug: str, rating: int, seed: int = 0) -> str:
    query = f"?v=1&seed={seed}&practice=1"
    client.post(f"/questions/{slug}/reveal{query}")
    return client.post(f"/questions/{slug}/rating{query}", data={"rating": str(rating)}).text


def undo(client: TestClient, page: str) -> str:
    """Presses the button that takes the last rating back; the page that it leads to."""
    [(action, number)] = re.findall(
        r'action="(/practice/undo[^"]*)" method="post"><input type="hidden" name="rating" value="(\d+)"', page
    )
    undone = client.post(html.unescape(action), data={"rating": number})
    assert client.post(html.unescape(action), data={"rating": number}).url == undone.url, "a double click"
    return undone.text


class TestWay:
    def test_it_serves_new_questions_until_there_is_none(self, small_client: TestClient) -> None:
        met = []
        for _ in SMALL:
            slug, seed = next_question(small_client)
            met.append(slug)
            rate(small_client, slug, 4, seed)
        assert sorted(met) == SMALL
        page = small_client.get("/practice/next")
        assert page.url.path == "/practice"
        assert "All done for today" in page.text
        assert "The next review comes" in page.text

    def test_what_is_due_comes_back_with_other_numbers(self, client: TestClient, clock: Clock) -> None:
        rate(client, "attention-matrix-memory", 1)
        clock.advance(days=1)
        for _ in range(9):
            slug, seed = next_question(client)
            if slug == "attention-matrix-memory":
                break
            rate(client, slug, 4, seed)
        assert (slug, seed) == ("attention-matrix-memory", 1)

    def test_again_comes_back_today_but_not_at_once(self, client: TestClient) -> None:
        first, seed = next_question(client)
        rate(client, first, 1, seed)
        for _ in range(3):
            slug, seed = next_question(client)
            assert slug != first
            rate(client, slug, 4, seed)
        assert next_question(client) == (first, 1)

    def test_it_goes_on_where_it_was_left(self, client: TestClient) -> None:
        first, _ = next_question(client)
        second, seed = next_question(client, after=first)
        assert second != first
        assert next_question(client) == (second, seed)
        rate(client, first, 4)
        client.post(f"/questions/{second}/hint?v=1&seed={seed}&practice=1")
        assert "Go on" in words(client.get("/practice").text)
        assert next_question(client) == (second, seed), "with the hint that was taken"

    def test_a_question_that_was_skipped_waits_for_tomorrow(self, client: TestClient) -> None:
        first, _ = next_question(client)
        skip = f"/questions/{first}/skip?practice=1"
        skipped = client.post(skip, data={"answer": "2 G"}, follow_redirects=False)
        assert skipped.headers["location"] == f"/practice/next?after={first}"
        assert next_question(client)[0] != first
        assert "Skipped today" in client.get("/practice").text
        client.post("/practice/bring-back")
        assert "Skipped today" not in client.get("/practice").text


class TestPlan:
    def test_the_first_visit_is_told_how_it_works(self, client: TestClient, bank: Bank) -> None:
        page = words(client.get("/practice").text)
        assert "GB is not GiB" in page
        assert f"Left for today: {min(10, len(bank.questions))} new." in page
        rate(client, *next_question(client)[:1], 3)
        assert "GB is not GiB" not in words(client.get("/practice").text)

    def test_new_questions_are_drawn_from_what_is_chosen_and_that_is_remembered(
        self, client: TestClient, bank: Bank
    ) -> None:
        client.post("/practice/choice", data={"topic": ["attention", "nonsense"], "level": ["mid", "senior"]})
        page = client.get("/practice").text
        assert re.findall(r'name="(\w+)" value="([^"]+)"[^>]* checked', page) == [
            ("topic", "attention"),
            ("level", "mid"),
            ("level", "senior"),
        ]
        question = bank.questions[next_question(client)[0]]
        assert "attention" in question.meta.topics
        assert question.meta.level in ("mid", "senior")
        client.post("/practice/choice", data={})
        assert " checked" not in client.get("/practice").text

    def test_the_goal_ends_the_day_and_more_can_be_had(self, client: TestClient) -> None:
        client.post("/account/settings", data={"daily_goal": "1", "retention": "90", "zone": "UTC"})
        rate(client, next_question(client)[0], 4)
        page = client.get("/practice").text
        assert "That is your goal for today" in page
        assert "Nothing is lost by leaving them for tomorrow." in words(page)
        assert "1 of 1 today" in words(page)
        more = client.post("/practice/more")
        assert more.url.path.startswith("/questions/")
        assert "1 of 2 today" in words(more.text)

    def test_the_line_counts_and_stays_through_every_act(self, client: TestClient, bank: Bank) -> None:
        slug, _ = next_question(client)
        page = client.get(f"/questions/{slug}?practice=1").text
        total = len(bank.questions)
        assert f"0 done today 0 due {total} new" in words(page)
        assert 'aria-current="true">Practice' in page
        rated = rate(client, slug, 3)
        assert f"1 done today 0 due {total - 1} new" in words(rated)
        assert f"/practice/next?after={slug}" in rated
        assert "practice=1" not in re.findall(r'id="share-link" value="([^"]*)"', rated)[0]
        htmx = client.post(
            f"/questions/{slug}/rating?practice=1", data={"rating": "2"}, headers={"HX-Request": "true"}
        )
        assert 'id="practice-line" hx-swap-oob' in htmx.text

    def test_outside_of_practice_there_is_no_line(self, client: TestClient) -> None:
        assert "practice-line" not in client.get("/questions/mfu-and-hfu").text


class TestUndo:
    def test_of_a_rating_leads_back_to_its_answer(self, client: TestClient) -> None:
        slug, seed = next_question(client)
        page = undo(client, rate(client, slug, 4, seed))
        assert "0 done today" in words(page)
        assert "Model answer" in page
        assert 'aria-pressed="true"' not in re.findall(r'<div class="ratings".*?</div>', page, re.DOTALL)[0]
        assert next_question(client) == (slug, seed)

    def test_from_the_next_question_too(self, client: TestClient, bank: Bank) -> None:
        slug, seed = next_question(client)
        rate(client, slug, 4, seed)
        following = client.get("/practice/next")
        assert f"Undo the last rating: Easy, “{bank.questions[slug].title}”" in words(following.text)
        page = undo(client, following.text)
        assert bank.questions[slug].title in page
        assert "0 done today" in words(page)

    def test_of_nothing_leads_to_the_plan(self, client: TestClient) -> None:
        for number in ("", "7", "x", "9" * 30):
            assert client.post("/practice/undo", data={"rating": number}).url.path == "/practice"


def test_a_chain_of_follow_ups_goes_deeper_and_then_on(client: TestClient) -> None:
    first = "/questions/sample-parts?v=1&seed=0&practice=1"
    assert "The interviewer would go on" not in client.get(first).text
    client.post("/questions/sample-parts/answer?practice=1", data={"answer-a": "8388608"})
    [address] = re.findall(r'interviewer">.*?href="([^"]+)"', client.get(first).text)
    second = client.get(html.unescape(address))
    assert second.url.path == "/questions/sample-several"
    assert "Follow-up 1 to A question in three parts" in words(second.text)
    client.post(f"/questions/sample-several/reveal?{second.url.query.decode()}")
    [address] = re.findall(r'interviewer">.*?href="([^"]+)"', client.get(str(second.url)).text) or [""]
    assert address == "", "named once it is rated"
    rated = client.post(f"/questions/sample-several/rating?{second.url.query.decode()}", data={"rating": "3"})
    assert "/practice/next?after=sample-parts" in rated.text
    ended = client.get("/practice/follow-up?practice=1&chain=sample-parts,sample-several")
    assert "practice=1" in str(ended.url)
    for odd in ("", "no-such", "%3Cscript%3E,a", "a," * 400):
        assert client.get(f"/practice/follow-up?chain={odd}").status_code == 200
