"""What the tests of every face of a calculator share: all calculators, and inputs drawn for them."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

import pytest
from hypothesis import strategies as st

from calculators.spec import Calculator, Input, InvalidInputs

Inputs: TypeAlias = dict[str, Any]
Draw: TypeAlias = Callable[[Calculator], st.SearchStrategy[Inputs]]

_PEAK_FORMATS = {"dtype", "compute_dtype"}  # a device has no peak for some formats

# Dimensions hang together, so a model is drawn as a preset or as one of these.
MODELS: tuple[Inputs, ...] = (
    {"model": "gpt2-small"},
    {"model": "llama-3-8b"},
    {"model": "llama-3-8b", "layers": 7, "d_ff": 1000},
    {"model": "qwen3-4b"},
    {"model": "qwen2.5-7b"},
    {"model": "gemma-3-27b"},
    {"model": "mixtral-8x7b"},
    {"model": "deepseek-v3"},
    {"model": "deepseek-v3", "q_lora_rank": 0, "bias": True},
    {"model": "gpt-oss-120b"},
    {"model": "custom", "layers": 3, "heads": 6, "d_model": 96, "vocab_size": 1000},
    {
        "model": "custom",
        "layers": 5,
        "heads": 8,
        "kv_heads": 2,
        "head_dim": 24,
        "d_model": 100,
        "d_ff": 300,
        "vocab_size": 999,
        "learned_positions": True,
        "max_positions": 64,
        "norm_type": "layer",
        "bias": True,
        "window": 16,
        "window_layers": 2,
    },
)


def _value(declared: Input) -> st.SearchStrategy[Any]:
    if declared.kind == "flag":
        return st.booleans()
    if declared.kind == "choice":
        return st.sampled_from(declared.choices)
    if declared.kind == "count":
        most_count = 2**70 if declared.maximum is None else declared.maximum
        ranges = [st.integers(declared.minimum, min(most, most_count)) for most in (64, 10**6)]
        return st.one_of(*ranges, st.just(most_count))
    most = Fraction(declared.maximum) if declared.maximum is not None else Fraction(10**15)
    least = Fraction(1, 10**6) if declared.exclusive else Fraction(declared.minimum)
    return st.fractions(least, most, max_denominator=10**6)


def _inputs(calculator: Calculator) -> st.SearchStrategy[Inputs]:
    own = [
        declared
        for declared in calculator.inputs
        if declared.group != "model" and declared.name not in ("hardware", *_PEAK_FORMATS)
    ]
    drawn = st.fixed_dictionaries({}, optional={declared.name: _value(declared) for declared in own})
    fixed: list[st.SearchStrategy[Inputs]] = [drawn]
    if "dtype" in calculator.input_names:
        formats = ["bf16", "int8"] if "hardware" in calculator.input_names else ["fp32", "bf16", "int4"]
        with_peaks = {
            name: st.sampled_from(formats) for name in _PEAK_FORMATS & calculator.input_names.keys()
        }
        fixed.append(st.fixed_dictionaries({}, optional=with_peaks))
    if "hardware" in calculator.input_names:
        fixed.append(
            st.fixed_dictionaries({}, optional={"hardware": st.sampled_from(["h100-sxm", "tpu-v5e", "l4"])})
        )
    if "model" in calculator.input_names:
        fixed.append(st.sampled_from(({}, *MODELS)))

    def merged(parts: tuple[Inputs, ...]) -> Inputs:
        return {name: value for part in parts for name, value in part.items()}

    return st.tuples(*fixed).map(merged).filter(partial(_go_together, calculator))


def _go_together(calculator: Calculator, inputs: Inputs) -> bool:
    """Whether no check refuses these inputs beside one another."""
    try:
        calculator.validate(inputs)
    except InvalidInputs as invalid:
        return not {error.field for error in invalid.errors} <= {check.field for check in calculator.checks}
    return True


@pytest.fixture(scope="session")
def draw() -> Draw:
    """Allowed inputs for a calculator, as a Python caller would give them."""
    return _inputs
