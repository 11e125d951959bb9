"""Derivations: every formula on a page gives the number beside it."""

import ast
import math
import re
from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import calculators
from calculators.spec import Calculator, Result
from calculators.spec.explaining import FUNCTIONS, formula_text, names_in, render

SCORES = calculators.get("attention-scores")


def longest(**times: Fraction) -> str:
    return max(times, key=lambda name: times[name])


def power(base: Fraction, exponent: Fraction) -> Fraction:
    """Exactly where that takes no more than some thousand digits, else to 60 figures and more."""
    if exponent.denominator == 1 and exponent * base.denominator.bit_length() <= 1 << 15:
        return Fraction(base**exponent)
    with localcontext() as context:
        context.prec = 60 + len(str(exponent)) + len(str(base))
        result = (Decimal(base.numerator) / base.denominator) ** (
            Decimal(exponent.numerator) / exponent.denominator
        )
    return Fraction(result) if result.adjusted() > -5000 else Fraction(0)


def smallest(**values: Fraction) -> str:
    return min(values, key=lambda name: values[name])


MEANING: dict[str, Callable[..., Any]] = {
    "min": min, "max": max, "floor": math.floor, "ceil": math.ceil, "sqrt": math.sqrt,
    "longest": longest, "smallest": smallest,
}  # fmt: skip


class Powers(ast.NodeTransformer):
    """Turns a ** b into power(a, b), for exponents that Python would be at for ever."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Pow):
            return node
        return ast.Call(ast.Name("power", ast.Load()), [node.left, node.right], [])


def as_python(formula: str, result: Result) -> Any:
    """The formula's value by Python itself, over exact inputs, terms and outputs."""
    known = {**result.exact_inputs, **result.terms, **result.exact}
    names = {
        name: Fraction(value) if isinstance(value, int | Fraction) and not isinstance(value, bool) else value
        for name, value in known.items()
    }
    whole_as_fractions = "".join(_as_fraction(part) for part in _tokens(formula))
    tree = ast.fix_missing_locations(Powers().visit(ast.parse(whole_as_fractions, mode="eval")))
    known_functions = {"__builtins__": {}, "Fraction": Fraction, "power": power, **MEANING}
    return eval(compile(tree, formula, "eval"), known_functions, names)


def is_rational(formula: str) -> bool:
    """Whether a formula has no roots and powers but whole ones, which can be compared digit by digit."""
    return not re.search(r"sqrt|\*\*(?!\d)", formula.replace(" ", ""))


def _tokens(formula: str) -> list[str]:
    return re.findall(r"\w+|\s+|[^\w\s]+", formula)


def _as_fraction(token: str) -> str:
    return f"Fraction({token})" if token.isdigit() else token


def test_every_function_that_a_formula_may_use_has_a_meaning_here() -> None:
    assert set(MEANING) == FUNCTIONS


@pytest.mark.parametrize("calculator", calculators.all(), ids=lambda calculator: calculator.slug)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_every_formula_gives_its_output(draw: Any, calculator: Calculator, data: st.DataObject) -> None:
    result = calculator.evaluate(data.draw(draw(calculator)))
    for output in calculator.outputs:
        if result.outputs[output.name] is None and output.name not in result.exact:
            continue
        formula = formula_text(output.formula, result)
        value = as_python(formula, result)
        given_out = result.exact.get(output.name, result.outputs[output.name])
        assert value == (given_out if is_rational(formula) else pytest.approx(given_out, rel=1e-12))
    for term in calculator.terms:
        if term.formula:
            formula = formula_text(term.formula, result)
            held = result.terms[term.name]
            assert as_python(formula, result) == (
                held if is_rational(formula) else pytest.approx(held, rel=1e-12)
            ), term.name


@pytest.mark.parametrize("calculator", calculators.all(), ids=lambda calculator: calculator.slug)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_every_name_is_explained_and_has_a_value(
    draw: Any, calculator: Calculator, data: st.DataObject
) -> None:
    result = calculator.evaluate(data.draw(draw(calculator)))
    steps = calculator.explain(result)
    assert [step.output for step in steps] == list(calculator.output_names)
    for step in steps:
        assert step.formula
        assert step.substituted
        assert step.value_text
        for symbol in step.where:
            assert symbol.label
            assert symbol.value_text != "none" or None in (
                result.outputs.get(symbol.name, 0),
                result.outputs[step.output],
            )


@pytest.mark.parametrize("calculator", calculators.all(), ids=lambda calculator: calculator.slug)
def test_symbols_are_not_shared_within_a_calculator(calculator: Calculator) -> None:
    result = calculator.evaluate()
    for step in calculator.explain(result):
        symbols = [symbol.symbol for symbol in step.where]
        assert len(set(symbols)) == len(symbols), step.output


@pytest.mark.parametrize("calculator", calculators.all(), ids=lambda calculator: calculator.slug)
def test_every_part_of_a_declaration_is_worded(calculator: Calculator) -> None:
    assert calculator.title
    assert calculator.summary.endswith(".")
    assert calculator.sources
    assert calculator.leaves_out
    assert calculator.conventions
    for source in calculator.sources:
        assert source.url.startswith("https://")
    for declared in calculator.inputs:
        assert declared.label
        assert declared.help.endswith("."), declared.name
        assert (declared.default is None) == (declared.follows != "") or declared.default_with
    for output in calculator.outputs:
        assert output.label
        assert output.meaning.endswith("."), output.name


def test_the_numbers_are_put_in_with_their_units() -> None:
    steps = {step.output: step for step in SCORES.explain(SCORES.evaluate(seq_len=8192))}
    scores = steps["score_bytes"]
    assert (scores.symbol, scores.formula) == ("B_scores", "N · e")
    assert scores.substituted == "34,359,738,368 · 4 B"
    assert scores.value_text == "137.439 GB"
    assert [symbol.name for symbol in scores.where] == ["score_elements", "bytes_per_element"]
    assert steps["score_elements"].substituted == "32 · 16 · 8,192 · 8,192 · 1"


def test_a_term_says_how_it_comes_about() -> None:
    calculator = calculators.get("kv-cache")
    step = calculator.explain(calculator.evaluate(model="llama-3-8b"))[0]
    elements = {symbol.name: symbol for symbol in step.where}["kv_elements"]
    assert (elements.formula, elements.value_text) == ("2 · h_kv · d_h", "2,048")
    latent = calculator.explain(calculator.evaluate(model="deepseek-v3"))[0]
    assert {symbol.name: symbol.formula for symbol in latent.where}["kv_elements"] == "r_kv + d_rope"


def test_a_negative_number_stands_in_brackets() -> None:
    calculator = calculators.get("serving-capacity")
    steps = {step.output: step for step in calculator.explain(calculator.evaluate(hardware="l4"))}
    assert steps["sequences"].substituted == "floor(max((-2.03173 GB), 0) / 1.67772 GB)"
    assert steps["fits"].value_text == "no"


@pytest.mark.parametrize(
    ("formula", "rendered"),
    [
        ("b * n**2", "b · n²"),
        ("(1 - a/b)**n", "(1 − a / b)^n"),
        ("a**(n + 1)", "a^(n + 1)"),
        ("2*(n - 1)/n", "2 · (n − 1) / n"),
        ("-a + -b", "−a + −b"),
        ("max(a, -1)", "max(a, −1)"),
        ("a >= 1", "a ≥ 1"),
        ("longest(x=a, y=b)", "longest(x = a, y = b)"),
        ("a == b", "a = b"),
        ("a * 1024", "a · 1,024"),
        ("a * 0.5", "a · 0.5"),
    ],
)
def test_rendering(formula: str, rendered: str) -> None:
    assert render(formula, lambda name: name) == rendered


def test_names_of_a_formula() -> None:
    assert names_in("max(a, b_1) * a / 2e3") == ["a", "b_1", "a"]
    assert names_in("longest(a=b, c=a) == d") == ["b", "a", "d"]


def test_a_word_that_is_also_an_input_stays_a_word() -> None:
    calculator = calculators.get("data-loading")
    step = calculator.explain(calculator.evaluate(workers=4))[-1]
    assert step.formula == "smallest(device = r, workers = r_workers, storage = r_storage)"
    assert step.substituted == "smallest(device = 3,000/s, workers = 1,600/s, storage = 18,181.8/s)"
    assert step.value_text == "workers"
