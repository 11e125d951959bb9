"""What would flip a calculator's verdict, as the page shows it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from app.calculating import value_text
from app.comparison import ratio_text
from app.pages.calculator_address import Kept
from app.pages.calculator_view import canonical_path, display_name
from app.pages.limits_view import LIMITS
from calculators.spec import Calculator, InvalidInputs
from calculators.spec.flipping import ChoiceFlip, Flips, NumberFlip, Verdict

FIGURES = 4  # those that a flip of an amount is rounded to


@dataclass(frozen=True, slots=True)
class Becomes:
    """The other verdict. `limit` is the word where it has a colour, else empty."""

    text: str
    limit: str


@dataclass(frozen=True, slots=True)
class NumberRow:
    """A number, its value now, and the nearest one that flips, with the address of that state."""

    label: str
    now: str
    value: str
    path: str | None
    change: str
    becomes: Becomes


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """A choice, and all its words that lead to one other verdict."""

    label: str
    now: str
    words: tuple[tuple[str, str | None], ...]
    becomes: Becomes


@dataclass(frozen=True, slots=True)
class FlipsView:
    """`dimensions` are numbers of a published model, which nobody changes one at a time."""

    output: str
    now: Becomes
    numbers: tuple[NumberRow, ...]
    dimensions: tuple[NumberRow, ...]
    choices: tuple[ChoiceRow, ...]
    steady: str


def view(calculator: Calculator, raw: Mapping[str, str], kept: Kept) -> FlipsView | None:
    """What flips the verdict; None while an input cannot be used, or where there is no verdict."""
    try:
        found = calculator.flips(raw)
    except InvalidInputs:
        return None
    if found is None:
        return None
    given = found.result.resolved.texts
    own = [flip for flip in found.numbers if flip.declared.group != "model" or flip.declared.name in given]
    return FlipsView(
        output=found.output.label,
        now=_becomes(found, found.verdict),
        numbers=tuple(_number(found, flip, kept) for flip in own),
        dimensions=tuple(_number(found, flip, kept) for flip in found.numbers if flip not in own),
        choices=tuple(_choices(found, kept)),
        steady=", ".join(declared.label for declared in found.steady),
    )


def _becomes(found: Flips, verdict: Verdict) -> Becomes:
    return Becomes(value_text(found.output, verdict), str(verdict) if verdict in LIMITS else "")


def _number(found: Flips, flip: NumberFlip, kept: Kept) -> NumberRow:
    return NumberRow(
        label=flip.declared.label,
        now=value_text(flip.declared, flip.now, figures=FIGURES),
        value=value_text(flip.declared, flip.value, figures=FIGURES),
        path=canonical_path(flip.result.calculator, flip.result.resolved, kept),
        change=ratio_text(Fraction(flip.value) / Fraction(flip.now)) if flip.now else "",
        becomes=_becomes(found, flip.verdict),
    )


def _choices(found: Flips, kept: Kept) -> Iterator[ChoiceRow]:
    """The flips of each choice, together where they lead to the same verdict."""
    together: dict[tuple[str, Verdict], list[ChoiceFlip]] = {}
    for flip in found.choices:
        together.setdefault((flip.declared.name, flip.verdict), []).append(flip)
    for flips in together.values():
        first = flips[0]
        yield ChoiceRow(
            label=first.declared.label,
            now=_word(first.declared.name, first.now),
            words=tuple(
                (
                    _word(flip.declared.name, flip.choice),
                    canonical_path(flip.result.calculator, flip.result.resolved, kept),
                )
                for flip in flips
            ),
            becomes=_becomes(found, first.verdict),
        )


def _word(name: str, choice: Verdict) -> str:
    return display_name(name, choice) if isinstance(choice, str) else "yes" if choice else "no"
