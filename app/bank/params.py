"""The parameters and constants of a question: their types, what each may be set to, and what a seed draws."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import Literal

from app.bank.schema import Constant, ParamSpec
from calculators import quantities
from calculators.presets import HARDWARE, MODELS
from calculators.spec import FieldError, Input, amount, choice, count, flag, reading

Value = int | Fraction | str | bool
Place = tuple[str | int, ...]

MAX_SEED = 2**53
MAX_TRIES = 100
_DISPLAY_NAMES = {slug: row.name for slug, row in HARDWARE.items()}
_DISPLAY_NAMES |= {slug: row.name for slug, row in MODELS.items()}


def display_name(word: str) -> str:
    """A preset's slug as people write it; any other word as it is."""
    return _DISPLAY_NAMES.get(word, word)


def display(value: Value, family: str) -> str:
    """A value as it prints without a formatter."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return display_name(value) if isinstance(value, str) else quantities.format_quantity(value, family)


@dataclass(frozen=True, slots=True)
class Setting:
    """A value and the text that gives it, in a link or a form field."""

    value: Value
    text: str


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter: how it is read, which values are allowed and which a variant draws.

    It takes the type, unit, label and symbol of the calculator input of the same name, where there is one.
    """

    name: str
    input: Input
    written: Setting
    choices: tuple[Setting, ...]
    minimum: Setting | None = None
    maximum: Setting | None = None

    @property
    def kind(self) -> Literal["count", "amount", "choice", "flag"]:
        return self.input.kind

    @property
    def fixed(self) -> bool:
        """Whether no other value is allowed: a figure of the question that only its author may change."""
        if self.minimum and self.maximum:
            return self.minimum.value == self.maximum.value
        return len({choice.value for choice in (self.written, *self.choices)}) == 1

    @property
    def allowed(self) -> str:
        """What may be given, as it ends an error message."""
        if not self.input.numeric:
            words = dict.fromkeys(choice.text for choice in (*self.choices, self.written))
            return "one of " + ", ".join(words) if len(words) > 1 else next(iter(words))
        assert self.minimum is not None
        assert self.maximum is not None
        low, high = self.minimum, self.maximum
        whole = "a whole number " if self.kind == "count" else ""
        return f"{whole}from {low.text} to {high.text}" if low.value != high.value else low.text

    def draw(self, slug: str, seed: int, attempt: int) -> Setting:
        """The value that this try of a seed gives, independent of every other parameter."""
        if seed == 0 or not self.choices:
            return self.written
        digest = sha256(f"{slug}|{seed}|{self.name}|{attempt}".encode()).digest()
        return self.choices[int.from_bytes(digest[:8], "big") % len(self.choices)]

    def read(self, text: str) -> Setting | FieldError:
        """The value that a reader asked for, or why it is refused."""
        outcome = read_setting(self.input, text)
        if isinstance(outcome, Setting):
            return outcome if self._within(outcome.value) else self.refusal(text)
        # What is no number at all gets the grammar's advice on what to type.
        return outcome._replace(allowed=self.allowed) if self.input.numeric else self.refusal(text)

    def refusal(self, text: str) -> FieldError:
        shown = reading.shown(text)
        message = f"{self.name} is {reading.quoted(text)}, but this question allows {self.allowed}."
        return FieldError(self.name, shown, self.allowed, message)

    def _within(self, value: Value) -> bool:
        if self.minimum is None or self.maximum is None:
            return value in {choice.value for choice in (*self.choices, self.written)}
        assert not isinstance(value, str)
        return _number(self.minimum) <= value <= _number(self.maximum)


def _number(setting: Setting) -> int | Fraction:
    assert not isinstance(setting.value, str)
    return setting.value


def read_setting(declared: Input, raw: object) -> Setting | FieldError:
    """A value by the calculators' own rules, an integer where it is whole."""
    outcome = reading.read(declared, raw)
    if isinstance(outcome, FieldError):
        return outcome
    value = outcome.value
    if isinstance(value, Fraction) and value.denominator == 1:
        value = value.numerator
    return Setting(value, outcome.text)


def declare(name: str, spec: ParamSpec, found: Input | None) -> Param | list[tuple[Place, str]]:
    """The parameter that a front matter describes, or what is wrong with it and at which key."""
    declared = _described(name, spec, found)
    wrong: list[tuple[Place, str]] = []

    def settle(place: Place, raw: object) -> Setting | None:
        outcome = read_setting(declared, raw)
        if isinstance(outcome, Setting):
            return outcome
        wrong.append((place, outcome.message))
        return None

    written = settle(("value",), spec.value)
    choices = [settle(("choices", number), raw) for number, raw in enumerate(spec.choices)]
    if not declared.numeric and not (spec.min is None and spec.max is None):
        wrong.append(
            (("min",), f"{name} is not a number, so it has no min and max; its choices are all it may be")
        )
    low = settle(("min",), spec.min) if declared.numeric and spec.min is not None else None
    high = settle(("max",), spec.max) if declared.numeric and spec.max is not None else None
    if wrong or written is None:
        return wrong
    settings = tuple(choice for choice in choices if choice is not None)
    if len({choice.value for choice in settings}) < len(settings):
        wrong.append((("choices",), f"a choice of {name} is given twice"))
    if not declared.numeric:
        if settings and written.value not in {choice.value for choice in settings}:
            wrong.append((("value",), f"the value of {name} is not among its choices"))
        return wrong or Param(name, declared, written, settings)
    ordered = sorted((written, *settings), key=_number)
    low, high = low or ordered[0], high or ordered[-1]
    if not _number(low) <= _number(ordered[0]) or not _number(ordered[-1]) <= _number(high):
        wrong.append((("value",), f"{name} has a value or choice outside of {low.text} to {high.text}"))
    return wrong or Param(name, declared, written, settings, low, high)


def _described(name: str, spec: ParamSpec, found: Input | None) -> Input:
    """The calculator's input of this name, or one made from what the value looks like."""
    label = spec.label or (found.label if found else name.replace("_", " "))
    help_text = spec.help or (found.help if found else "")
    if found is not None:
        made = found
    elif isinstance(spec.value, bool):
        made = flag(name, label)
    elif isinstance(spec.value, str) and spec.family is None:
        words = (spec.value, *spec.choices)
        made = choice(name, label, dict.fromkeys(str(word).lower() for word in words))
    elif spec.family is None and all(isinstance(value, int) for value in (spec.value, *spec.choices)):
        made = count(name, label, least=0)
    else:
        made = amount(name, label, zero=True, family=spec.family or "ratio")
    # A default belongs to the calculator's own page; here the value is always given.
    return Input(
        name=name,
        kind=made.kind,
        label=label,
        symbol=made.symbol,
        family=made.family,
        help=help_text,
        minimum=made.minimum,
        exclusive=made.exclusive,
        maximum=made.maximum,
        choices=made.choices,
        group=made.group,
    )


@dataclass(frozen=True, slots=True)
class Figure:
    """A constant: a figure that is cited and not computed. It prints as its author wrote it."""

    value: int | Fraction
    text: str
    family: str
    source: str


def cite(spec: Constant) -> Figure | str:
    """The constant that a front matter gives, or what is wrong with it."""
    given = spec.value
    if spec.family is not None and spec.family not in quantities.FAMILIES:
        return f"`{spec.family}` is not a family of units; known: {', '.join(quantities.FAMILIES)}"
    if isinstance(given, bool):
        return "a constant is a number, with its unit where it has one"
    if not isinstance(given, str):
        family = spec.family or ("count" if isinstance(given, int) else "ratio")
        plain = quantities.format_quantity(given, family, unit=quantities.base_unit(family), figures=12)
        return Figure(given, plain, family, spec.source)
    readings = dict(_readings(given, [spec.family] if spec.family else quantities.FAMILIES))
    if not readings:
        families = spec.family or "any family of units"
        return f"“{given[:40]}” cannot be read as a quantity of {families}"
    if len(set(readings.values())) > 1:
        return f"“{given[:40]}” means different numbers in {', '.join(readings)}; add `family:` to say which"
    family, value = next(iter(readings.items()))
    return Figure(value, given, family, spec.source)


def _readings(text: str, families: Iterable[str]) -> Iterable[tuple[str, int | Fraction]]:
    for family in families:
        try:
            yield family, quantities.parse(text, family).value
        except quantities.QuantityError:
            continue


def read_seed(text: str) -> int | FieldError:
    """The seed of a link: a whole number from 0 to 2^53, in plain digits."""
    digits = text.strip()
    if digits.isascii() and digits.isdigit() and len(digits) <= 16 and int(digits) <= MAX_SEED:
        return int(digits)
    return seed_error(text)


def seed_error(text: str) -> FieldError:
    allowed = f"a whole number from 0 to {MAX_SEED}"
    message = f"seed is {reading.quoted(text)}, but must be {allowed}."
    return FieldError("seed", reading.shown(text), allowed, message)
