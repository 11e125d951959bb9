"""Numbers of an Answer: a figure with a unit is computed, or a constant with its source, or refused.

Math and code are left alone: they hold formulas, in which a coefficient is no figure of its own.
"""

import re
from collections.abc import Iterator, Sequence

from markdown_it.token import Token

from app.bank.lint.subject import Subject
from app.bank.problems import Fault
from calculators.quantities import FAMILIES

# Counts and plain ratios have no unit to go wrong by; "13B" and "8k" are also names of models and settings.
_UNITLESS = frozenset({"count", "tokens"})
_WORDS = ("percent", "per cent", "USD", "dollars", "watts", "joules")
_WORDS_BY_STEM = {
    "bytes": ("kilo", "mega", "giga", "tera", "peta", "kibi", "mebi", "gibi", "tebi"),
    "bits": ("kilo", "mega", "giga", "tera"),
    "seconds": ("nano", "micro", "milli"),
}


def _spellings() -> list[str]:
    """Every spelling of a unit, longest first."""
    found = set(_WORDS)
    for stem, prefixes in _WORDS_BY_STEM.items():
        found |= {prefix + word for prefix in prefixes for word in (stem, stem.removesuffix("s"))}
    for name, family in FAMILIES.items():
        if name not in _UNITLESS:
            found |= {spelling for unit in family.units for spelling in unit.spellings}
    counts = {spelling for unit in FAMILIES["count"].units for spelling in unit.spellings}
    return sorted(found - counts | {"token/s", "tokens/s", "tok/s"}, key=len, reverse=True)


_UNITS = "|".join(re.escape(spelling) for spelling in _spellings())
_NUMBER = r"(?<![\w.,#/-])\d[\d.,]*(?:[eE×x]\S*)?"
_FIGURE = re.compile(rf"{_NUMBER}[ \u00a0\u202f]?(?:{_UNITS})(?![\w/])|{_NUMBER}[ \u00a0\u202f]B(?![\w/])")
_MONEY = re.compile(r"\$[ ]?\d[\d.,]*")
_ALWAYS_TRUE = frozenset({"100%", "100 %", "0%", "0 %"})


def check(subject: Subject) -> Iterator[Fault]:
    """Literal figures in the Answer and in the worked answers of parts."""
    sections = subject.question.sections
    for document in (sections.answer, *sections.parts.values()):
        for line, text in _texts(document.tokens):
            for figure in (*_FIGURE.finditer(text), *_MONEY.finditer(text)):
                if figure.group() not in _ALWAYS_TRUE:
                    yield Fault(
                        line,
                        f"“{figure.group()}” in the answer is typed, not computed",
                        "compute it with a formatter, or cite it under constants and write {{ its name }}",
                    )


def _texts(tokens: Sequence[Token]) -> Iterator[tuple[int, str]]:
    for token in tokens:
        if token.type == "text":
            yield token.meta["line"], token.content
        yield from _texts(token.children or ())
