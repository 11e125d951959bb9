"""From what a caller gave to inputs that passed every check, or to all that is wrong with them at once."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from calculators.spec import reading
from calculators.spec.declare import Check
from calculators.spec.errors import FieldError, InvalidInputs, Unavailable
from calculators.spec.results import Resolved
from calculators.spec.values import Values

if TYPE_CHECKING:
    from calculators.spec.calculator import Calculator


def resolve(calculator: "Calculator", raw: Mapping[str, Any], *, swept: str | None = None) -> Resolved:
    """Read every input given, fill in defaults, and check what the inputs say together.

    The `swept` input stands aside: nothing is expected of it, and checks that read it are left to the sweep.
    """
    errors: list[FieldError] = []
    known: dict[str, Any] = {}
    texts: dict[str, str] = {}
    given: set[str] = set()
    refused = {swept} if swept else set()
    for name, value in raw.items():
        declared = calculator.input_names.get(name)
        if declared is None:
            errors.append(unknown_input(calculator, name))
            continue
        if name == swept or reading.is_blank(value):
            continue
        outcome = reading.read(declared, value)
        if isinstance(outcome, FieldError):
            errors.append(outcome)
            refused.add(name)
        else:
            known[name], texts[name] = outcome.value, outcome.text
            given.add(name)
    _fill_in_defaults(calculator, known, texts, refused)
    derived = calculator.derived
    if refused:
        derived = {name: rule for name, rule in derived.items() if name not in refused}
    values = Values(known, derived)
    errors += _failed_checks(calculator.checks, values, given)
    needed = calculator.needed(values)
    errors += _missing(needed, values)
    if errors:
        raise InvalidInputs(_in_order(calculator, errors))
    in_order = {name: texts[name] for name in calculator.input_names if name in texts}
    return Resolved(values, in_order, frozenset(given), needed)


def unknown_input(calculator: "Calculator", name: str) -> FieldError:
    """The refusal of a name that is no input."""
    names = ", ".join(calculator.input_names)
    message = f"{reading.shown(name)} is not an input of {calculator.slug}, which takes {names}."
    hint = reading.meant(name, calculator.input_names)
    return FieldError(reading.shown(name), "", f"one of {names}", f"{message} {hint}".strip())


def _fill_in_defaults(
    calculator: "Calculator", known: dict[str, Any], texts: dict[str, str], refused: set[str]
) -> None:
    for declared in calculator.defaulted:
        name = declared.name
        if name in known or name in refused:
            continue
        if declared.default_with and known.get(declared.default_with[0]) != declared.default_with[1]:
            continue
        known[name], texts[name] = calculator.defaults[name]


def _failed_checks(checks: tuple[Check, ...], values: Values, given: set[str]) -> Iterator[FieldError]:
    """What is wrong with inputs together; presets and defaults alone pass every check."""
    for check in checks:
        if not given.isdisjoint(check.names) and values.has(*check.names) and not check.holds(values):
            value, allowed = reading.shown(getattr(values, check.field)), check.allowed(values)
            message = f"{check.field} is {value}, but must be {allowed}."
            yield FieldError(check.field, value, allowed, message)


def _missing(needed: tuple[str, ...], values: Values) -> Iterator[FieldError]:
    """One error for each input that the outputs need and nothing supplies."""
    seen: set[str] = set()
    for name in needed:
        try:
            getattr(values, name)
        except Unavailable as missing:
            if missing.error is not None and missing.error.field not in seen:
                seen.add(missing.error.field)
                yield missing.error


def _in_order(calculator: "Calculator", errors: list[FieldError]) -> list[FieldError]:
    position = {name: index for index, name in enumerate(calculator.input_names)}
    return sorted(errors, key=lambda error: position.get(error.field, len(position)))
