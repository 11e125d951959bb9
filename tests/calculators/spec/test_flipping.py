"""What flips a verdict, proved by evaluating on both sides of each flip."""

from fractions import Fraction
from math import floor, log10
from typing import Any

import pytest

import calculators
from calculators.spec.flipping import NumberFlip

ROOFLINE = calculators.get("roofline")
DECODE = calculators.get("decode")
# Compute takes 5 ms and memory 10 ms, so that every flip of a number is by a factor of 2.
EVEN = {
    "flops": "1e12",
    "bytes": "1e10",
    "hardware": "custom",
    "peak_flops": "200e12",
    "hbm_bandwidth": "1e12",
}

STATES: list[tuple[str, dict[str, Any]]] = [
    *((calculator.slug, {}) for calculator in calculators.all() if calculator.verdict),
    ("decode", {"model": "llama-3-8b", "batch": 64, "context": 500, "kv_dtype": "fp8"}),
    ("decode", {"model": "llama-3-8b", "batch": 1000, "context": 200}),
    ("ffn", {"tokens": 4096, "devices": 8, "dtype": "fp8"}),
    ("ffn", {"tokens": 4096, "devices": 512, "gated": True}),
    ("matmul", {"m": 8, "n": 30011, "k": 7, "hardware": "l4"}),
    ("moe", {"tokens": 64, "model": "deepseek-v3", "devices": 32}),
    ("serving-capacity", {"model": "llama-3-70b", "devices": 1, "memory_fraction": "90%"}),
    ("data-parallel", {"devices": 4}),
    (
        "kv-transfer",
        {"model": "custom", "layers": 4, "heads": 12, "kv_heads": 2, "d_model": 96, "vocab_size": 999},
    ),
]


def number(found: Any, name: str, *, above: bool) -> NumberFlip | None:
    flips = [
        flip for flip in found.numbers if flip.declared.name == name and (flip.value > flip.now) == above
    ]
    return flips[0] if flips else None


def one_step_nearer(flip: NumberFlip) -> int | Fraction:
    """The whole number beside it, or one unit of its fourth figure, in the direction of the value now."""
    if flip.declared.kind == "count":
        return flip.value - (1 if flip.value > flip.now else -1)
    unit = Fraction(10) ** (floor(log10(flip.value)) - 3)
    return flip.value - (unit if flip.value > flip.now else -unit)


@pytest.mark.parametrize(("slug", "inputs"), STATES, ids=lambda state: str(state) if state else "")
def test_the_verdict_is_another_at_each_flip_and_the_same_just_before(
    slug: str, inputs: dict[str, Any]
) -> None:
    calculator = calculators.get(slug)
    found = calculator.flips(inputs)
    assert found is not None
    word = found.output.name
    assert calculator.evaluate(inputs).outputs[word] == found.verdict
    assert found.numbers or found.choices

    def verdict(name: str, value: object) -> Any:
        return calculator.evaluate({**inputs, name: value}).outputs[word]

    for flip in found.numbers:
        name = flip.declared.name
        assert verdict(name, flip.value) == flip.verdict == flip.result.outputs[word] != found.verdict
        nearer = one_step_nearer(flip)
        between = min(flip.now, flip.value) < nearer < max(flip.now, flip.value)
        if (
            between and flip.declared.group != "model"
        ):  # where a neighbour may be refused: heads have to divide
            assert verdict(name, nearer) == found.verdict, name
    for choice in found.choices:
        assert verdict(choice.declared.name, choice.choice) == choice.verdict != found.verdict


def test_a_tie_flips_where_the_rule_of_ties_says_so() -> None:
    found = ROOFLINE.flips(EVEN)
    assert found is not None
    assert found.verdict == "memory"
    flips = {flip.declared.name: flip for flip in found.numbers}
    assert {name: flip.value for name, flip in flips.items()} == {
        "flops": 2 * 10**12,
        "bytes": 5 * 10**9,
        "peak_flops": 10**14,
        "hbm_bandwidth": 2 * 10**12,
    }
    assert all(flip.ratio in (2, 0.5) and flip.verdict == "compute" for flip in flips.values())
    back = ROOFLINE.flips({**EVEN, "hbm_bandwidth": "4e12"})
    assert back is not None
    slower = number(back, "hbm_bandwidth", above=False)
    assert slower is not None
    assert (slower.value, slower.verdict) == (1_999 * 10**9, "memory"), "at 2 TB/s itself compute binds"


@pytest.mark.parametrize(
    ("slug", "inputs", "name"),
    [
        ("decode", {"model": "llama-3-8b", "context": 500}, "batch"),
        ("ffn", {"tokens": 700, "devices": 3}, "tokens"),
        ("ffn", {"tokens": 700}, "devices"),
        ("data-loading", {}, "workers"),
        ("serving-capacity", {"model": "llama-3-70b"}, "devices"),
        ("moe", {"tokens": 900}, "tokens"),
    ],
)
def test_a_count_is_the_nearest_of_all_whole_numbers(slug: str, inputs: dict[str, Any], name: str) -> None:
    calculator = calculators.get(slug)
    found = calculator.flips(inputs)
    assert found is not None
    now = calculator.evaluate(inputs).exact_inputs[name]
    assert isinstance(now, int)
    swept = calculator.sweep(name, range(1, 1500), inputs)[found.output.name]
    others = [value for value, verdict in enumerate(swept, start=1) if verdict != found.verdict]
    below = max((value for value in others if value < now), default=None)
    above = min((value for value in others if value > now), default=None)
    for expected, flip in (
        (below, number(found, name, above=False)),
        (above, number(found, name, above=True)),
    ):
        assert (flip.value if flip and flip.value < 1500 else None) == expected


def test_the_smallest_change_comes_first_and_what_changes_nothing_is_named() -> None:
    found = DECODE.flips(model="llama-2-7b", batch=8)
    assert found is not None
    distances = [flip.distance for flip in found.numbers]
    assert distances == sorted(distances)
    steady = {declared.name for declared in found.steady}
    assert {"batch", "context"} <= steady, "each sequence adds more reading than arithmetic"
    assert {"window", "experts", "link_bandwidth"}.isdisjoint(steady), "switched off, or used by no output"


def test_a_reserve_of_nothing_is_followed_upward() -> None:
    serving = calculators.get("serving-capacity")
    found = serving.flips(model="llama-3-8b")
    assert found is not None
    reserve = number(found, "reserve_bytes", above=True)
    free = serving.evaluate(model="llama-3-8b").exact["free_bytes"]
    assert reserve is not None
    assert free < reserve.value <= free * Fraction(1001, 1000)
    assert found.numbers[-1] is reserve, "from 0 no change is a factor"


def test_a_share_stays_within_its_bounds_and_whole_numbers_where_they_divide() -> None:
    found = calculators.get("data-parallel").flips(mfu="90%", tokens_per_device=8000)
    assert found is not None
    assert number(found, "mfu", above=True) is None
    transfer = calculators.get("kv-transfer").flips()
    assert transfer is not None
    heads = number(transfer, "kv_heads", above=True)
    assert heads is not None
    assert heads.value == 64, "of 64 query heads: 44 would do, but does not divide them"


def test_counts_beyond_the_whole_floats_still_flip_where_they_say() -> None:
    found = calculators.get("ffn").flips(tokens=2**60, devices=2**57)
    assert found is not None
    for flip in found.numbers:
        assert flip.result.outputs["bound"] != found.verdict


def test_a_calculator_without_a_verdict_has_no_flips() -> None:
    assert calculators.get("kv-cache").flips() is None
    assert all(sum(not output.family for output in each.outputs) < 2 for each in calculators.all())
