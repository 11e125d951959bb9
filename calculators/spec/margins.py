"""How far each limit is from binding."""

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from calculators.spec.declare import Input, Output

if TYPE_CHECKING:
    from calculators.spec.results import Result


class Margin(NamedTuple):
    """One limit: its time, or the rate that it allows, beside that of the limit that binds.

    `share` is its time over the longest, or the slowest rate over its own: 1 for the limit that binds, and
    for another one the part of the binding one's time in which it would be done.
    """

    limit: str
    declared: Input | Output
    value: int | Fraction
    share: Fraction
    binds: bool

    @property
    def factor(self) -> Fraction | None:
        """How many times longer it would have to take to bind; None where it takes no time at all."""
        return 1 / self.share if self.share else None


def margins(result: "Result") -> tuple[Margin, ...]:
    """Every limit of a result, in the order of the declaration; nothing where no limit binds."""
    calculator, binding = result.calculator, result.bound
    if not calculator.limits or binding is None:
        return ()
    declared: Mapping[str, Input | Output] = {**calculator.input_names, **calculator.output_names}
    values: dict[str, int | Fraction] = {}
    for word, name in calculator.limits.items():
        value = result.exact[name] if name in result.exact else result.exact_inputs[name]
        assert isinstance(value, int | Fraction)
        values[word] = value
    rates = declared[calculator.limits[binding]].family != "time"

    def share(value: int | Fraction) -> Fraction:
        part, whole = (values[binding], value) if rates else (value, values[binding])
        return Fraction(part) / Fraction(whole) if whole else Fraction(1)

    return tuple(
        Margin(word, declared[calculator.limits[word]], value, share(value), word == binding)
        for word, value in values.items()
    )
