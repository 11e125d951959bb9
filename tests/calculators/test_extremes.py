"""Every input at the ends of what it takes: a number, or none and its reason, never nan or infinity."""

import contextlib
import json
import math
from collections.abc import Iterator
from fractions import Fraction

import pytest

import calculators
from calculators.presets import DTYPES, HARDWARE
from calculators.spec import Calculator, Input, InvalidInputs, Result

EXTREMES = (1, 2**63, 10**30 + 1, 10**300, Fraction(1, 10**30), Fraction(1, 10**300), 0)


def taken(calculator: Calculator, declared: Input) -> Iterator[Result]:
    """The results at those extremes that the input and the checks allow."""
    for value in EXTREMES:
        with contextlib.suppress(InvalidInputs):
            yield calculator.evaluate({declared.name: value})


@pytest.mark.parametrize("calculator", calculators.all(), ids=lambda calculator: calculator.slug)
def test_the_ends_of_every_input(calculator: Calculator) -> None:
    for declared in calculator.inputs:
        if not declared.numeric:
            continue
        for result in taken(calculator, declared):
            json.dumps(dict(result.outputs), allow_nan=False)
            for name, value in result.outputs.items():
                assert value is not None or any(note.startswith(f"{name}: ") for note in result.notes)
            for name, exact in result.exact.items():
                shown = result.outputs[name]
                if isinstance(exact, int):
                    assert shown == exact  # with all of its digits, whatever its size
                else:
                    assert shown is None or math.isfinite(float(shown))


@pytest.mark.parametrize("slug", ["roofline", "ffn", "mfu", "training-time", "tensor-parallel", "moe"])
def test_a_format_that_a_device_has_no_peak_for(slug: str) -> None:
    calculator = calculators.get(slug)
    for name, device in HARDWARE.items():
        for dtype in DTYPES.keys() - device.peak_flops.keys():
            with pytest.raises(InvalidInputs) as caught:
                calculator.evaluate(hardware=name, dtype=dtype)
            (error,) = caught.value.errors
            assert error.field == "dtype"
            assert all(known in error.allowed for known in device.peak_flops)
            assert calculator.evaluate(hardware=name, dtype=dtype, peak_flops="1 PFLOP/s").outputs
