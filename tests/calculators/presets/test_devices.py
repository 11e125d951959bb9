"""Machines measured here, offered beside the published devices for as long as nobody offers others."""

from collections.abc import Iterator
from datetime import date
from fractions import Fraction

import pytest

import calculators
from calculators.presets import HARDWARE, Hardware
from calculators.spec import InvalidInputs

LAPTOP = Hardware(
    slug="measured-laptop",
    name="This machine: Laptop, measured 30 Nov 2026",
    peak_flops={"fp32": 150 * 10**9},
    hbm_bytes=16 * 10**9,
    hbm_bandwidth=20 * 10**9,
    link_bandwidth=None,
    watts=None,
    source="Measured here by ridgeway measure",
    url="",
    read_on=date(2026, 11, 30),
    unconfirmed=frozenset(),
    notes=(),
    measured=True,
)
PUBLISHED = tuple(HARDWARE)


@pytest.fixture
def laptop() -> Iterator[Hardware]:
    HARDWARE.offer([LAPTOP])
    yield LAPTOP
    HARDWARE.offer([])


def test_what_is_offered_comes_after_the_published_until_the_next_offer(laptop: Hardware) -> None:
    hardware = calculators.get("decode").input_names["hardware"]
    assert tuple(HARDWARE) == (*PUBLISHED, laptop.slug)
    assert tuple(hardware.choices) == (*PUBLISHED, laptop.slug, "custom")
    assert (hardware.choices[-1], hardware.choices[-2:]) == ("custom", (laptop.slug, "custom"))
    assert laptop.slug in hardware.choices
    assert laptop.slug in hardware.allowed
    HARDWARE.offer([])
    assert tuple(HARDWARE) == PUBLISHED
    assert laptop.slug not in hardware.choices


def test_a_published_device_is_not_replaced() -> None:
    with pytest.raises(ValueError, match="h100-sxm"):
        HARDWARE.offer([LAPTOP._replace(slug="h100-sxm")])
    assert HARDWARE["h100-sxm"].hbm_bytes == 80 * 10**9


@pytest.mark.usefixtures("laptop")
def test_its_figures_are_used_as_any_devices_are() -> None:
    result = calculators.get("decode").evaluate(hardware="measured-laptop", model="gpt2-small", dtype="fp32")
    moved = result.exact["weight_bytes"] + result.exact["kv_bytes"]
    assert result.exact["time_memory"] == Fraction(moved, LAPTOP.hbm_bandwidth)
    assert result.exact["time_compute"] == Fraction(result.exact["flops"], LAPTOP.peak_flops["fp32"])
    assert result.bound == "memory"
    swept = calculators.get("decode").sweep(
        "batch", [1, 64], hardware="measured-laptop", model="gpt2-small", dtype="fp32", context=1
    )
    assert swept["bound"].tolist() == ["memory", "compute"]


@pytest.mark.usefixtures("laptop")
@pytest.mark.parametrize(
    ("slug", "given", "field", "says"),
    [
        ("decode", {}, "compute_dtype", "for which measured-laptop has no peak: it has one for fp32."),
        ("ffn", {"dtype": "fp32"}, "link_bandwidth", "This machine: Laptop, measured 30 Nov 2026 has none"),
    ],
)
def test_what_was_not_measured_is_asked_for(slug: str, given: dict[str, str], field: str, says: str) -> None:
    with pytest.raises(InvalidInputs) as caught:
        calculators.get(slug).evaluate(hardware="measured-laptop", **given)
    assert [error.field for error in caught.value.errors] == [field]
    assert says in caught.value.errors[0].message


@pytest.mark.usefixtures("laptop")
def test_a_link_says_custom_and_the_figures_that_the_result_needs() -> None:
    decode = calculators.get("decode")
    state = {"hardware": "measured-laptop", "model": "gpt2-small", "dtype": "fp32"}
    resolved = decode.validate(state)
    link = dict(decode.link_query(resolved))
    assert link["hardware"] == "custom"
    assert (link["peak_flops"], link["hbm_bandwidth"]) == ("150000000000", "20000000000")
    assert "hbm_bytes" not in link
    assert list(link) == [name for name in ("v", *decode.input_names) if name in link]
    here = decode.evaluate(state).outputs
    HARDWARE.offer([])  # elsewhere, where nobody measured this machine
    assert decode.evaluate(decode.parse_query(link.items())).outputs == here


@pytest.mark.usefixtures("laptop")
def test_a_figure_that_was_given_stays_in_the_link_as_it_was_typed() -> None:
    roofline = calculators.get("roofline")
    resolved = roofline.validate(hardware="measured-laptop", dtype="bf16", peak_flops="300 GFLOP/s")
    link = dict(roofline.link_query(resolved))
    assert (link["hardware"], link["peak_flops"]) == ("custom", "300 GFLOP/s")
