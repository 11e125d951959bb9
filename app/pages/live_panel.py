"""The panel beside a model answer: the parameters as a form, and each calculation behind the prose."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from app.bank.params import Param, display_name
from app.bank.reads import answer_reads, leading_calculations, outputs_read
from app.bank.variants import Calculation, Chosen, Variant
from app.pages import sliders
from app.pages.calculator_view import Figure, canonical_path, figure
from app.pages.panel_plot import panel_plot
from app.pages.plot_view import PlotView
from calculators.spec import Step

WIDE_FROM = 10  # characters of an option
MAX_MAIN = 5  # outputs that show at once; the others unfold


@dataclass(frozen=True, slots=True)
class Option:
    value: str
    label: str


@dataclass(frozen=True, slots=True)
class PanelField:
    """A parameter. `shown` is its value for people, `text` what stands in the field."""

    name: str
    label: str
    symbol: str
    shown: str
    text: str
    options: tuple[Option, ...]
    slider: str
    inputmode: str
    wide: bool
    error: str


@dataclass(frozen=True, slots=True)
class Line:
    """One output of a calculation, with its derivation; `key` tells it from the page's other numbers."""

    key: str
    label: str
    symbol: str
    text: str
    second: str
    exact: str
    limit: str
    formula: str
    substituted: str


@dataclass(frozen=True, slots=True)
class ShownCalculation:
    name: str
    title: str
    path: str
    leads: bool
    main: tuple[Line, ...]
    more: tuple[Line, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """`leading` are the calculations behind the right value; the others unfold. `plot` draws when called."""

    fields: tuple[PanelField, ...]
    leading: tuple[ShownCalculation, ...]
    others: tuple[ShownCalculation, ...]
    plot: Callable[[], PlotView | None]


def panel(variant: Variant, raw: Mapping[str, str], errors: Mapping[str, str]) -> Panel | None:
    """The panel of a variant, or None where the question computes nothing.

    `raw` is what the address gave, so that a refused text stays in its field beside the message.
    """
    fields = tuple(
        _field(chosen, raw, errors) for chosen in variant.params.values() if not chosen.param.fixed
    )
    if not fields and not variant.calculators:
        return None
    leaders = leading_calculations(variant.question)
    read = outputs_read(variant.question)
    shown = [_calculation(variant, each, each.name in leaders, read) for each in variant.calculators.values()]
    leading = tuple(each for each in shown if each.leads)
    others = tuple(each for each in shown if not each.leads)
    return Panel(fields, leading, others, partial(panel_plot, variant))


def _field(chosen: Chosen, raw: Mapping[str, str], errors: Mapping[str, str]) -> PanelField:
    param = chosen.param
    options = _options(param)
    error = errors.get(chosen.name, "")
    return PanelField(
        name=chosen.name,
        label=_capitalised(param.input.label),
        symbol=param.input.symbol,
        shown=chosen.display,
        text=raw.get(chosen.name, chosen.text) if error else chosen.text,
        options=options,
        slider="|".join(sliders.stops(param)),
        inputmode="numeric" if param.kind == "count" else "text",
        wide=any(len(option.label) > WIDE_FROM for option in options),
        error=error,
    )


def _options(param: Param) -> tuple[Option, ...]:
    if param.input.numeric:
        return ()
    texts = dict.fromkeys(setting.text for setting in (*param.choices, param.written))
    return tuple(Option(text, display_name(text)) for text in texts)


def _calculation(
    variant: Variant, calculation: Calculation, leads: bool, read: frozenset[tuple[str, str]]
) -> ShownCalculation:
    result = calculation.result
    calculator = result.calculator
    asked = answer_reads(variant.question)
    names = list(calculator.output_names)
    wanted = [name for name in names if (calculation.name, name) in read or name == "bound"] or names
    wanted.sort(key=lambda name: ((calculation.name, name) not in asked, name != "bound"))
    main = wanted[:MAX_MAIN]
    more = [name for name in names if name not in main] if leads else []
    steps = {step.output: step for step in calculator.explain(result, only=[*main, *more])}

    def line(name: str) -> Line:
        return _line(calculation.name, figure(calculator.output_names[name], result), steps[name])

    uses = sum(other is calculator for other in variant.question.program.calculators.values())
    own_name = "" if leads or uses == 1 else f": {calculation.name.replace('_', ' ')}"
    return ShownCalculation(
        name=calculation.name,
        title=calculator.title + own_name,
        path=canonical_path(calculator, result.resolved) or f"/calculators/{calculator.slug}",
        leads=leads,
        main=tuple(map(line, main)),
        more=tuple(map(line, more)),
        notes=tuple(result.notes),
    )


def _line(calculation: str, shown: Figure, step: Step) -> Line:
    return Line(
        key=f"{calculation}.{shown.name}",
        label=shown.label,
        symbol=shown.symbol,
        text=shown.text,
        second=shown.second,
        exact=shown.exact,
        limit=shown.limit,
        formula=step.formula,
        substituted=step.substituted,
    )


def _capitalised(label: str) -> str:
    return label[:1].upper() + label[1:]
