"""What changes a result by a factor is stated, and beside the input or output that it concerns."""

import calculators
from calculators.spec import Calculator


def stated(calculator: Calculator, words: str) -> set[str]:
    """The names beside which a convention with these words stands."""
    return {name for each in calculator.conventions if words in each.text for name in each.beside}


def test_every_convention_stands_beside_something_of_its_calculator() -> None:
    for calculator in calculators.all():
        known = calculator.input_names.keys() | calculator.output_names.keys()
        for convention in calculator.conventions:
            assert convention.beside, convention.text
            assert set(convention.beside) <= known, convention.text
            assert convention.text.endswith(".")


def test_who_counts_flop_says_what_one_is() -> None:
    for calculator in calculators.all():
        outputs = [output.name for output in calculator.outputs if output.family == "flop"]
        inputs = [name for name, declared in calculator.input_names.items() if declared.family == "flop"]
        if outputs or inputs:
            assert stated(calculator, "multiply-add is 2 FLOP") | stated(calculator, "6 FLOP"), calculator


def test_who_reads_a_peak_says_that_it_is_dense_beside_the_device() -> None:
    for calculator in calculators.all():
        if "peak_flops" in calculator.evaluate().resolved.needed:
            assert {"hardware", "peak_flops"} <= stated(calculator, "Peaks are dense"), calculator


def test_who_reads_a_link_says_that_it_has_one_direction() -> None:
    for calculator in calculators.all():
        if "link_bandwidth" in calculator.evaluate().resolved.needed:
            assert "link_bandwidth" in stated(calculator, "one direction"), calculator
    assert stated(calculators.get("collective"), "one direction") == {"bandwidth"}


def test_who_gives_bytes_says_which_gigabyte() -> None:
    for calculator in calculators.all():
        if any(output.family == "bytes" for output in calculator.outputs):
            assert stated(calculator, "GiB is 2³⁰"), calculator


def test_who_counts_attention_says_whether_it_is_whole_or_half() -> None:
    for slug in (
        "attention-flops", "transformer-flops", "mfu", "context-parallel", "decode", "prefill", "kv-transfer",
    ):  # fmt: skip
        calculator = calculators.get(slug)
        assert stated(calculator, "half") | stated(calculator, "halved"), slug
    assert "gradient_dtype" in stated(calculators.get("training-memory"), "fp32 main gradients")
    assert "active" in stated(calculators.get("transformer-params"), "embedding table")
