"""How a substitution prints in a variant: a number with all its digits behind it, a name, or wording."""

from typing import TYPE_CHECKING

from app.bank.document import Shown
from app.bank.expressions import ExpressionError
from app.bank.params import Value, display
from app.bank.substitutions import (
    AnswerSubstitution,
    FormattedSubstitution,
    NameSubstitution,
    Substitution,
    WordingSubstitution,
)
from calculators import quantities

if TYPE_CHECKING:
    from app.bank.variants import Variant


def shown(substitution: Substitution, variant: "Variant") -> Shown:
    """The text of a substitution, or an ExpressionError where it has none."""
    match substitution:
        case AnswerSubstitution(part=part):
            answer = variant.answer if part is None else variant.part_answers.get(part)
            if answer is None:
                raise ExpressionError(
                    "there is no such answer", substitution.source, hint="answer, or answer.part"
                )
            return _number(answer.display, answer.value, answer.family)
        case FormattedSubstitution(formatter=formatter):
            value = substitution.expression.evaluate(variant.names)
            return _number(substitution.text(variant.names), value, formatter.family)
        case WordingSubstitution():
            return Shown(substitution.text(variant.names), "wording")
        case NameSubstitution():
            return _named(substitution, variant)


def _named(substitution: NameSubstitution, variant: "Variant") -> Shown:
    name, attribute = substitution.reference.name, substitution.reference.attribute
    value = substitution.expression.evaluate(variant.names)
    figure = variant.question.program.constants.get(name)
    if figure is not None:
        return _number(figure.text, figure.value, figure.family)
    if isinstance(value, bool | str):
        return Shown(display(value, "ratio"), "name")
    family = _family(name, attribute, variant)
    text = display(value, family) if family else _plain(value)
    return _number(text, value, family)


def _family(name: str, attribute: str | None, variant: "Variant") -> str | None:
    """The family of units of a parameter or of a calculator's input, term or output; None for a `let`."""
    if attribute is None:
        return variant.params[name].param.input.family if name in variant.params else None
    calculator = variant.calculators[name].result.calculator
    for declared in (calculator.output_names, calculator.term_names, calculator.input_names):
        if attribute in declared:
            return declared[attribute].family
    return None


def _plain(value: Value) -> str:
    """A number without a unit: all digits before the point, three figures after it."""
    assert not isinstance(value, str)
    return quantities.format_quantity(value, "ratio", unit=quantities.base_unit("ratio"))


def _number(text: str, value: Value, family: str | None) -> Shown:
    """A number, with all its digits for the hover where the text has rounded them away."""
    assert not isinstance(value, str)
    unit = quantities.base_unit(family) if family else "1"
    exact = quantities.format_exact(value) + ("" if unit == "1" else f" {unit}")
    return Shown(text, "num", "" if exact == text.removesuffix("×") else exact)
