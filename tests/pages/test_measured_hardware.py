"""A machine measured here is a choice of hardware on the page and in the API, and custom in every link."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient

from app.bank.load import Bank
from app.main import create_app
from app.measuring import machines
from app.measuring.record import MeasuredMachine, Product, Streamed
from app.settings import Settings
from calculators.presets import HARDWARE

MACHINE = MeasuredMachine(
    slug="measured-laptop",
    name="This machine: Laptop",
    measured_at=datetime(2026, 11, 30, tzinfo=UTC),
    cpu="Laptop",
    blas="testblas 1",
    threads=4,
    cache_bytes=2**25,
    memory_bytes=16 * 10**9,
    peak_flops={"fp32": 150 * 10**9},
    hbm_bandwidth=20 * 10**9,
    array_bytes=2**27,
    streams=(Streamed(name="read", bytes=2**27, seconds=0.0067),),
    product=Product(size=3072, flops=2 * 3072**3, seconds=0.4),
    weight_bytes=0,
    passes=(),
    remarks=(),
)
STATE = "model=gpt2-small&dtype=fp32"


@pytest.fixture
def here(app_settings: Settings, bank: Bank) -> Iterator[TestClient]:
    machines.save(app_settings.data_dir, MACHINE)
    with TestClient(create_app(app_settings, bank=bank), base_url="http://127.0.0.1") as client:
        yield client
    HARDWARE.offer([])


def test_the_page_offers_it_and_its_address_says_custom(here: TestClient) -> None:
    option = '<option value="measured-laptop">This machine: Laptop, measured 30 Nov 2026</option>'
    assert option in here.get("/calculators/decode").text
    htmx = {"HX-Request": "true"}
    page = here.get(f"/calculators/decode?hardware=measured-laptop&{STATE}", headers=htmx)
    assert page.status_code == 200
    rest = here.get(page.headers["ridgeway-rest"], headers={**htmx, "Ridgeway-History": "push"})
    query = parse_qs(urlsplit(rest.headers["HX-Push-Url"]).query)
    assert query["hardware"] == ["custom"]
    assert (query["peak_flops"], query["hbm_bandwidth"]) == (["150000000000"], ["20000000000"])
    assert "Measured with ridgeway measure on 30 November 2026" in rest.text


def test_the_api_calculates_with_it_and_lists_it(here: TestClient) -> None:
    answer = here.get(f"/api/v1/calculators/decode?hardware=measured-laptop&{STATE}").json()
    assert (answer["inputs"]["hardware"], answer["inputs"]["hbm_bandwidth"]) == (
        "measured-laptop",
        20 * 10**9,
    )
    listed = {each["slug"]: each for each in here.get("/api/v1/calculators").json()["calculators"]}
    hardware = next(each for each in listed["decode"]["inputs"] if each["name"] == "hardware")
    assert hardware["choices"][-2:] == ["measured-laptop", "custom"]


def test_a_format_that_was_not_measured_is_refused_by_name(here: TestClient) -> None:
    refused = here.get("/api/v1/calculators/matmul?hardware=measured-laptop&dtype=bf16")
    assert refused.status_code == 422
    [error] = refused.json()["errors"]
    assert (error["field"], error["allowed"]) == ("dtype", "one of fp32")


@pytest.mark.usefixtures("here")
def test_a_start_with_another_data_folder_offers_it_no_more(tmp_path: Path, bank: Bank) -> None:
    assert MACHINE.slug in HARDWARE
    create_app(Settings(data_dir=tmp_path / "another"), bank=bank).state.database.close()
    assert MACHINE.slug not in HARDWARE


def test_a_bad_file_does_not_stop_the_start(
    app_settings: Settings, bank: Bank, caplog: pytest.LogCaptureFixture
) -> None:
    path = machines.save(app_settings.data_dir, MACHINE)
    path.write_text('{"format": 1}')
    create_app(app_settings, bank=bank).state.database.close()
    assert [record.getMessage().partition(": ")[0] for record in caplog.records] == [
        f"{path} is no measured machine and is ignored"
    ]
