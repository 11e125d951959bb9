"""All prose of a question: the sections of its body, and the texts of its front matter."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from app.bank import markdown, sections
from app.bank.document import EMPTY, Document, build
from app.bank.frontmatter import Parts, Place, Tree
from app.bank.markdown import Parsed
from app.bank.problems import Fault
from app.bank.question import Prose
from app.bank.schema import ChoiceSpec, FrontMatter, Mistake
from app.bank.sections import Sections


@dataclass(frozen=True, slots=True)
class Body:
    """The part of a file below its front matter."""

    sections: Sections
    pictures: dict[str, str]  # the pictures that it shows, with the hash of each file
    faults: list[Fault] = field(default_factory=list)


def read_body(cut: Parts, folder: Path) -> Body:
    parsed = markdown.parse(cut.body, first_line=cut.body_line, folder=folder)
    if parsed.faults and not parsed.tokens:  # not parsed at all: nothing can be said of its sections
        return Body(Sections(), {}, parsed.faults)
    found, faults = sections.split(parsed.tokens, cut.body_line)
    return Body(found, parsed.pictures, parsed.faults + faults)


def read_prose(body: Body, meta: FrontMatter, tree: Tree) -> tuple[Prose, list[Fault]]:
    """The body together with the prose of the front matter, each text under its place."""
    reader = _Texts(tree)
    texts = dict(reader.texts(meta))
    return Prose(body.sections, texts), body.faults + reader.faults


class _Texts:
    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.faults: list[Fault] = []

    def texts(self, meta: FrontMatter) -> Iterator[tuple[str, Document]]:
        yield from self._choices((), "choices", meta.choices)
        yield from self._says((), "mistakes", meta.mistakes)
        for number, part in enumerate(meta.parts):
            key = f"parts.{part.id}"
            place: Place = ("parts", number)
            parsed = markdown.parse(
                part.prompt, first_line=self.tree.line((*place, "prompt")), place=f"{key}.prompt"
            )
            yield f"{key}.prompt", self._document(parsed)
            yield from self._says(place, f"{key}.mistakes", part.mistakes)
            yield from self._choices(place, f"{key}.choices", part.choices)
            for position, point in enumerate(part.key_points):
                here = (*place, "key_points", position, "text")
                yield self._line(here, f"{key}.key_points.{point.id}", point.text)

    def _choices(
        self, place: Place, key: str, choices: tuple[ChoiceSpec, ...]
    ) -> Iterator[tuple[str, Document]]:
        for number, choice in enumerate(choices):
            here = (*place, "choices", number)
            yield self._line((*here, "text"), f"{key}.{choice.id}.text", choice.text)
            if choice.say is not None:
                yield self._line((*here, "say"), f"{key}.{choice.id}.say", choice.say)

    def _says(self, place: Place, key: str, mistakes: tuple[Mistake, ...]) -> Iterator[tuple[str, Document]]:
        for number, mistake in enumerate(mistakes):
            yield self._line((*place, "mistakes", number, "say"), f"{key}.{mistake.id}.say", mistake.say)

    def _line(self, place: Place, key: str, text: str) -> tuple[str, Document]:
        return key, self._document(markdown.parse_line(text, line=self.tree.line(place), place=key))

    def _document(self, parsed: Parsed) -> Document:
        self.faults += parsed.faults
        document, faults = build(parsed.tokens) if parsed.tokens else (EMPTY, [])
        self.faults += faults
        return document
