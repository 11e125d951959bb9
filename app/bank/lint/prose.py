"""The prose: the answer stands in the Answer, headings go down one level at a time, links lead somewhere."""

from collections.abc import Collection, Iterator, Sequence
from urllib.parse import parse_qsl, urlsplit

from markdown_it.token import Token

import calculators
from app.bank.lint.subject import Subject
from app.bank.problems import Fault, did_you_mean
from app.bank.substitutions import AnswerSubstitution
from calculators.spec import InvalidInputs

_SECTION_LEVEL = 2
_PAGE_ONLY = frozenset({"pin", "plot"})  # state of the page that is no input


def check(subject: Subject) -> Iterator[Fault]:
    yield from _answer_is_told(subject)
    for document in subject.documents:
        yield from _headings(document.tokens)


def links(subject: Subject, slugs: Collection[str]) -> Iterator[Fault]:
    """Links and names that lead to another question or a calculator which does not exist."""
    meta = subject.question.meta
    for key in ("follow_ups", "related"):
        for number, slug in enumerate(getattr(meta, key)):
            line = subject.line(key, number)
            if slug == subject.question.slug:
                yield Fault(line, f"{key} names this question itself: {slug}", "take it out")
            elif slug not in slugs:
                yield Fault(line, f"{key} names no question: {slug}", did_you_mean(slug, slugs))
    known = {"questions": slugs, "calculators": {calculator.slug for calculator in calculators.all()}}
    for document in subject.documents:
        for token in subject.flat(document.tokens):
            address = str(token.attrs.get("href", "")) if token.type == "link_open" else ""
            head, _, slug = address.split("?")[0].split("#")[0].strip("/").partition("/")
            if address.startswith("/") and slug and head in known and slug not in known[head]:
                hint = did_you_mean(slug, known[head])
                yield Fault(token.meta["line"], f"the link {address} leads nowhere", hint)
            elif address.startswith("/") and head == "calculators" and slug:
                yield from _state(address, slug, token.meta["line"])


def _state(address: str, slug: str, line: int) -> Iterator[Fault]:
    """What the calculator of a link refuses of the state that it names."""
    calculator = calculators.get(slug)
    pairs = parse_qsl(urlsplit(address).query, keep_blank_values=True)
    try:
        calculator.evaluate(calculator.parse_query(pair for pair in pairs if pair[0] not in _PAGE_ONLY))
    except InvalidInputs as error:
        first = error.errors[0]
        yield Fault(line, f"the link {address[:80]}: {first.message}", f"allowed: {first.allowed}")


def _answer_is_told(subject: Subject) -> Iterator[Fault]:
    question = subject.question
    told = {
        located.content.part
        for document in (question.sections.answer, *question.sections.parts.values())
        for located in document.computed
        if isinstance(located.content, AnswerSubstitution)
    }
    if question.meta.answer is not None and None not in told:
        yield Fault(
            subject.line("answer"), "the Answer never prints {{ answer }}", "say the right value there"
        )
    for number, part in enumerate(question.meta.parts):
        if part.answer is not None and part.id not in told:
            line = subject.line("parts", number)
            yield Fault(
                line, f"the Answer never prints {{{{ answer.{part.id} }}}}", "say the right value there"
            )


def _headings(tokens: Sequence[Token]) -> Iterator[Fault]:
    above = _SECTION_LEVEL
    for token in tokens:
        if token.type == "heading_open":
            level = int(token.tag[1])
            if level > above + 1:
                hint = f"the next level here is {'#' * (above + 1)}"
                yield Fault(
                    token.meta["line"], f"a heading of {'#' * level} under one of {'#' * above}", hint
                )
            above = level
