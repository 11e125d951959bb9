"""/api/v1/me says what the page of progress says, of whoever asks."""

from fastapi.testclient import TestClient

SLUG = "attention-matrix-memory"
PAGE = f"/questions/{SLUG}?v=1&seed=7"


def test_who_one_is_where_nobody_signs_in(client: TestClient) -> None:
    told = client.get("/api/v1/me").json()
    assert (told["login"], told["teams"], told["daily_goal"]) == ("local", [], 10)


def test_before_anything_was_practised(client: TestClient) -> None:
    progress = client.get("/api/v1/me/progress").json()
    assert progress["hardest"] == progress["upcoming"] == progress["mistakes"] == []
    assert sum(topic["seen"] for topic in progress["mastery"]) == 0
    assert client.get("/api/v1/me/attempts").json() == {"attempts": [], "before": None}
    due = client.get("/api/v1/me/due").json()
    assert (due["done_today"], due["due"], len(due["plan"])) == (0, 0, due["goal"])
    assert due["plan"][0]["state"] == "new"


def test_what_was_answered_and_rated(client: TestClient) -> None:
    client.post(PAGE.replace("?", "/answer?"), data={"answer": "1 GiB", "key": "a2"})
    client.post(PAGE.replace("?", "/reveal?"), data={"key": "r1"})
    client.post(PAGE.replace("?", "/rating?"), data={"rating": "1", "key": "k1"})
    attempt = client.get("/api/v1/me/attempts").json()["attempts"][0]
    assert (attempt["question"]["slug"], attempt["seed"], attempt["rating"]) == (SLUG, "7", 1)
    assert attempt["question"]["title"] != SLUG
    assert [answer["text"] for answer in attempt["answers"]] == ["1 GiB"]
    assert attempt["answers"][0]["credit"] is not None
    progress = client.get("/api/v1/me/progress?period=all").json()
    assert sum(topic["seen"] for topic in progress["mastery"]) == 1
    assert [each["question"]["slug"] for each in progress["upcoming"]] == [SLUG]
    assert sum(day["questions"] for day in progress["calendar"]) == 1
    assert client.get("/api/v1/me/due").json()["done_today"] == 1


def test_attempts_are_paged(client: TestClient) -> None:
    for seed in range(3):
        client.post(f"/questions/{SLUG}/answer?v=1&seed={seed}", data={"answer": "1 GiB", "key": f"a{seed}"})
    first = client.get("/api/v1/me/attempts?limit=2").json()
    second = client.get(f"/api/v1/me/attempts?limit=2&before={first['before']}").json()
    assert [each["seed"] for each in first["attempts"] + second["attempts"]] == ["2", "1", "0"]
    assert second["before"] is None


def test_what_cannot_be_asked_is_told_by_its_name(client: TestClient) -> None:
    for query in ("attempts?limit=0", "attempts?limit=101", "attempts?before=x", "progress?period=ever"):
        answer = client.get(f"/api/v1/me/{query}")
        assert answer.status_code == 422
        assert answer.json()["errors"][0]["field"] == query.split("?")[1].split("=")[0]
