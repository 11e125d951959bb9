"""A calculator's page as plain data: the form's fields, and one result in words and numbers."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from urllib.parse import urlencode

from app.calculating import value_text
from app.pages import budget_view, calculator_address, limits_view, replaced_figures
from app.pages.budget_view import BudgetView
from app.pages.calculator_address import Kept
from app.pages.limits_view import LIMITS, LimitsView
from app.pages.readings import reading
from calculators import quantities
from calculators.presets import HARDWARE, MODELS
from calculators.spec import (
    Calculator,
    Input,
    LinkError,
    Output,
    Resolved,
    Result,
    Step,
)

GROUPS = {"hardware": "Other figures for the hardware", "model": "Other dimensions for the model"}
NOTHING_KEPT = Kept()


@dataclass(frozen=True, slots=True)
class Field:
    """One input of the form. `text` is what stands in it, `placeholder` what holds while it is empty.

    `reading` is what the text was read as, where that says more, and `conventions` what the input counts.
    """

    declared: Input
    text: str
    placeholder: str
    hint: str
    error: str
    choices: tuple[tuple[str, str], ...]
    reading: str
    conventions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FieldGroup:
    """Fields that belong together; a group with a title is folded away unless it is in use."""

    title: str
    fields: tuple[Field, ...]
    open: bool


@dataclass(frozen=True, slots=True)
class Figure:
    """A value for people: the main text, another reading of it, every digit, or why there is none."""

    label: str
    name: str
    symbol: str
    text: str
    second: str
    exact: str
    meaning: str
    limit: str = ""
    conventions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PresetSource:
    """Where the figures of the chosen hardware or model were read."""

    name: str
    source: str
    url: str
    read_on: str
    unconfirmed: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class ResultView:
    """What the page says about one result, each part worked out when a template first asks for it: an answer
    that brings the figures alone leaves the rest for later. Its address takes along what the page keeps."""

    result: Result
    kept: Kept = NOTHING_KEPT

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        return tuple(figure(declared, self.result) for declared in self.result.calculator.outputs)

    @cached_property
    def limits(self) -> LimitsView:
        return limits_view.view(self.result)

    @cached_property
    def budget(self) -> BudgetView | None:
        return budget_view.view(self.result)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        return (*replaced_figures.remarks(self.result), *self.result.notes)

    @cached_property
    def steps(self) -> tuple[tuple[Output, Step], ...]:
        calculator = self.result.calculator
        return tuple((calculator.output_names[step.output], step) for step in calculator.explain(self.result))

    @property
    def presets(self) -> tuple[PresetSource, ...]:
        return _presets(self.result)

    @cached_property
    def _link(self) -> tuple[list[tuple[str, str]], str]:
        """The query that restores this state, or why no link can carry it."""
        try:
            return self.result.calculator.link_query(self.result.resolved), ""
        except LinkError as error:
            return [], str(error)

    @property
    def link_problem(self) -> str:
        return self._link[1]

    @property
    def state(self) -> tuple[tuple[str, str], ...]:
        return tuple((name, text) for name, text in self._link[0] if name != "v")

    @cached_property
    def path(self) -> str:
        return self._path("")

    @property
    def flips_path(self) -> str:
        return self._path("/flips")

    @property
    def json_path(self) -> str:
        query = urlencode(self._link[0])
        return f"/api/v1/calculators/{self.result.calculator.slug}" + (f"?{query}" if query else "")

    @property
    def command(self) -> str:
        inputs = (f"{name}={text}" for name, text in self.state)
        return shlex.join(["ridgeway", "calc", self.result.calculator.slug, *inputs])

    def _path(self, part: str) -> str:
        return calculator_address.path(self.result.calculator.slug + part, self._link[0], self.kept)


def groups(
    calculator: Calculator,
    raw: Mapping[str, str],
    result: Result | None,
    errors: Mapping[str, str],
) -> tuple[FieldGroup, ...]:
    """The form: the plain fields first, then each group of overrides."""
    by_group: dict[str, list[Field]] = {"": []}
    for declared in calculator.inputs:
        group = "" if declared.name in GROUPS else declared.group  # the preset itself stands in the open
        by_group.setdefault(group, []).append(_field(calculator, declared, raw, result, errors))
    return tuple(
        FieldGroup(
            title=GROUPS.get(group, ""),
            fields=tuple(fields),
            open=any(field.error or raw.get(field.declared.name, "").strip() for field in fields),
        )
        for group, fields in by_group.items()
    )


def _field(
    calculator: Calculator,
    declared: Input,
    raw: Mapping[str, str],
    result: Result | None,
    errors: Mapping[str, str],
) -> Field:
    given = raw.get(declared.name, "")
    resolved = None if result is None else result.exact_inputs[declared.name]
    # A default beside a custom model alone never stands in the field: sent along when a model is chosen, it
    # would replace that model's own figure.
    hangs, applies = declared.default_with is not None, _hanging_default(declared, result)
    followed = (
        "" if resolved is None or not (hangs or declared.default is None) else value_text(declared, resolved)
    )
    hint = declared.help
    text = given if given.strip() else "" if hangs else declared.default or ""
    if applies and text.strip() == declared.default:
        text = ""
    if declared.follows and followed and not text:
        other = calculator.input_names.get(declared.follows)
        source = other.label.lower() if other else declared.follows
        hint = f"Empty: {followed}{'' if applies else f', from {source}'}. {hint}"
    number = resolved if text and declared.numeric and isinstance(resolved, int | Fraction) else None
    return Field(
        declared=declared,
        text=text,
        placeholder=followed if hangs else declared.default or followed,
        hint=hint.strip(),
        error=errors.get(declared.name, ""),
        choices=tuple((choice, display_name(declared.name, choice)) for choice in declared.choices),
        reading="" if number is None else reading(declared, text, number),
        conventions=_conventions(calculator, declared.name),
    )


def _hanging_default(declared: Input, result: Result | None) -> bool:
    """Whether the input has a default that hangs on another's value, and that other has it."""
    if declared.default_with is None or result is None:
        return False
    name, value = declared.default_with
    return result.exact_inputs[name] == value


def _conventions(calculator: Calculator, name: str) -> tuple[str, ...]:
    """What is to be said beside an input or an output about how it is counted."""
    return tuple(each.text for each in calculator.conventions if name in each.beside)


def display_name(input_name: str, choice: str) -> str:
    """How a choice is called on the page."""
    presets: Mapping[str, object] = {"hardware": HARDWARE, "model": MODELS}.get(input_name, {})
    preset = presets.get(choice)
    return str(getattr(preset, "name", choice))


def within(label: str) -> str:
    """A label within a sentence: KV heads, but sequence length."""
    return label if label[:2].isupper() else label[:1].lower() + label[1:]


def canonical_path(calculator: Calculator, resolved: Resolved, kept: Kept = NOTHING_KEPT) -> str | None:
    """The address of a state, None where no link can carry it."""
    try:
        return calculator_address.path(calculator.slug, calculator.link_query(resolved), kept)
    except LinkError:
        return None


def figure(declared: Output, result: Result) -> Figure:
    """One output of a result."""
    value = result.exact.get(declared.name, result.outputs[declared.name])
    text, second, exact = value_text(declared, value), "", ""
    if isinstance(value, int | float | Fraction) and not isinstance(value, bool):
        if declared.family == "bytes":
            text, second = quantities.format_both_bytes(value)
            second = "" if second == text else second
        digits = quantities.format_exact(value)
        unit = "" if declared.unit in ("", "1") else f" {declared.unit}"
        exact = f"{digits}{unit}"
        exact = "" if exact in (text, second) else exact
    return Figure(
        label=declared.label,
        name=declared.name,
        symbol=declared.symbol,
        text=text,
        second=second,
        exact=exact,
        meaning=declared.meaning,
        limit=text if declared.name == "bound" and text in LIMITS else "",
        conventions=_conventions(result.calculator, declared.name),
    )


def _presets(result: Result) -> tuple[PresetSource, ...]:
    found = []
    for name, presets in (("hardware", HARDWARE), ("model", MODELS)):
        preset = presets.get(str(result.inputs.get(name)))
        if preset is not None:
            found.append(
                PresetSource(
                    name=preset.name,
                    source=preset.source,
                    url=preset.url,
                    read_on=f"{preset.read_on:%-d %B %Y}",
                    unconfirmed=tuple(sorted(getattr(preset, "unconfirmed", ()))),
                    notes=preset.notes,
                )
            )
    return tuple(found)
