"""A whole question at once, and every value in it, as an author wants to see them."""

from collections.abc import Iterator
from dataclasses import dataclass

from markupsafe import Markup

from app.bank.exact_math import UnusableError, read_value
from app.bank.graded import Answer, MistakeValue
from app.bank.params import display
from app.bank.reads import outputs_read
from app.bank.variants import Variant
from calculators.quantities import format_exact, format_quantity


@dataclass(frozen=True, slots=True)
class Point:
    weight: int
    must: bool
    text: Markup


@dataclass(frozen=True, slots=True)
class Shown:
    """The prose of a variant, section by section."""

    prompt: Markup
    hints: tuple[Markup, ...]
    sections: tuple[tuple[str, Markup], ...]
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Value:
    """A name of the question and what it is in this variant."""

    name: str
    text: str
    exact: str = ""
    note: str = ""


def shown(variant: Variant) -> Shown:
    prose = variant.question.sections
    parts = [(f"Part {part}", document) for part, document in prose.parts.items()]
    named = [("Answer", prose.answer), *parts, ("Approach", prose.approach)]
    named += [("Pitfalls", prose.pitfalls), ("Pro tip", prose.pro_tip)]
    return Shown(
        prompt=variant.render(prose.question),
        hints=tuple(map(variant.render, prose.hints)),
        sections=tuple((name, variant.render(document)) for name, document in named if not document.empty),
        points=(
            *(Point(each.weight, each.must, variant.render(each.text)) for each in prose.key_points),
            *(Point(each.weight, each.must, each.text) for part in variant.parts for each in part.key_points),
        ),
    )


def values(variant: Variant) -> tuple[tuple[str, tuple[Value, ...]], ...]:
    """The names of the question by their group; a group without any is left out."""
    groups = (
        ("Right values", tuple(_right(variant))),
        ("Parameters", tuple(_params(variant))),
        ("let", tuple(_lets(variant))),
        ("Outputs that are read", tuple(_outputs(variant))),
    )
    return tuple((name, found) for name, found in groups if found)


def _right(variant: Variant) -> Iterator[Value]:
    if variant.answer is not None:
        yield from _answer("answer", variant.answer, variant.mistakes)
    yield from _choices("", variant.right_choices)
    for part in variant.parts:
        if part.answer is not None:
            yield from _answer(f"answer.{part.id}", part.answer, part.mistakes)
        yield from _choices(f"{part.id}: ", tuple(each.id for each in part.choices if each.right))


def _choices(prefix: str, right: tuple[str, ...]) -> Iterator[Value]:
    if right:
        yield Value(f"{prefix}right", ", ".join(right))


def _answer(name: str, answer: Answer, mistakes: tuple[MistakeValue, ...]) -> Iterator[Value]:
    yield Value(name, answer.display, format_exact(answer.value))
    for mistake in mistakes:
        text = format_quantity(mistake.value, answer.family, unit=answer.unit)
        credit = format_quantity(mistake.credit, "ratio")
        yield Value(mistake.id, text, format_exact(mistake.value), f"mistake, keeps {credit}")


def _params(variant: Variant) -> Iterator[Value]:
    for chosen in variant.params.values():
        drawn = ", ".join(choice.text for choice in chosen.param.choices)
        yield Value(chosen.name, chosen.display, note=f"of {drawn}" if drawn else "")


def _lets(variant: Variant) -> Iterator[Value]:
    for name in variant.question.meta.let:
        yield _plain(name, variant.names[name], None)


def _outputs(variant: Variant) -> Iterator[Value]:
    read = outputs_read(variant.question)
    for name, calculation in variant.calculators.items():
        result = calculation.result
        for output in result.calculator.outputs:
            if (name, output.name) in read:
                yield _plain(f"{name}.{output.name}", result.outputs[output.name], output.family)


def _plain(name: str, value: object, family: str | None) -> Value:
    try:
        known = read_value(value, name)
    except UnusableError as error:
        return Value(name, "none", note=str(error))
    if isinstance(known, bool | str):
        return Value(name, display(known, "ratio"))
    text = display(known, family) if family else format_quantity(known, "ratio", unit="1")
    return Value(name, text, format_exact(known))
