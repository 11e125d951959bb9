"""Memory budgets: the parts add up to the total, and the memory is that of the device."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import calculators
from calculators.spec import Calculator
from calculators.spec.budgets import Spent, spent

BUDGETED = [calculator for calculator in calculators.all() if calculator.budget]
SERVING = calculators.get("serving-capacity")


def of(calculator: Calculator, **inputs: Any) -> Spent:
    found = spent(calculator.evaluate(inputs))
    assert found is not None
    return found


@pytest.mark.parametrize("calculator", BUDGETED, ids=lambda calculator: calculator.slug)
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_parts_add_up_to_the_total(draw: Any, calculator: Calculator, data: st.DataObject) -> None:
    result = calculator.evaluate(data.draw(draw(calculator)))
    found = spent(result)
    assert found is not None
    assert calculator.budget is not None
    assert all(amount >= 0 for _, amount in found.parts)
    if calculator.budget.total:
        assert found.total == result.exact[calculator.budget.total]


def test_every_name_is_one_of_the_calculator() -> None:
    for calculator in BUDGETED:
        assert calculator.budget is not None
        known = {*calculator.input_names, *calculator.term_names, *calculator.output_names}
        assert calculator.budget.names <= known
        labels = [part.label for part in calculator.budget.parts]
        assert len(set(labels)) == len(labels)


def test_weights_and_whole_conversations_fill_a_server() -> None:
    found = of(SERVING, reserve_bytes="2 GB", memory_fraction="90%")
    result = SERVING.evaluate(reserve_bytes="2 GB", memory_fraction="90%")
    assert found.capacity == 72 * 10**9
    assert [label for label, _ in found.parts] == ["Weights", "Reserved", "Caches"]
    left = found.capacity - found.total
    assert 0 <= left < result.exact["kv_bytes_per_sequence"], "not one more conversation fits"
    assert found.parts[2][1] + left == result.exact["free_bytes"]


def test_weights_that_do_not_fit_are_over_by_what_is_not_free() -> None:
    found = of(SERVING, model="llama-3-70b")
    assert found.capacity is not None
    assert found.total - found.capacity == -SERVING.evaluate(model="llama-3-70b").exact["free_bytes"]


def test_without_a_device_there_is_no_memory_to_hold_it_against() -> None:
    assert of(calculators.get("kv-cache")).capacity is None
    quantization = calculators.get("quantization")
    assert of(quantization).capacity == 80 * 10**9
    assert of(quantization, hardware="custom", hbm_bandwidth="1 TB/s").capacity is None
    assert spent(calculators.get("roofline").evaluate()) is None
