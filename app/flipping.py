"""What the API and the command line answer about what would flip a calculator's verdict."""

from fractions import Fraction

from pydantic import BaseModel, Field

from app.calculating import Number, Pairs, Plain
from calculators.spec import Calculator
from calculators.spec.evaluating import plain
from calculators.spec.flipping import ChoiceFlip, NumberFlip
from calculators.spec.margins import Margin, margins


class LimitMargin(BaseModel):
    """How far one limit is from binding."""

    limit: str
    value: Number = Field(description="Its time, or the rate that it allows")
    unit: str
    share: Number = Field(description="Its time over that of the limit that binds, 1 for that one")
    factor: Number = Field(
        description="How many times longer it would have to take to bind; null where it takes no time"
    )


class FlippingNumber(BaseModel):
    input: str
    unit: str
    now: Number
    value: Number = Field(description="The nearest value on its side that flips; an amount to 4 figures")
    ratio: Number = Field(description="value over now; null where that is 0")
    becomes: str | bool


class FlippingChoice(BaseModel):
    input: str
    now: str | bool
    value: str | bool
    becomes: str | bool


class Flips(BaseModel):
    calculator: str
    version: int
    output: str | None = Field(description="The output that is a word or a yes or no; null where none is")
    now: str | bool | None
    limits: list[LimitMargin] = Field(description="For bound: every limit, the one that binds among them")
    numbers: list[FlippingNumber] = Field(description="The smallest change first")
    choices: list[FlippingChoice]
    steady: list[str] = Field(description="Inputs in use that alone flip nothing, up to a millionfold change")
    notes: list[str]


def flips(calculator: Calculator, pairs: Pairs) -> Flips:
    """Every single change of an input that flips what binds, fits, hides or is faster."""
    raw = calculator.parse_query(pairs)
    found = calculator.flips(raw)
    if found is None:
        calculator.validate(raw)
        return Flips(
            calculator=calculator.slug,
            version=calculator.version,
            output=None,
            now=None,
            limits=[],
            numbers=[],
            choices=[],
            steady=[],
            notes=[
                *calculator.news(pairs),
                f"Every output of {calculator.slug} is a number: nothing here can flip.",
            ],
        )
    return Flips(
        calculator=calculator.slug,
        version=calculator.version,
        output=found.output.name,
        now=found.verdict,
        limits=[_limit(margin) for margin in margins(found.result)],
        numbers=[_number(flip) for flip in found.numbers],
        choices=[_choice(flip) for flip in found.choices],
        steady=[declared.name for declared in found.steady],
        notes=[*calculator.news(pairs), *found.result.notes],
    )


def _limit(margin: Margin) -> LimitMargin:
    return LimitMargin(
        limit=margin.limit,
        value=_plain(margin.value),
        unit=margin.declared.unit,
        share=_plain(margin.share),
        factor=_plain(margin.factor),
    )


def _number(flip: NumberFlip) -> FlippingNumber:
    return FlippingNumber(
        input=flip.declared.name,
        unit=flip.declared.unit,
        now=_plain(flip.now),
        value=_plain(flip.value),
        ratio=_plain(Fraction(flip.value) / Fraction(flip.now) if flip.now else None),
        becomes=flip.verdict,
    )


def _choice(flip: ChoiceFlip) -> FlippingChoice:
    return FlippingChoice(input=flip.declared.name, now=flip.now, value=flip.choice, becomes=flip.verdict)


def _plain(value: int | Fraction | None) -> int | float | None:
    number: Plain = plain(value)[0]
    assert number is None or isinstance(number, int | float)
    return number
