"""What a calculator gives back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from numpy.typing import NDArray

if TYPE_CHECKING:
    from calculators.spec.calculator import Calculator
    from calculators.spec.values import Values

Array: TypeAlias = NDArray[Any]  # float64; bool or str for yes or no and for words, object if some are None
Exact: TypeAlias = int | Fraction | str | bool | None
Plain: TypeAlias = int | float | str | bool | None  # what JSON can carry


class Resolved(NamedTuple):
    """Inputs that passed every check: exact values by name, and the text of those given or defaulted."""

    values: "Values"
    texts: Mapping[str, str]  # what a link carries, in the declaration's order
    given: frozenset[str]  # the names that the caller gave
    needed: tuple[str, ...]  # the names that the outputs cannot do without


@dataclass(frozen=True, eq=False)
class Result:
    """One evaluation: `inputs` and `outputs` as plain numbers, `exact` the outputs as ints and Fractions."""

    calculator: "Calculator"
    resolved: Resolved
    outputs: Mapping[str, Plain]
    exact: Mapping[str, int | Fraction]
    computed: Mapping[str, Any]  # outputs and terms as the cost functions gave them
    notes: list[str] = field(default_factory=list)

    @cached_property
    def terms(self) -> Mapping[str, Exact]:
        """The named numbers between inputs and outputs, exactly."""
        from calculators.spec.evaluating import terms

        return terms(self)

    @cached_property
    def exact_inputs(self) -> Mapping[str, Exact]:
        """Every input as resolved, a preset's figures and followers included; None where there is none."""
        return self.calculator.resolved_inputs(self.resolved)

    @cached_property
    def inputs(self) -> Mapping[str, Plain]:
        """The same as plain numbers."""
        from calculators.spec.evaluating import plain

        return {name: plain(value)[0] for name, value in self.exact_inputs.items()}

    @property
    def bound(self) -> str | None:
        """The limit that binds, in a calculator that has one."""
        word = self.outputs.get("bound")
        return word if isinstance(word, str) else None

    @cached_property
    def margins(self) -> Mapping[str, float]:
        """Each limit's time as a share of the largest: 1 for the one that binds, 1/4 if 4 times faster."""
        from calculators.spec.margins import margins

        return {margin.limit: float(margin.share) for margin in margins(self)}


class Symbol(NamedTuple):
    """One name of a formula: what it stands for and its value here."""

    name: str
    symbol: str
    label: str
    value_text: str
    formula: str = ""  # how a term comes about, in symbols


class Step(NamedTuple):
    """The derivation of one output: the formula in symbols, with the numbers put in, and the result."""

    output: str
    symbol: str
    formula: str
    substituted: str
    value_text: str
    where: tuple[Symbol, ...]


class Root(NamedTuple):
    """A solution. `value` is real; `through` is the far end where a whole stretch of values gives the target.

    For a count, `whole` has the results at the nearest allowed whole numbers below and above, or at the value
    itself where it is whole. For an amount, `result` is the result at the value.
    """

    value: int | float
    through: int | float | None = None
    whole: tuple[Result, ...] = ()
    result: Result | None = None


class Solution(NamedTuple):
    """All solutions found, smallest first, and remarks: in words what there is to say about them.

    A remark has `{name}` and `{output}` where the input and the output are called by their names.
    """

    name: str
    output: str
    target: int | float
    target_text: str
    solutions: tuple[Root, ...]
    remarks: tuple[str, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """The remarks with the declared names."""
        return self.told(self.name, self.output)

    def told(self, name: str, output: str) -> tuple[str, ...]:
        """The remarks with the input and the output called so."""
        return tuple(remark.format(name=name, output=output) for remark in self.remarks)
