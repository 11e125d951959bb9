"""The derivation of each output: its formula in symbols, with the numbers put in, and the result."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from calculators import quantities
from calculators.spec.declare import Formula, Input, Output, Term
from calculators.spec.results import Exact, Result, Step, Symbol

if TYPE_CHECKING:
    from calculators.spec.calculator import Calculator

_TOKEN = re.compile(
    r"(?P<name>[A-Za-z_]\w*)|(?P<number>\d+(?:\.\d+)?(?:e-?\d+)?)|(?P<operator>\*\*|<=|>=|==|[-+*/(),<>=])|\s+"
)
_WRITTEN = {"*": " · ", "-": " − ", ">=": " ≥ ", "<=": " ≤ ", "==": " = ", ",": ", "}
_WRITTEN |= {operator: f" {operator} " for operator in "/+=<>"}
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
FUNCTIONS = frozenset(("min", "max", "floor", "ceil", "sqrt", "longest", "smallest"))
_FIGURES = 6  # of a number put into a formula


def explain(calculator: "Calculator", result: Result, only: Collection[str] | None = None) -> list[Step]:
    """One step for each output, or for each of `only`, in the order of the declaration."""
    names = _Names(calculator, result)
    return [names.step(declared) for declared in calculator.outputs if only is None or declared.name in only]


def formula_text(formula: Formula, result: Result) -> str:
    """The formula in names, as it holds for these inputs."""
    return formula(result.resolved.values) if callable(formula) else formula


class _Names:
    """Everything that a formula can name, with its symbol and its value in one result."""

    def __init__(self, calculator: "Calculator", result: Result) -> None:
        self.result = result
        self.declared: Mapping[str, Input | Output | Term] = {
            **calculator.input_names,
            **calculator.term_names,
            **calculator.output_names,
        }
        words = {name: value for name, value in result.outputs.items() if name not in result.exact}
        self.values: Mapping[str, Exact | float] = {
            **result.exact_inputs,
            **result.terms,
            **result.exact,
            **words,
        }
        self.texts: dict[str, str] = {}  # of the values, as far as they were asked for

    def step(self, output: Output) -> Step:
        text = formula_text(output.formula, self.result)
        used = dict.fromkeys(self._used(text))
        return Step(
            output.name,
            self.symbol(output.name),
            render(text, self.symbol),
            render(text, self.put_in),
            self.value_text(output.name),
            tuple(self._where(name) for name in used),
        )

    def _used(self, text: str) -> Iterator[str]:
        """The names in a formula, and behind them the terms that those terms are made of."""
        named = [name for name in names_in(text) if name in self.declared]
        yield from named
        for name in named:
            declared = self.declared[name]
            if isinstance(declared, Term) and declared.formula:
                behind = self._used(formula_text(declared.formula, self.result))
                yield from (other for other in behind if isinstance(self.declared[other], Term))

    def symbol(self, name: str) -> str:
        declared = self.declared.get(name)
        return declared.symbol or name if declared is not None else name

    def put_in(self, name: str) -> str:
        text = self.value_text(name) if name in self.declared else name
        return f"({text})" if text.startswith(("-", "−")) else text

    def value_text(self, name: str) -> str:
        """The value in human units, as many figures as a reader needs to follow the arithmetic."""
        if name not in self.texts:
            self.texts[name] = self._written(name)
        return self.texts[name]

    def _written(self, name: str) -> str:
        value = self.values.get(name)
        family = _family(self.declared[name])
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, str):
            return value
        return quantities.format_quantity(value, family, figures=_FIGURES)

    def _where(self, name: str) -> Symbol:
        declared = self.declared[name]
        formula = ""
        if isinstance(declared, Term) and declared.formula:
            formula = render(formula_text(declared.formula, self.result), self.symbol)
        return Symbol(name, self.symbol(name), declared.label, self.value_text(name), formula)


def _family(declared: Input | Output | Term) -> str:
    return declared.family or "count"


def names_in(formula: str) -> list[str]:
    """The names that a formula uses, functions aside."""
    return [text for text, is_name in _parts(formula) if is_name]


def render(formula: str, write: Callable[[str], str]) -> str:
    """The formula as it is printed, each name as `write` has it: "b * n**2" becomes "b · n²"."""
    return "".join(write(text) if is_name else text for text, is_name in _parts(formula))


@lru_cache(maxsize=1024)  # there are some hundreds, and a page prints many of them at every change
def _parts(formula: str) -> tuple[tuple[str, bool], ...]:
    """The formula in parts: names of values, which are yet to be written, and all else as it is printed."""
    parts: list[tuple[str, bool]] = []
    before = ""  # the token before, to tell a sign from a subtraction and an exponent from a factor
    for match in _TOKEN.finditer(formula):
        token = match[0]
        if match["name"]:
            parts.append((token, token not in FUNCTIONS and not _names_an_argument(formula, match)))
        elif match["number"]:
            parts.append((token.translate(_SUPERSCRIPTS) if before == "**" else _grouped(token), False))
        elif match["operator"] == "-" and before in ("", "(", ",", "*", "/", "+", "-", "="):
            parts.append(("−", False))
        elif match["operator"] == "**":
            parts.append(("" if formula[match.end() :].lstrip()[:1].isdigit() else "^", False))
        elif match["operator"]:
            parts.append((_WRITTEN.get(token, token), False))
        if token.strip():
            before = token
    return tuple(parts)


def _names_an_argument(formula: str, match: re.Match[str]) -> bool:
    """Whether the token is the word before = in longest(compute=...), which may be an input's name too."""
    rest = formula[match.end() :].lstrip()
    return rest.startswith("=") and not rest.startswith("==")


def _grouped(number: str) -> str:
    return f"{int(number):,}" if number.isdigit() else number
