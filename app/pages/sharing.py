"""How a state or a question looks elsewhere: its link's preview in a chat, and its frame in a page."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from markupsafe import escape

from app.bank.document import plain_text
from app.bank.variants import Variant
from app.calculating import value_text
from app.errors import shorten
from app.pages.calculator_view import Figure, display_name, figure, within
from calculators.spec import Calculator, Input, Result

MAX_TITLE = 110
MAX_DESCRIPTION = 300
FRAME_HEIGHT = 620  # in pixels: the inputs and outputs of most calculators beside each other


@dataclass(frozen=True, slots=True)
class Card:
    """What a chat shows of a link."""

    title: str
    description: str
    url: str


def calculator_card(result: Result, url: str) -> Card:
    """The inputs that are not at their defaults: in the title with the main output, below it with all."""
    calculator = result.calculator
    inputs = ", ".join(_stated(each, result) for each in calculator.inputs if _is_changed(each, result))
    main = calculator.output_names[calculator.headline or calculator.outputs[0].name]
    end = f"{' →' if inputs else ''} {_value(figure(main, result))}"
    middle = f" {shorten(inputs, MAX_TITLE - len(calculator.title) - len(end) - 2)}" if inputs else ""
    figures = (figure(output, result) for output in calculator.outputs)
    outputs = "; ".join(f"{within(each.label)} {_value(each)}" for each in figures)
    return Card(
        title=f"{calculator.title}:{middle}{end}",
        description=shorten(f"With {inputs or 'the defaults'}: {outputs}.", MAX_DESCRIPTION),
        url=url,
    )


def _is_changed(declared: Input, result: Result) -> bool:
    """Whether an input was given another value than the one that it has by default."""
    if declared.name not in result.resolved.given:
        return False
    default = result.calculator.defaults.get(declared.name)
    return default is None or result.exact_inputs[declared.name] != default[0]


def _stated(declared: Input, result: Result) -> str:
    value = result.exact_inputs[declared.name]
    if declared.name in ("model", "hardware") and value != "custom":
        return display_name(declared.name, str(value))
    return f"{within(declared.label)} {value_text(declared, value)}"


def _value(shown: Figure) -> str:
    return f"{shown.text} ({shown.second})" if shown.second else shown.text


def question_card(variant: Variant, url: str) -> Card:
    """The question as it is asked, with its numbers; nothing of the answer."""
    prompt = plain_text(variant.question.sections.question, variant)
    title = shorten(variant.question.title, MAX_TITLE)
    return Card(title, shorten(prompt, MAX_DESCRIPTION), url)


def frame(calculator: Calculator, origin: str, state: Sequence[tuple[str, str]]) -> str:
    """The HTML that shows a state in a page of anybody's."""
    url = (
        f"{origin}/calculators/{calculator.slug}/embed?{urlencode([('v', str(calculator.version)), *state])}"
    )
    return (
        f'<iframe src="{escape(url)}" title="{escape(calculator.title)}" '
        f'width="100%" height="{FRAME_HEIGHT}" loading="lazy"></iframe>'
    )
