"""What those ask who watch the server."""

import pytest
from fastapi.testclient import TestClient

from app.bank.load import Bank
from app.main import create_app
from app.settings import Settings

TOKEN = "a-token-of-enough-characters"
AWAY = "postgresql://nobody@127.0.0.1:9/nothing"  # the discard port: nothing listens there


def started(settings: Settings, bank: Bank, **changed: object) -> TestClient:
    app = create_app(settings.model_copy(update=changed), bank=bank)
    return TestClient(app, base_url="http://127.0.0.1", client=("127.0.0.1", 4711))


@pytest.fixture
def client(app_settings: Settings, bank: Bank) -> TestClient:
    return started(app_settings, bank)


class TestAlive:
    def test_whoever_answers_is(self, client: TestClient) -> None:
        answer = client.get("/healthz")
        assert (answer.status_code, answer.json()) == (200, {"status": "ok"})

    def test_even_without_its_database(self, app_settings: Settings, bank: Bank) -> None:
        assert started(app_settings, bank, database_url=AWAY).get("/healthz").status_code == 200

    @pytest.mark.parametrize("path", ["/healthz", "/readyz"])
    def test_probes_may_use_any_host_name(self, client: TestClient, path: str) -> None:
        assert client.get(path, headers={"Host": "10.1.2.3:8000"}).status_code == 200
        assert client.get("/", headers={"Host": "10.1.2.3:8000"}).status_code == 400


class TestReady:
    def test_migrated_and_with_a_bank(self, client: TestClient) -> None:
        answer = client.get("/readyz")
        assert (answer.status_code, answer.json()) == (200, {"status": "ready"})

    def test_a_database_that_is_away(self, app_settings: Settings, bank: Bank) -> None:
        answer = started(app_settings, bank, database_url=AWAY).get(
            "/readyz", headers={"Accept": "application/json"}
        )
        assert answer.status_code == 503
        assert answer.json()["detail"] == "The database does not answer."

    def test_a_database_that_is_not_migrated(
        self, app_settings: Settings, bank: Bank, sqlite_url: str
    ) -> None:
        client = started(app_settings, bank, database_url=sqlite_url.replace("ridgeway.", "empty."))
        answer = client.get("/readyz", headers={"Accept": "application/json"})
        assert answer.status_code == 503
        assert [problem["field"] for problem in answer.json()["errors"]] == ["migrations"]
        assert "The database is empty" in answer.json()["detail"]

    def test_no_question(self, app_settings: Settings) -> None:
        answer = started(app_settings, Bank.load([])).get("/readyz", headers={"Accept": "application/json"})
        assert answer.status_code == 503
        assert [problem["field"] for problem in answer.json()["errors"]] == ["bank"]


class TestMetrics:
    def test_count_requests_by_route_and_status(self, client: TestClient) -> None:
        client.get("/calculators/roofline?flops=12345")
        client.get("/nothing-of-this-name")
        client.request("ODD", "/healthz")
        text = client.get("/metrics").text
        assert 'ridgeway_requests_total{method="GET",route="/calculators/{slug}",status="200"} 1.0' in text
        assert 'ridgeway_requests_total{method="GET",route="unmatched",status="404"} 1.0' in text
        assert 'ridgeway_requests_total{method="OTHER",route="/healthz",status="405"} 1.0' in text
        assert 'ridgeway_request_seconds_count{method="GET",route="/calculators/{slug}"} 1.0' in text
        assert "12345" not in text

    def test_tell_the_servers_state(self, client: TestClient, bank: Bank) -> None:
        text = client.get("/metrics").text
        assert 'ridgeway_ready{check="database"} 1.0' in text
        assert f"ridgeway_questions {len(bank.questions)}.0" in text
        assert "process_resident_memory_bytes" in text

    @pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via"])
    def test_without_a_token_are_for_this_machine_alone(
        self, app_settings: Settings, bank: Bank, header: str
    ) -> None:
        app = create_app(app_settings, bank=bank)
        elsewhere = TestClient(app, base_url="http://127.0.0.1", client=("192.0.2.7", 4711))
        assert elsewhere.get("/metrics").status_code == 403
        by_a_proxy = TestClient(app, base_url="http://127.0.0.1", client=("127.0.0.1", 4711))
        assert by_a_proxy.get("/metrics", headers={header: "192.0.2.7"}).status_code == 403

    def test_with_one_are_for_whoever_bears_it(self, app_settings: Settings, bank: Bank) -> None:
        client = started(app_settings, bank, metrics_token=TOKEN)
        assert client.get("/metrics").status_code == 401
        for wrong in (f"Bearer {TOKEN}x", f"Basic {TOKEN}", "Bearer é", TOKEN):
            given = {"Authorization": wrong.encode()}
            assert client.get("/metrics", headers=given).status_code == 401  # type: ignore[arg-type]
        assert client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
        named = {"Authorization": f"Bearer {TOKEN}", "Host": "ridgeway:8000"}
        assert client.get("/metrics", headers=named).status_code == 200
