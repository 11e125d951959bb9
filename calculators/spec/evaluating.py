"""One exact evaluation, and exact numbers as the plain ones that JSON carries."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Any

from calculators.cost.errors import DomainError
from calculators.spec.errors import FieldError, InvalidInputs
from calculators.spec.results import Exact, Plain, Resolved, Result

if TYPE_CHECKING:
    from calculators.spec.calculator import Calculator


def evaluate(calculator: "Calculator", resolved: Resolved) -> Result:
    """All outputs of inputs that passed the checks."""
    values = resolved.values
    try:
        computed = calculator.compute(values)
    except DomainError as error:
        raise InvalidInputs([as_field_error(error)]) from error
    outputs: dict[str, Plain] = {}
    exact: dict[str, int | Fraction] = {}
    notes = list(_remarks(calculator, resolved, computed))
    for name, declared in calculator.output_names.items():
        value = computed[name]
        if type(value) is int and declared.family is not None:  # most are, and nothing else is to be seen to
            exact[name] = outputs[name] = value
            continue
        value = whole(value)
        if declared.family is not None and isinstance(value, (int, Fraction)):
            exact[name] = value
        outputs[name], reason = plain(value)
        if value is None:
            reason = declared.none
        if reason:
            notes.append(f"{name}: {reason}")
    return Result(calculator, resolved, outputs, exact, computed, notes)


def _remarks(calculator: "Calculator", resolved: Resolved, computed: Mapping[str, Any]) -> Iterator[str]:
    for name, note in calculator.noted.items():
        if name in resolved.needed and name not in resolved.given and (remark := note(resolved.values)):
            yield remark
    if calculator.notes:
        yield from calculator.notes(resolved.values, computed)


def whole(value: Any) -> Any:
    """A Fraction that is a whole number, as the int it is; anything else unchanged."""
    if isinstance(value, int):
        return value
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def plain(value: Exact | float) -> tuple[Plain, str]:
    """The value as JSON carries it, and why it is null where no float can hold it. Ints stay whole."""
    if isinstance(value, int):  # first: asking an int whether it is a Fraction takes 0.3 us
        return value, ""
    if isinstance(value, Fraction):
        try:
            number = value.numerator / value.denominator
        except OverflowError:
            return None, "too large to write as a number"
        if number == 0 and value != 0:
            return None, "too small to write as a number"
        return number, ""
    if isinstance(value, float) and not isfinite(value):
        return None, "no finite number"
    return value, ""


def terms(result: Result) -> dict[str, Exact]:
    """Every term of a result, computed with the outputs or looked up."""
    values, computed = result.resolved.values, result.computed
    return {
        name: whole(computed[name] if name in computed else getattr(values, name))
        for name in result.calculator.term_names
    }


def as_field_error(error: DomainError) -> FieldError:
    """What a cost function refused, as the refusal of the input of that name."""
    return FieldError(error.argument, str(error.given), error.allowed, f"{error}.")
