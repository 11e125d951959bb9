"""The small plot beside a model answer: the answer's calculator over one of the question's parameters."""

from collections.abc import Iterator
from fractions import Fraction

from app.bank.plotted import movable
from app.bank.program import Program
from app.bank.reads import answer_reads, leading_calculations
from app.bank.variants import Calculation, Variant
from app.pages.plot_view import PlotView, plot_view
from app.plotting.choice import Choice
from app.plotting.plot import Extra
from calculators.spec import InvalidInputs


def panel_plot(variant: Variant) -> PlotView | None:
    """The plot of a variant, or None where no parameter moves a number of its calculators."""
    chosen = _named(variant) or next(_telling(variant), None)
    if chosen is None:
        return None
    calculation, choice = chosen
    param, drawn = variant.params[choice.over].param, variant.params[choice.over].drawn
    assert param.minimum is not None
    assert param.maximum is not None
    return plot_view(
        calculation.result,
        choice,
        field="param-",
        bounds=(_number(param.minimum.value), _number(param.maximum.value)),
        usual=_number(drawn.value),
        extra=tuple(_levels(variant, calculation)),
    )


def _named(variant: Variant) -> tuple[Calculation, Choice] | None:
    """The plot that the front matter names, where it exists; where it does not, the lint tells its author."""
    spec = variant.question.meta.plot
    if spec is None:
        return None
    name, _, output = spec.output.partition(".")
    calculation = variant.calculators.get(name)
    if calculation is None or spec.over not in movable(variant.question.program, name):
        return None
    declared = calculation.result.calculator.output_names.get(output)
    return (calculation, Choice(spec.over, output)) if declared and declared.family else None


def _telling(variant: Variant) -> Iterator[tuple[Calculation, Choice]]:
    """Plots that show something: of what the answer reads, and over what the calculator draws at first."""
    program = variant.question.program
    for name, output in _outputs(variant):
        calculation = variant.calculators[name]
        first = calculation.result.calculator.plot[:1]
        moving = movable(program, name)
        for over in sorted(moving, key=lambda param: param not in first):
            if _moves(program, calculation, over, output):
                yield calculation, Choice(over, output)


def _outputs(variant: Variant) -> Iterator[tuple[str, str]]:
    """The numbers that the right value is read from; else the first one of the leading calculation."""
    read, leading = answer_reads(variant.question), leading_calculations(variant.question)
    for name, calculation in variant.calculators.items():
        if name in leading:
            calculator = calculation.result.calculator
            numbers = [output.name for output in calculator.outputs if output.family]
            asked = [output for output in numbers if (name, output) in read]
            yield from ((name, output) for output in asked or [*calculator.plot[1:2], *numbers][:1])


def _moves(program: Program, calculation: Calculation, over: str, output: str) -> bool:
    """Whether the output has different values at the ends of what the parameter may be."""
    param, result = program.params[over], calculation.result
    ends = [float(_number(end.value)) for end in (param.minimum, param.maximum) if end is not None]
    beside = {name: result.exact_inputs[name] for name in result.resolved.texts if name != over}
    try:
        values = result.calculator.sweep(over, ends, beside)[output]
    except InvalidInputs:
        return False
    return bool(values[0] != values[-1])


def _levels(variant: Variant, calculation: Calculation) -> Iterator[Extra]:
    """The lines that the front matter names: constants, names under `let`, inputs and outputs."""
    spec, program = variant.question.meta.plot, variant.question.program
    for name in spec.lines if spec else ():
        owner, _, part = name.partition(".")
        if not part:
            value = program.constants[name].value if name in program.constants else variant.names.get(name)
            yield Extra(_label(name), value if isinstance(value, int | Fraction) else None)
        elif owner in variant.calculators:
            result = variant.calculators[owner].result
            calculator = result.calculator
            declared = calculator.output_names.get(part) or calculator.input_names.get(part)
            own = owner == calculation.name and part in calculator.output_names
            value = result.exact.get(part, result.exact_inputs.get(part))
            if declared is not None:
                number = value if isinstance(value, int | Fraction) else None
                yield Extra(declared.label, number, part if own else "")


def _label(name: str) -> str:
    """A constant as a label: "hbm_of_one_card" is "Hbm of one card"."""
    return name.replace("_", " ").capitalize()


def _number(value: object) -> int | Fraction:
    assert isinstance(value, int | Fraction)
    return value
