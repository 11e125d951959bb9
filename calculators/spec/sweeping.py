"""All outputs over an array of one input, in one vectorised call."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from calculators.cost.errors import DomainError
from calculators.spec import resolving
from calculators.spec.declare import Input, Output
from calculators.spec.errors import FieldError, InvalidInputs, Unavailable
from calculators.spec.evaluating import as_field_error
from calculators.spec.reading import shown
from calculators.spec.results import Array, Resolved
from calculators.spec.values import Values, to_float

if TYPE_CHECKING:
    from calculators.spec.calculator import Calculator


def sweep(calculator: "Calculator", name: str, array: object, raw: Mapping[str, Any]) -> dict[str, Array]:
    """Every output over the array; what the input or a check does not allow is nan, or None for a word."""
    points = np.atleast_1d(np.asarray(array, dtype=np.float64))
    return sweep_from(calculator, base(calculator, name, raw), name, points)


def base(calculator: "Calculator", name: str, raw: Mapping[str, Any]) -> Resolved:
    """The inputs beside the swept one, checked as far as they go without it."""
    declared = calculator.input_names.get(name)
    if declared is None:
        raise InvalidInputs([resolving.unknown_input(calculator, name)])
    if not declared.numeric:
        numeric = ", ".join(other.name for other in calculator.inputs if other.numeric)
        message = f"{name} is no number; the inputs that have a range are {numeric}."
        raise InvalidInputs([FieldError(name, shown(name), f"one of {numeric}", message)])
    beside = {other: value for other, value in raw.items() if other != name}
    return resolving.resolve(calculator, beside, swept=name)


def sweep_from(
    calculator: "Calculator", resolved: Resolved, name: str, points: Array, *, relaxed: bool = False
) -> dict[str, Array]:
    """The sweep over inputs already checked. `relaxed` leaves whole-number rules aside."""
    known = {other: _as_float(vars(resolved.values)[other]) for other in resolved.texts}

    def values_at(swept: Array) -> Values:
        return Values({**known, name: swept}, calculator.derived, sweeping=True, relaxed=relaxed)

    with np.errstate(all="ignore"):
        values = values_at(points)
        try:
            refused = _refused(calculator, calculator.input_names[name], values, points)
            if refused.all():
                return {output.name: _nothing(output, points) for output in calculator.outputs}
            if refused.any():  # a point that is allowed stands in for those that are not, and is masked after
                values = values_at(np.where(refused, points[~refused][0], points))
            computed = calculator.compute(values)
        except DomainError as error:
            raise InvalidInputs([as_field_error(error)]) from error
        except Unavailable as missing:  # needed only now that the swept input says which outputs there are
            raise InvalidInputs([missing.error or _needed(calculator, missing.name)]) from missing
        return {output: _column(computed[output], refused) for output in calculator.output_names}


def _needed(calculator: "Calculator", name: str) -> FieldError:
    allowed = calculator.input_names[name].allowed
    return FieldError(name, "", allowed, f"{name} is needed: {allowed}.")


def _as_float(value: Any) -> Any:
    return value if isinstance(value, str | bool) else to_float(value)


def _refused(calculator: "Calculator", declared: Input, values: Values, points: Array) -> Array:
    """Where the swept input, or inputs together, are not allowed."""
    refused: Array = ~np.isfinite(points)
    refused |= points <= declared.minimum if declared.exclusive else points < declared.minimum
    if declared.maximum is not None:
        refused |= points > declared.maximum
    for check in calculator.checks:
        if not (check.whole and values.relaxed) and values.has(*check.names):
            refused |= np.logical_not(check.holds(values))
    for needed in calculator.needed(values):
        value = getattr(values, needed)
        if isinstance(value, np.ndarray) and value is not points:
            refused |= np.isnan(value)
    return refused


def _nothing(output: Output, points: Array) -> Array:
    return np.full(points.shape, None if output.family is None else np.nan)


def _column(computed: Any, refused: Array) -> Array:
    """One output at every point, what is refused or no finite number taken out."""
    column = np.asarray(np.nan if computed is None else computed)
    if column.dtype.kind in "US" or column.dtype == bool:
        column = _full(column, refused.shape)
        if refused.any():
            column = column.astype(object)
            column[refused] = None
        return column
    number = np.isfinite(column)
    if refused.any():
        number = number & ~refused
    if not number.all():
        column = np.where(number, column, np.nan)
    return _full(column.astype(np.float64, copy=False), refused.shape)


def _full(column: Array, shape: tuple[int, ...]) -> Array:
    return column if column.shape == shape else np.full(shape, column)
