"""What the search index holds of the bank and of the calculators."""

from collections.abc import Iterable, Sequence

from markdown_it.token import Token

from app.bank import conditions
from app.bank.params import display_name
from app.bank.question import Question
from app.bank.search import CalculatorEntry, QuestionEntry, SearchIndex
from app.bank.variants import Variant, make_variant
from calculators.spec import Calculator


def build_index(questions: Iterable[Question], calculators: Iterable[Calculator]) -> SearchIndex:
    """An index over the questions as written and the calculators as declared."""
    return SearchIndex(map(question_entry, questions), map(calculator_entry, calculators))


def question_entry(question: Question) -> QuestionEntry:
    variant = make_variant(question)
    tokens = conditions.select(question.sections.question.tokens, variant)
    used = (calculator.title for calculator in question.program.calculators.values())
    values = (chosen.value for chosen in variant.params.values())
    named = (f"{value} {display_name(value)}" for value in values if isinstance(value, str))
    return QuestionEntry(
        slug=question.slug,
        title=question.title,
        prompt=" ".join("".join(_words(tokens, variant)).split()),
        level=question.meta.level,
        kind=question.meta.kind,
        topics=tuple(question.meta.topics),
        companies=question.companies,
        words=" ".join((*used, *named)),
    )


def calculator_entry(calculator: Calculator) -> CalculatorEntry:
    inputs = (f"{each.name} {each.label}" for each in calculator.inputs)
    outputs = (f"{each.name} {each.label}" for each in calculator.outputs)
    return CalculatorEntry(
        slug=calculator.slug,
        title=calculator.title,
        summary=calculator.summary,
        words=" ".join((*inputs, *outputs)),
    )


def _words(tokens: Sequence[Token], variant: Variant) -> Iterable[str]:
    """The text of the prose with the variant's values; math and code stay as their source."""
    for token in tokens:
        if token.type == "substitution":
            yield variant.shown(token.meta["substitution"]).text
        elif token.type == "fixed":
            yield token.meta["source"]
        elif token.type in ("text", "code_inline"):
            yield token.content
        elif token.block or token.type in ("softbreak", "hardbreak"):
            yield " "
        yield from _words(token.children or (), variant)
