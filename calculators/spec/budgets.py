"""What takes the memory of a device, part by part, and what that is held against."""

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from calculators.spec.results import Exact, Result


class Part(NamedTuple):
    """A part of a budget: the product of these inputs, terms and outputs, in bytes."""

    label: str
    factors: tuple[str, ...]


class Budget(NamedTuple):
    """The parts, the output that is their sum, and the memory as a product of inputs.

    Without `capacity` the calculator knows of no device: its page tries the memories of known ones.
    """

    parts: tuple[Part, ...]
    total: str = ""
    capacity: tuple[str, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """Every input, term and output that it reads."""
        total = (self.total,) if self.total else ()
        return frozenset((*total, *self.capacity, *(name for part in self.parts for name in part.factors)))


class Spent(NamedTuple):
    """A budget in one result, in bytes. `capacity` is None where no device is known."""

    parts: tuple[tuple[str, int | Fraction], ...]
    capacity: int | Fraction | None

    @property
    def total(self) -> int | Fraction:
        return sum((amount for _, amount in self.parts), 0)


def part(label: str, *factors: str) -> Part:
    """A part by its label and what is multiplied: part("Caches", "sequences", "kv_bytes_per_sequence")."""
    return Part(label, factors)


def spent(result: "Result") -> Spent | None:
    """The budget of a result; None for a calculator without one."""
    budget = result.calculator.budget
    if budget is None:
        return None
    values: Mapping[str, Exact] = {**result.exact_inputs, **result.terms, **result.exact}
    parts = tuple((each.label, _product(values, each.factors) or 0) for each in budget.parts)
    return Spent(parts, _product(values, budget.capacity) if budget.capacity else None)


def _product(values: "Mapping[str, Exact]", factors: tuple[str, ...]) -> int | Fraction | None:
    """The product, or None where a factor is not known."""
    product: int | Fraction = 1
    for name in factors:
        value = values[name]
        if value is None:
            return None
        assert isinstance(value, int | Fraction)
        product *= value
    return product
