"""One file into one question, or into everything that is wrong with it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from app.bank import drawing, frontmatter, markdown, schema, sections
from app.bank.document import EMPTY, Document, build
from app.bank.frontmatter import FrontMatterError, Place, Tree
from app.bank.markdown import Parsed
from app.bank.problems import BrokenQuestionError, Fault
from app.bank.program import Attributes, compile_program, unknown_names
from app.bank.question import Question
from app.bank.schema import FrontMatter, Mistake
from app.bank.sections import Sections
from app.bank.substitutions import AnswerSubstitution
from app.bank.topics import TOPICS
from app.bank.variants import make_variant

MAX_BYTES = 128 * 1024
_CONTROL = frozenset(chr(code) for code in (*range(9), *range(11, 32), 127) if code != 13)


def read_question(content: bytes, path: Path, pack: str) -> tuple[Question | None, list[Fault]]:
    """The question that a file describes, with its warnings; None where it has an error."""
    if len(content) > MAX_BYTES:
        return None, [Fault(1, f"the file is larger than {MAX_BYTES:,} bytes")]
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return None, [Fault(line, f"the file is not UTF-8 (byte {error.start:,})", "save it as UTF-8")]
    for number, line_text in enumerate(text.split("\n"), start=1):
        if not _CONTROL.isdisjoint(line_text):
            return None, [Fault(number, "the line holds a control character")]
    try:
        cut = frontmatter.split(text)
        tree = frontmatter.read(cut.yaml, cut.yaml_line)
    except FrontMatterError as error:
        return None, [error.fault]
    body = markdown.parse(cut.body, first_line=cut.body_line, folder=path.parent)
    digest = _content_hash(content, body.pictures)
    reader = _Reader(tree, path, pack, digest)
    question = reader.question(body, cut.body_line)
    faults = sorted(set(reader.faults), key=lambda fault: fault.line)
    if question is None or any(fault.severity == "error" for fault in faults):
        return None, faults
    return replace(question, warnings=tuple(fault.at(path) for fault in faults)), faults


def _content_hash(content: bytes, pictures: Mapping[str, str]) -> str:
    digest = sha256(content)
    for name, picture in sorted(pictures.items()):
        digest.update(f"\n{name} {picture}".encode())
    return digest.hexdigest()


class _Reader:
    """Goes through all checks that can still be made, so that an author sees every fault at once."""

    def __init__(self, tree: Tree, path: Path, pack: str, content_hash: str) -> None:
        self.tree = tree
        self.path = path
        self.pack = pack
        self.content_hash = content_hash
        self.faults: list[Fault] = []

    def question(self, body: Parsed, body_line: int) -> Question | None:
        self.faults += body.faults
        split, faults = sections.split(body.tokens, body_line)
        self.faults += faults
        meta, faults = schema.validate(self.tree)
        self.faults += faults
        if meta is None:
            return None
        self._folder(meta)
        self._sections(meta, split, body_line)
        texts = dict(self._texts(meta))
        program, faults = compile_program(meta, self.tree)
        self.faults += faults
        if program is None:
            return None
        question = Question(
            self.path.stem, self.pack, self.path, meta, program, split, texts, self.content_hash
        )
        for document in question.documents:
            self._names(document, program.known)
        if not any(fault.severity == "error" for fault in self.faults):
            self._computes(question)
        return question

    def fault(self, place: Place, message: str, hint: str = "") -> None:
        self.faults.append(Fault(self.tree.line(place), message, hint))

    def _folder(self, meta: FrontMatter) -> None:
        folder = self.path.parent.name
        if folder != meta.topics[0]:
            known = "" if folder in TOPICS else "the folder is no topic"
            self.fault(
                ("topics",), f"the first topic is {meta.topics[0]}, but the file lies in {folder}/", known
            )

    def _sections(self, meta: FrontMatter, split: Sections, body_line: int) -> None:
        if meta.kind == "open" and not split.key_points:
            message = "an open question needs `## Key points`, which suggest the rating"
            self.faults.append(Fault(body_line, message))
        known = {part.id for part in meta.parts}
        for id_, document in split.parts.items():
            if id_ not in known:
                self.faults.append(Fault(document.line, f"there is no part `{id_}` in the front matter"))

    def _texts(self, meta: FrontMatter) -> Iterator[tuple[str, Document]]:
        """The prose of the front matter, by its place."""
        for number, choice in enumerate(meta.choices):
            place: Place = ("choices", number)
            yield self._line((*place, "text"), f"choices.{choice.id}.text", choice.text)
            if choice.say is not None:
                yield self._line((*place, "say"), f"choices.{choice.id}.say", choice.say)
        yield from self._says((), "mistakes", meta.mistakes)
        for number, part in enumerate(meta.parts):
            key = f"parts.{part.id}"
            place = ("parts", number)
            parsed = markdown.parse(
                part.prompt, first_line=self.tree.line((*place, "prompt")), place=f"{key}.prompt"
            )
            yield f"{key}.prompt", self._document(parsed)
            yield from self._says(place, f"{key}.mistakes", part.mistakes)
            for position, point in enumerate(part.key_points):
                here = (*place, "key_points", position, "text")
                yield self._line(here, f"{key}.key_points.{point.id}", point.text)

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

    def _names(self, document: Document, known: Attributes) -> None:
        for located in document.computed:
            if isinstance(located.content, AnswerSubstitution):
                self._answer(located.line, located.content.part, known)
            for expression in located.expressions:
                for message, hint in unknown_names(expression, known):
                    where = "" if expression.bare else f"{expression.source}: "
                    self.faults.append(Fault(located.line, where + message, hint))

    def _answer(self, line: int, part: str | None, known: Attributes) -> None:
        parts = known.get("answer", frozenset())
        if part is None and parts is not None:
            self.faults.append(Fault(line, "{{ answer }}: this question has no single answer"))
        elif part is not None and part not in (parts or ()):
            self.faults.append(
                Fault(line, f"{{{{ answer.{part} }}}}: there is no part `{part}` with an answer")
            )

    def _computes(self, question: Question) -> None:
        """The written values must give numbers and prose: what fails here would fail before a learner."""
        try:
            variant = make_variant(question)
            unmet = drawing.unmet(question.program, variant.names)
            if unmet is not None:
                message = f"the written values do not satisfy `{unmet.source}`"
                self.faults.append(Fault(unmet.line, message))
            for document in question.documents:
                variant.render(document)
        except BrokenQuestionError as error:
            self.faults.append(Fault(error.line or 1, f"with the written values: {error}"))
