"""The opening page of a topic: what it is about, in which order to read, the numbers to know by heart.

It is the file `_topic.md` in the topic's folder, a name that no question can have. Its numbers are computed
as those of a question are, by the calculators and constants of its front matter, so that none of them can be
a typing error.
"""

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated
from urllib.parse import urlencode

from markupsafe import Markup
from pydantic import Field, ValidationError, model_validator

from app.bank import frontmatter
from app.bank.document import Document, build
from app.bank.fields import Formula, Label, Name, Prose, Slug, refuse
from app.bank.frontmatter import FrontMatterError, Tree
from app.bank.problems import BrokenQuestionError, Fault, Problem
from app.bank.program import compile_program
from app.bank.question import Prose as ParsedProse
from app.bank.question import Question
from app.bank.schema import CalculatorUse, Constant, Entry, FrontMatter
from app.bank.sections import Sections
from app.bank.topics import TOPICS, Topic
from app.bank.variants import make_variant

FILE_NAME = "_topic.md"
MAX_NUMBERS = 8
CHECK_EVERY = 1.0  # seconds between two looks at the folder


class NumberSpec(Entry):
    """A number to know by heart: computed by a calculator of the file, or cited with its source."""

    name: Label
    value: Prose = Field(description="{{ }} computes")
    how: Prose = Field(description="In a line: the formula, or why it is worth knowing; {{ }} computes")
    calculator: Name | None = None
    source: Label | None = None

    @model_validator(mode="after")
    def _computed_or_cited(self) -> "NumberSpec":
        if (self.calculator is None) == (self.source is None):
            raise refuse("a number has a calculator or a source", "calculator: cache, or source: Table 2")
        return self


class OpeningSpec(Entry):
    """The front matter of an opening page."""

    constants: dict[Name, Constant] = Field({})
    calculators: Annotated[dict[Name, CalculatorUse], Field(max_length=12)] = Field({})
    let: dict[Name, Formula] = Field({})
    numbers: Annotated[list[NumberSpec], Field(min_length=1, max_length=MAX_NUMBERS)]
    order: Annotated[list[Slug], Field(max_length=12)] = Field(
        [], description="The questions to begin with, each leading to the next"
    )


@dataclass(frozen=True, slots=True)
class Number:
    """A number as the page shows it; `address` is the calculator in the state that gave it."""

    name: str
    value: Markup
    how: Markup
    address: str
    source: str


@dataclass(frozen=True, slots=True)
class Opening:
    topic: Topic
    about: Markup
    numbers: tuple[Number, ...]
    order: tuple[str, ...]
    calculators: tuple[str, ...]  # the slugs of those that it computes with


class Openings:
    """The opening pages of the built-in topics, read when first asked for and again when they change."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._checked = float("-inf")
        self._stamps: tuple[tuple[str, int, int], ...] = ()
        self._found: Mapping[str, Opening] = {}
        self.problems: tuple[Problem, ...] = ()

    def all(self) -> Mapping[str, Opening]:
        """By the topic's slug, in the order of the topics; one that cannot be read is left out."""
        with self._lock:
            if time.monotonic() - self._checked >= CHECK_EVERY:
                self._checked = time.monotonic()
                self._read_if_changed()
            return self._found

    def get(self, topic: str) -> Opening | None:
        return self.all().get(topic)

    def _read_if_changed(self) -> None:
        files = {slug: self._folder / slug / FILE_NAME for slug in TOPICS}
        there = {slug: file for slug, file in files.items() if file.is_file()}
        stats = {slug: file.stat() for slug, file in there.items()}
        stamps = tuple((slug, stat.st_mtime_ns, stat.st_size) for slug, stat in stats.items())
        if stamps == self._stamps:
            return
        found: dict[str, Opening] = {}
        problems: list[Problem] = []
        for slug, file in there.items():
            text = file.read_text(encoding="utf-8", errors="replace")
            opening, faults = read_opening(text, file, TOPICS[slug])
            problems += [fault.at(file) for fault in faults]
            if opening is not None:
                found[slug] = opening
        self._stamps, self._found, self.problems = stamps, found, tuple(problems)


def read_opening(text: str, path: Path, topic: Topic) -> tuple[Opening | None, list[Fault]]:
    """The opening page that a file describes, or everything that is wrong with it."""
    # Not at the top: a start whose questions are cached does without Markdown.
    from app.bank import markdown

    try:
        cut = frontmatter.split(text)
        tree = frontmatter.read(cut.yaml, cut.yaml_line)
        spec = OpeningSpec.model_validate(tree.data)
    except FrontMatterError as error:
        return None, [error.fault]
    except ValidationError as error:
        return None, [_fault(tree, detail["loc"], detail["msg"]) for detail in error.errors()]
    parsed = markdown.parse(cut.body, first_line=cut.body_line, folder=path.parent)
    about, faults = build(parsed.tokens, cut.body_line)
    numbers, wrong = _number_documents(spec, tree)
    question, uncomputed = _computing(spec, tree, path, topic)
    faults = [*parsed.faults, *faults, *wrong, *uncomputed]
    if question is None or faults:
        return None, faults
    try:
        return _opening(spec, topic, question, about, numbers), []
    except BrokenQuestionError as error:
        return None, [Fault(error.line or 1, str(error), error.hint)]


def _fault(tree: Tree, place: Sequence[int | str], message: str) -> Fault:
    where = tuple(part for part in place if part != "[key]")
    return Fault(tree.line(where), f"`{'.'.join(map(str, where))}`: {message}")


def _number_documents(spec: OpeningSpec, tree: Tree) -> tuple[list[tuple[Document, Document]], list[Fault]]:
    from app.bank import markdown

    documents: list[tuple[Document, Document]] = []
    faults: list[Fault] = []
    for place, number in enumerate(spec.numbers):
        pair = []
        for key, text in (("value", number.value), ("how", number.how)):
            line = tree.line(("numbers", place, key))
            parsed = markdown.parse_line(text, line=line, place=f"numbers.{place}.{key}")
            document, wrong = build(parsed.tokens, line)
            faults += [*parsed.faults, *wrong]
            pair.append(document)
        documents.append((pair[0], pair[1]))
    return documents, faults


def _computing(
    spec: OpeningSpec, tree: Tree, path: Path, topic: Topic
) -> tuple[Question | None, list[Fault]]:
    """What computes the numbers: a question without parameters, which is never asked."""
    meta = FrontMatter(
        title=topic.name,
        kind="open",
        level="junior",
        topics=(topic.slug,),
        version=1,
        minutes=1,
        status="reviewed",
        constants=spec.constants,
        calculators=spec.calculators,
        let=spec.let,
    )
    program, faults = compile_program(meta, tree)
    if program is None:
        return None, faults
    unknown = [
        number.calculator for number in spec.numbers if number.calculator not in (None, *spec.calculators)
    ]
    faults += [Fault(tree.line(("numbers",)), f"`{name}` is no calculator of this page") for name in unknown]
    question = Question(
        slug=topic.slug,
        pack="",
        path=path,
        meta=meta,
        prompt="",
        content_hash="",
        tree=tree,
        compile=lambda: program,
        parse=lambda: ParsedProse(Sections(), {}),
    )
    return question, faults


def _opening(
    spec: OpeningSpec,
    topic: Topic,
    question: Question,
    about: Document,
    documents: Sequence[tuple[Document, Document]],
) -> Opening:
    variant = make_variant(question)

    def address(name: str | None) -> str:
        if name is None:
            return ""
        calculation = variant.calculators[name]
        return f"/calculators/{calculation.result.calculator.slug}?{urlencode(calculation.query, safe=':')}"

    numbers = tuple(
        Number(
            number.name,
            variant.render(value),
            variant.render(how),
            address(number.calculator),
            number.source or "",
        )
        for number, (value, how) in zip(spec.numbers, documents, strict=True)
    )
    used = dict.fromkeys(use.use for use in spec.calculators.values())
    return Opening(topic, variant.render(about), numbers, tuple(spec.order), tuple(used))
