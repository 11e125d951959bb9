"""Measured machines are kept whole, read strictly, and offered to the calculators."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import calculators
from app.measuring import machines
from app.measuring.record import MeasuredMachine, Pass, Product, Streamed
from calculators.presets import HARDWARE

MACHINE = MeasuredMachine(
    slug="measured-test-9000",
    name="This machine: Test 9000",
    measured_at=datetime(2026, 11, 30, 23, 30, tzinfo=UTC),
    cpu="Test 9000",
    blas="testblas 1",
    threads=2,
    cache_bytes=2**25,
    memory_bytes=16 * 10**9,
    peak_flops={"fp32": 150 * 10**9},
    hbm_bandwidth=20 * 10**9,
    array_bytes=2**27,
    streams=(Streamed(name="read", bytes=2**27, seconds=0.0067),),
    product=Product(size=3072, flops=2 * 3072**3, seconds=0.4),
    weight_bytes=497_759_232,
    passes=(
        Pass(
            name="decode, batch 1",
            batch=1,
            tokens=1,
            flops=283 * 10**6,
            bytes=565 * 10**6,
            time_compute=0.0019,
            time_memory=0.0283,
            limit="memory",
            seconds=0.03,
        ),
    ),
    remarks=(),
)


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture(autouse=True)
def _nothing_stays_on_offer() -> Iterator[None]:
    yield
    HARDWARE.offer([])


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("AMD EPYC", "measured-amd-epyc"),
        ("  Anna's laptop! ", "measured-anna-s-laptop"),
        ("Ноутбук", "measured-machine"),
        ("x" * 80, "measured-" + "x" * 40),
        ("x" * 39 + " y", "measured-" + "x" * 39),
    ],
)
def test_a_name_becomes_a_slug_that_is_read_back(name: str, slug: str) -> None:
    assert machines.slug_of(name) == slug
    assert MACHINE.model_validate({**MACHINE.model_dump(), "slug": slug}).slug == slug


def test_what_is_saved_is_read_back_and_nothing_else_is_left(tmp_path: Path, said: list[str]) -> None:
    later = MACHINE.model_copy(update={"hbm_bandwidth": 21 * 10**9})
    path = machines.save(tmp_path, MACHINE)
    assert list(machines.read(tmp_path, said.append)) == [MACHINE]
    assert machines.save(tmp_path, later) == path
    assert list(machines.read(tmp_path, said.append)) == [later]
    assert [each.name for each in (tmp_path / "machines").iterdir()] == ["measured-test-9000.json"]
    assert said == []


def test_what_cannot_be_written_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    machines.save(tmp_path, MACHINE)
    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(OSError, match="No space"):
        machines.save(tmp_path, MACHINE)
    assert [each.name for each in (tmp_path / "machines").iterdir()] == ["measured-test-9000.json"]


def test_an_empty_data_folder_has_no_machines(tmp_path: Path, said: list[str]) -> None:
    assert list(machines.read(tmp_path / "missing", said.append)) == []
    assert said == []


def test_the_calculators_offer_it_under_its_name_and_day(tmp_path: Path, said: list[str]) -> None:
    machines.save(tmp_path, MACHINE)
    machines.offer(tmp_path, said.append)
    device = HARDWARE["measured-test-9000"]
    assert device.name == "This machine: Test 9000, measured 30 Nov 2026"
    state = {"hardware": device.slug, "dtype": "fp32", "model": "gpt2-small"}
    assert calculators.get("decode").evaluate(state).inputs["hbm_bandwidth"] == 20 * 10**9
    machines.offer(tmp_path / "another", said.append)
    assert device.slug not in HARDWARE


def test_what_is_measured_counts_as_no_published_figure(tmp_path: Path) -> None:
    device = MACHINE.hardware
    assert device.measured
    assert (device.watts, device.link_bandwidth, device.url) == (None, None, "")
    assert dict(device.peak_flops) == {"fp32": 150 * 10**9}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"hbm_bandwidth": 0}, "hbm_bandwidth: Input should be greater than or equal to 1"),
        ({"hbm_bandwidth": 10**30}, "hbm_bandwidth: Input should be less than"),
        ({"peak_flops": {"bf16": 1}}, "peak_flops.bf16"),
        ({"peak_flops": {"fp32": "nan"}}, "peak_flops.fp32: Input should be a valid integer"),
        ({"name": "two\nlines"}, "name: String should match pattern"),
        ({"name": "x" * 81}, "name: String should have at most 80 characters"),
        ({"slug": "h100-sxm"}, "slug: String should match pattern"),
        ({"slug": "measured-other"}, "it says that it is measured-other"),
        ({"measured_at": "2026-11-30T12:00:00"}, "measured_at: Input should have timezone info"),
        ({"format": 2}, "format: Input should be 1"),
        ({"extra": 1}, "extra: Extra inputs are not permitted"),
    ],
)
def test_a_bad_file_is_named_in_one_line_and_ignored(
    tmp_path: Path, said: list[str], change: dict[str, Any], says: str
) -> None:
    path = machines.save(tmp_path, MACHINE)
    path.write_text(json.dumps(MACHINE.model_dump(mode="json") | change))
    machines.offer(tmp_path, said.append)
    assert len(said) == 1
    assert says in said[0]
    assert said[0].startswith(f"{path} is no measured machine and is ignored: ")
    assert "\n" not in said[0]
    assert MACHINE.slug not in HARDWARE


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[]", b"null", b" " * (machines.MAX_BYTES + 1)])
def test_what_is_no_json_of_a_machine_is_named_and_ignored(
    tmp_path: Path, said: list[str], content: bytes
) -> None:
    machines.save(tmp_path, MACHINE)
    (tmp_path / "machines" / "measured-a.json").write_bytes(content)
    (tmp_path / "machines" / "measured-folder.json").mkdir()
    assert list(machines.read(tmp_path, said.append)) == [MACHINE]
    assert len(said) == 2


def test_no_more_machines_are_offered_than_a_menu_holds(tmp_path: Path, said: list[str]) -> None:
    for number in range(machines.MAX_FILES + 3):
        machines.save(tmp_path, MACHINE.model_copy(update={"slug": f"measured-{number:02}"}))
    assert len(list(machines.read(tmp_path, said.append))) == machines.MAX_FILES
    assert said == [f"{tmp_path / 'machines'} has 23 machines; the first 20 are offered"]
