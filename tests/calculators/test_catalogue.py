"""The catalogue, and that it stays light."""

import subprocess
import sys

import pytest

import calculators
from calculators.spec import Input, Output, Term


def test_calculators_are_found_by_slug() -> None:
    slugs = [calculator.slug for calculator in calculators.all()]
    assert len(set(slugs)) == len(slugs)
    for calculator in calculators.all():
        assert calculators.get(calculator.slug) is calculator
    assert repr(calculators.get("ffn")) == "<Calculator ffn>"


def test_an_unknown_slug_is_a_key_error_with_a_hint() -> None:
    with pytest.raises(KeyError) as caught:
        calculators.get("kv-cash")
    assert isinstance(caught.value, calculators.UnknownCalculator)
    assert caught.value.slug == "kv-cash"
    assert str(caught.value) == "There is no calculator kv-cash. Did you mean kv-cache?"
    with pytest.raises(calculators.UnknownCalculator) as far_off:
        calculators.get("z" * 1000)
    assert str(far_off.value) == f"There is no calculator {'z' * 64}."


def modules_after(statement: str) -> set[str]:
    """What a fresh process imports beyond numpy for this."""
    script = (
        f"import sys, numpy; before = set(sys.modules); import calculators; {statement}; "
        "print(*set(sys.modules) - before)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_the_library_needs_numpy_and_nothing_else() -> None:
    packages = {name.partition(".")[0] for name in modules_after("calculators.all()")}
    assert packages - {"calculators", "numpy", "_strptime"} - set(sys.stdlib_module_names) == set()


def test_a_calculator_is_imported_when_it_is_asked_for() -> None:
    imported = modules_after("calculators.get('amdahl')")
    assert "calculators.amdahl" in imported
    assert not imported & {"calculators.roofline", "calculators.batching", "calculators.presets"}


@pytest.mark.parametrize("calculator", calculators.all(), ids=lambda calculator: calculator.slug)
def test_a_symbol_stands_for_one_thing(calculator: calculators.Calculator) -> None:
    named: list[Input | Term | Output] = [*calculator.inputs, *calculator.terms, *calculator.outputs]
    symbols = [each.symbol for each in named if each.symbol]
    assert len(set(symbols)) == len(symbols), sorted(each for each in symbols if symbols.count(each) > 1)
