"""A question as it is served: its front matter, its sections and where it came from."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from app.bank import drawing, passages
from app.bank.document import Document
from app.bank.frontmatter import Tree
from app.bank.problems import Problem
from app.bank.program import Program
from app.bank.schema import FrontMatter
from app.bank.sections import Sections
from app.bank.topics import TOPICS, Topic


@dataclass(frozen=True, slots=True)
class Pack:
    """A folder of questions. Packs are separate namespaces for what is stored about a learner."""

    name: str
    path: Path


@dataclass(frozen=True, slots=True)
class Prose:
    """All text of a question, parsed."""

    sections: Sections
    texts: Mapping[str, Document]  # prose of the front matter by its place: "choices.kv.text"


@dataclass(frozen=True)
class Question:
    """One question. What a list of questions needs is at hand; the rest is compiled when first read."""

    slug: str
    pack: str
    path: Path
    meta: FrontMatter
    prompt: str  # the words of its Question section with the written values, for search and lists
    content_hash: str  # of the file and of its pictures: a stored attempt names the text it was made with
    tree: Tree = field(repr=False, compare=False)  # the front matter as read, with its lines
    compile: Callable[[], Program] = field(repr=False, compare=False)
    parse: Callable[[], Prose] = field(repr=False, compare=False)
    warnings: tuple[Problem, ...] = ()

    @cached_property
    def program(self) -> Program:
        """What it computes."""
        return self.compile()

    @cached_property
    def _prose(self) -> Prose:
        return self.parse()

    @property
    def sections(self) -> Sections:
        return self._prose.sections

    @property
    def texts(self) -> Mapping[str, Document]:
        """Prose of the front matter by its place: "choices.kv.text"."""
        return self._prose.texts

    @cached_property
    def passages(self) -> tuple[passages.Passage, ...]:
        """What varies in the prose, to be evaluated without being printed."""
        return passages.cut(self.documents)

    @cached_property
    def as_written(self) -> drawing.Draw:
        """The written values, which every edited variant and most visits begin with."""
        return drawing.draw(self.program, self.slug, 0)

    @property
    def title(self) -> str:
        return self.meta.title

    @property
    def topics(self) -> tuple[Topic, ...]:
        """The topics with their display names; the first one is the question's folder."""
        return tuple(TOPICS[slug] for slug in self.meta.topics)

    @property
    def documents(self) -> Iterator[Document]:
        """All prose of the question."""
        yield from self.sections.documents
        yield from self.texts.values()

    @property
    def companies(self) -> tuple[str, ...]:
        """Who is said to have asked it, each company once, in the file's order."""
        return tuple(dict.fromkeys(asked.company for asked in self.meta.asked_at))
