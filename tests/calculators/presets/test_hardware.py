"""Hardware figures against a second copy of their table, and the peaks against the silicon's arithmetic."""

from fractions import Fraction
from pathlib import Path

import pytest

from calculators.presets import DTYPES, HARDWARE

# Dense TFLOP/s (TOP/s), memory (GB unless it says GiB), GB/s, link GB/s in one direction, W. u marks what is
# unconfirmed, - what has no figure.
TABLE = Path(__file__).with_name("hardware_figures.txt").read_text()
HEADER, *ROWS = [[cell.strip() for cell in line.split("|")] for line in TABLE.splitlines()]
FIELDS = {"GB/s": "hbm_bandwidth", "link": "link_bandwidth", "W": "watts", "memory": "hbm_bytes"}


def test_the_table_and_the_presets_name_the_same_devices() -> None:
    assert [row[0] for row in ROWS] == list(HARDWARE)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_every_figure_of_a_row(row: list[str]) -> None:
    device = HARDWARE[row[0]]
    cells = dict(zip(HEADER, row, strict=True))
    figures = {column: cell.removesuffix(" u") for column, cell in cells.items()}

    peaks = {dtype: Fraction(figures[dtype]) * 10**12 for dtype in DTYPES if figures[dtype] != "-"}
    assert device.peak_flops == peaks
    amount, *unit = figures["memory"].split()
    assert device.hbm_bytes == int(amount) * (2**30 if unit else 10**9)
    assert device.hbm_bandwidth == Fraction(figures["GB/s"]) * 10**9
    assert device.link_bandwidth == Fraction(figures["link"]) * 10**9
    assert device.watts == (None if figures["W"] == "-" else int(figures["W"]))
    unconfirmed = {FIELDS.get(column, column) for column, cell in cells.items() if cell.endswith(" u")}
    assert device.unconfirmed == unconfirmed
    assert device.verified == (not unconfirmed)


# Units, FLOP of one unit in a clock (2 for each multiply-add), and the boost clock in MHz.
SILICON = [
    # Volta whitepaper: V100, 8 tensor cores of 64 multiply-adds a unit.
    ("v100-16gb-sxm", "fp16", 80, 8 * 64 * 2, 1530),
    ("v100-16gb-sxm", "fp32", 80, 64 * 2, 1530),
    ("v100-32gb-sxm", "fp16", 80, 8 * 64 * 2, 1530),
    # Turing whitepaper: T4.
    ("t4", "fp16", 40, 8 * 64 * 2, 1590),
    ("t4", "int8", 40, 8 * 128 * 2, 1590),
    ("t4", "fp32", 40, 64 * 2, 1590),
    # Ampere whitepaper: A100, 4 tensor cores of 256 multiply-adds a unit, and powers of two from there.
    ("a100-80gb-sxm", "bf16", 108, 4 * 256 * 2, 1410),
    ("a100-80gb-sxm", "int8", 108, 4 * 512 * 2, 1410),
    ("a100-80gb-sxm", "int4", 108, 4 * 1024 * 2, 1410),
    ("a100-80gb-sxm", "tf32", 108, 4 * 128 * 2, 1410),
    ("a100-80gb-sxm", "fp32", 108, 64 * 2, 1410),
    # Ada whitepaper and the L4 datasheet.
    ("l4", "bf16", 58, 4 * 128 * 2, 2040),
    ("l4", "fp32", 58, 128 * 2, 2040),
    ("l40s", "fp32", 142, 128 * 2, 2520),
    # Hopper whitepaper: H100 SXM, 4 tensor cores of 512 multiply-adds a unit.
    ("h100-sxm", "bf16", 132, 4 * 512 * 2, 1830),
    ("h100-sxm", "fp8", 132, 4 * 1024 * 2, 1830),
    ("h100-sxm", "tf32", 132, 4 * 256 * 2, 1830),
    # GeForce: fp32 accumulation at half the rate of fp16 accumulation.
    ("rtx-3090", "bf16", 82, 4 * 64 * 2, 1695),
    ("rtx-3090", "fp32", 82, 128 * 2, 1695),
    ("rtx-4090", "bf16", 128, 4 * 64 * 2, 2520),
    ("rtx-4090", "fp8", 128, 4 * 128 * 2, 2520),
    ("rtx-4090", "fp32", 128, 128 * 2, 2520),
    ("rtx-5090", "bf16", 170, 4 * 64 * 2, 2407),
    ("rtx-5090", "fp4", 170, 4 * 512 * 2, 2407),
    ("rtx-5090", "fp32", 170, 128 * 2, 2407),
    # CDNA 2, 3 and 4 whitepapers: FLOP of a compute unit in a clock.
    ("mi250x", "bf16", 220, 1024, 1700),
    ("mi250x", "fp32", 220, 128, 1700),
    ("mi300x", "bf16", 304, 2048, 2100),
    ("mi300x", "fp8", 304, 4096, 2100),
    ("mi300x", "tf32", 304, 1024, 2100),
    ("mi300x", "fp32", 304, 256, 2100),
    ("mi355x", "bf16", 256, 4096, 2400),
    ("mi355x", "fp8", 256, 8192, 2400),
    ("mi355x", "fp4", 256, 16384, 2400),
    ("mi355x", "fp32", 256, 256, 2400),
]


@pytest.mark.parametrize(("slug", "dtype", "units", "flops_a_clock", "mhz"), SILICON)
def test_peaks_are_units_times_work_times_clock(
    slug: str, dtype: str, units: int, flops_a_clock: int, mhz: int
) -> None:
    derived = units * flops_a_clock * mhz * 10**6
    assert float(HARDWARE[slug].peak_flops[dtype]) == pytest.approx(derived, rel=0.006)


# Bus width in bits, and the rate of a pin in Gb/s.
BUSES = [
    ("a10g", 384, "12.5"),
    ("a100-40gb-sxm", 5120, "2.43"),
    ("a100-80gb-sxm", 5120, "3.186"),
    ("l4", 192, "12.5"),
    ("l40s", 384, "18"),
    ("h100-sxm", 5120, "5.238"),
    ("rtx-3090", 384, "19.5"),
    ("rtx-4090", 384, "21"),
    ("rtx-5090", 512, "28"),
    ("mi250x", 8192, "3.2"),
    ("mi300x", 8192, "5.2"),
]


@pytest.mark.parametrize(("slug", "bits", "gigabits"), BUSES)
def test_bandwidth_is_the_bus_times_its_rate(slug: str, bits: int, gigabits: str) -> None:
    derived = bits * Fraction(gigabits) * 10**9 / 8
    assert float(HARDWARE[slug].hbm_bandwidth) == pytest.approx(float(derived), rel=0.006)


@pytest.mark.parametrize("slug", HARDWARE)
def test_every_preset_says_where_it_comes_from(slug: str) -> None:
    device = HARDWARE[slug]
    assert device.slug == slug
    assert device.source
    assert device.url.startswith("https://")
    assert device.read_on.year >= 2026
    assert set(device.peak_flops) <= set(DTYPES)
    assert device.unconfirmed <= {*device.peak_flops, *FIELDS.values()}


def test_what_a_link_or_a_device_is_where_the_figure_alone_misleads() -> None:
    for slug in ("t4", "a10g", "a100-80gb-pcie", "l4", "l40s", "h100-pcie", "h100-nvl", "rtx-4090"):
        assert any("PCIe" in note for note in HARDWARE[slug].notes), slug
    for slug in ("a100-80gb-pcie", "h100-pcie", "h100-nvl"):
        assert any("300 GB/s" in note for note in HARDWARE[slug].notes), slug
    assert any("superchip" in note for note in HARDWARE["gb200"].notes)
    assert any("dies" in note for note in HARDWARE["mi250x"].notes)
    assert any("192 GB" in note for note in HARDWARE["b200-sxm"].notes)
    for slug in ("tpu-v5e", "tpu-v5p", "tpu-v6e", "tpu7x"):
        assert any("device_watts" in note for note in HARDWARE[slug].notes), slug


def test_presets_cannot_be_changed_by_who_reads_them() -> None:
    with pytest.raises(TypeError):
        HARDWARE["t4"].peak_flops["fp16"] = Fraction(1)  # type: ignore[index]  # what a careless caller might do
