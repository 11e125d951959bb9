"""What may stand between `{{` and `}}` in prose.

- `answer`, or `answer.a` for part a: the right value, as the answer's unit prints it
- a bare name: a param, a constant, a `let`, or an output or input of a calculator (`read.bound`)
- `formatter(expression)`: a number with the unit that the formatter fixes
- `choose(condition, "one text", "another")`, `plural(number, "one", "many")`: wording that follows results

A formatter stands at the top only, so that what is computed with is always a number in base units.
"""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from app.bank import expressions
from app.bank.exact_math import FUNCTIONS, UnusableError
from app.bank.expressions import Expression, ExpressionError, Names, Reference, Token
from app.bank.formatters import FORMATTERS, Formatter
from app.bank.problems import did_you_mean

MAX_LENGTH = 1000
USAGES = {
    "choose": 'choose(condition, "one text", "another")',
    "plural": 'plural(number, "token", "tokens")',
}


@dataclass(frozen=True, slots=True)
class AnswerSubstitution:
    """`{{ answer }}`, or `{{ answer.part }}`."""

    source: str
    part: str | None

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class NameSubstitution:
    """`{{ seq_len }}`: how it prints depends on what the name stands for."""

    source: str
    expression: Expression
    reference: Reference

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return (self.expression,)


@dataclass(frozen=True, slots=True)
class FormattedSubstitution:
    """`{{ gib(scores.score_bytes) }}`"""

    source: str
    formatter: Formatter
    expression: Expression

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return (self.expression,)

    def text(self, names: Names) -> str:
        value = self.expression.evaluate(names)
        try:
            return self.formatter(value)
        except UnusableError as error:
            raise ExpressionError(str(error), self.source, hint="use require to keep it out") from None


@dataclass(frozen=True, slots=True)
class WordingSubstitution:
    """`{{ choose(condition, "one text", "another") }}` or `{{ plural(number, "token", "tokens") }}`."""

    source: str
    rule: str
    expression: Expression
    texts: tuple[str, str]

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return (self.expression,)

    def text(self, names: Names) -> str:
        value = self.expression.evaluate(names)
        if self.rule == "choose":
            if not isinstance(value, bool):
                raise ExpressionError("choose begins with a condition", self.source, hint=USAGES["choose"])
            return self.texts[0] if value else self.texts[1]
        if isinstance(value, bool) or not isinstance(value, int | Fraction):
            raise ExpressionError("plural begins with a number", self.source, hint=USAGES["plural"])
        return self.texts[0] if value == 1 else self.texts[1]


Substitution = AnswerSubstitution | NameSubstitution | FormattedSubstitution | WordingSubstitution


@functools.lru_cache(maxsize=8192)
def parse(text: str) -> Substitution:
    """Read what stands between the braces; an ExpressionError says what is wrong and at which column."""
    if len(text) > MAX_LENGTH:
        raise ExpressionError(
            f"A substitution has at most {MAX_LENGTH:,} characters; this has {len(text):,}",
            text[:40] + "...",
            hint="put it under let",
        )
    words = list(expressions.tokens(text))
    if not words:
        raise ExpressionError("The braces are empty", text, hint="{{ name }} or {{ formatter(...) }}")
    if _is_call(words):
        return _call(text, words)
    expression = _inner(text, 0, len(text))
    if expression.bare is None:
        hint = "as in sig3(...)"
        raise ExpressionError("A computed number needs a formatter around all of it", text, hint=hint)
    reference = expression.bare
    if reference.name == "answer":
        return AnswerSubstitution(text.strip(), reference.attribute)
    return NameSubstitution(text.strip(), expression, reference)


def _is_call(words: Sequence[Token]) -> bool:
    """Whether the whole text is one call: a name, a bracket, and the bracket that closes it at the end."""
    if len(words) < 3 or words[0].kind != "name" or words[1].text != "(":
        return False
    depth = 0
    for word in words[1:]:
        depth += {"(": 1, ")": -1}.get(word.text, 0)
        if depth == 0:
            return word is words[-1]
    return False


def _call(text: str, words: list[Token]) -> Substitution:
    name = words[0].text
    if name in FORMATTERS:
        return _formatted(text, words)
    if name in USAGES:
        return _wording(text, words)
    if name in FUNCTIONS:
        raise _wrong("A computed number needs a formatter", text, words[0], f"as in sig3({name}(...))")
    hint = did_you_mean(name, [*FORMATTERS, *USAGES, *FUNCTIONS])
    raise _wrong(f"There is no formatter {name}", text, words[0], hint)


def _formatted(text: str, words: list[Token]) -> FormattedSubstitution:
    name = words[0].text
    arguments = _arguments(words)
    if len(arguments) != 1:
        raise _wrong(f"{name} prints one number: {name}(expression)", text, words[0])
    return FormattedSubstitution(text.strip(), FORMATTERS[name], _inner(text, *arguments[0]))


def _wording(text: str, words: list[Token]) -> WordingSubstitution:
    name = words[0].text
    first, *others = _arguments(words)
    match [_quoted(words, *argument) for argument in others]:
        case [str() as one, str() as other]:
            return WordingSubstitution(text.strip(), name, _inner(text, *first), (one, other))
    raise _wrong(f"{name} is written {USAGES[name]}", text, words[0])


def _arguments(words: list[Token]) -> list[tuple[int, int]]:
    """Where each argument of the outer call begins and ends in the text."""
    start = words[1].at + 1
    spans = []
    depth = 0
    for word in words[2:-1]:
        depth += {"(": 1, ")": -1}.get(word.text, 0)
        if word.text == "," and depth == 0:
            spans.append((start, word.at))
            start = word.at + 1
    spans.append((start, words[-1].at))
    return spans


def _inner(text: str, start: int, end: int) -> Expression:
    """Compile an argument; its errors point into the whole substitution."""
    try:
        return expressions.compile(text[start:end])
    except ExpressionError as error:
        unknown = error.message.removeprefix("There is no function ")
        hint = "formatters stand at the top only" if unknown in FORMATTERS else error.hint
        raise ExpressionError(error.message, text, start + error.column, hint) from None


def _quoted(words: list[Token], start: int, end: int) -> str | None:
    inside = [word for word in words if start <= word.at < end]
    return inside[0].text[1:-1] if len(inside) == 1 and inside[0].kind == "text" else None


def _wrong(message: str, text: str, word: Token, hint: str = "") -> ExpressionError:
    return ExpressionError(message, text, word.at + 1, hint)
