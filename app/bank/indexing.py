"""What the search index holds of the bank and of the calculators."""

from collections.abc import Iterable

from app.bank.params import display_name
from app.bank.question import Question
from app.bank.search import CalculatorEntry, QuestionEntry, SearchIndex
from calculators.spec import Calculator


def build_index(questions: Iterable[Question], calculators: Iterable[Calculator]) -> SearchIndex:
    """An index over the questions as written and the calculators as declared."""
    return SearchIndex(map(question_entry, questions), map(calculator_entry, calculators))


def question_entry(question: Question) -> QuestionEntry:
    used = (calculator.title for calculator in question.program.calculators.values())
    values = (param.written.value for param in question.program.params.values())
    named = (f"{value} {display_name(value)}" for value in values if isinstance(value, str))
    return QuestionEntry(
        slug=question.slug,
        title=question.title,
        prompt=question.prompt,
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
