"""One file into one question, or into everything that is wrong with it.

A file that a cache knows to be sound is only half read: its front matter is validated, and its program and
prose are compiled when somebody opens the question.
"""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from app.bank import drawing, frontmatter, validation
from app.bank.cache import Cache, Sound
from app.bank.document import Document, plain_text
from app.bank.frontmatter import FrontMatterError, Parts, Place, Tree
from app.bank.problems import BrokenQuestionError, Fault
from app.bank.program import Attributes, Program, compile_program, unknown_names
from app.bank.question import Prose, Question
from app.bank.schema import FrontMatter
from app.bank.sections import Sections
from app.bank.substitutions import AnswerSubstitution
from app.bank.texts import Body, read_body, read_prose
from app.bank.topics import TOPICS
from app.bank.variants import make_variant

MAX_BYTES = 128 * 1024
# Not seen and not typed on purpose: controls, Unicode's line breaks, what turns the reading direction over.
_CONTROL = frozenset(map(chr, (*range(9), 11, 12, *range(14, 32), *range(127, 160))))
_CONTROL |= frozenset("\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def read_question(
    content: bytes, path: Path, pack: str, cache: Cache | None = None
) -> tuple[Question | None, list[Fault]]:
    """The question that a file describes, with its warnings; None where it has an error."""
    try:
        cut = frontmatter.split(_decode(content))
        sound = cache.get(content, path) if cache else None
        if sound is not None:
            return _known(sound, cut, path, pack), list(sound.warnings)
        tree = frontmatter.read(cut.yaml, cut.yaml_line)
    except FrontMatterError as error:
        return None, [error.fault]
    body = read_body(cut, path.parent)
    checker = _Checker(tree, cut, path, body)
    question = checker.question(pack)
    faults = tuple(sorted(set(checker.faults), key=lambda fault: fault.line))
    if question is None or any(fault.severity == "error" for fault in faults):
        return None, list(faults)
    digest = _content_hash(content, body.pictures)
    if cache:
        cache.put(content, path, Sound(tree, body.pictures, digest, question.prompt, faults))
    warnings = tuple(fault.at(path) for fault in faults)
    return replace(question, content_hash=digest, warnings=warnings), list(faults)


def _decode(content: bytes) -> str:
    if len(content) > MAX_BYTES:
        raise FrontMatterError(Fault(1, f"the file is larger than {MAX_BYTES:,} bytes"))
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"the file is not UTF-8 (byte {error.start:,})"
        raise FrontMatterError(Fault(line, message, "save it as UTF-8")) from error
    if not _CONTROL.isdisjoint(text):
        for number, line_text in enumerate(text.split("\n"), start=1):
            if not _CONTROL.isdisjoint(line_text):
                raise FrontMatterError(Fault(number, "the line holds a control character", "delete it"))
    return text


def _content_hash(content: bytes, pictures: Mapping[str, str]) -> str:
    digest = sha256(content)
    for name, picture in sorted(pictures.items()):
        digest.update(f"\n{name} {picture}".encode())
    return digest.hexdigest()


def _known(sound: Sound, cut: Parts, path: Path, pack: str) -> Question:
    """A question whose file has been checked before: what is compiled of it later will compile."""
    meta, faults = validation.validate(sound.tree)
    assert meta is not None, faults

    def compile() -> Program:
        program, wrong = compile_program(meta, sound.tree)
        if program is None:
            raise BrokenQuestionError(wrong[0].message, line=wrong[0].line)
        return program

    def parse() -> Prose:
        # A picture may have changed since: then the bank reloads, and reports it.
        return read_prose(read_body(cut, path.parent), meta, sound.tree)[0]

    return Question(
        slug=path.stem,
        pack=pack,
        path=path,
        meta=meta,
        prompt=sound.prompt,
        content_hash=sound.content_hash,
        tree=sound.tree,
        compile=compile,
        parse=parse,
        warnings=tuple(fault.at(path) for fault in sound.warnings),
    )


class _Checker:
    """Makes every check that can still be made, so that an author sees all faults at once."""

    def __init__(self, tree: Tree, cut: Parts, path: Path, body: Body) -> None:
        self.tree = tree
        self.cut = cut
        self.path = path
        self.body = body
        self.faults: list[Fault] = []

    def question(self, pack: str) -> Question | None:
        meta, faults = validation.validate(self.tree)
        self.faults += faults
        if meta is None:
            self.faults += self.body.faults
            return None
        prose, faults = read_prose(self.body, meta, self.tree)
        self.faults += faults
        self._folder(meta)
        self._sections(meta, prose.sections)
        program, faults = compile_program(meta, self.tree)
        self.faults += faults
        if program is None:
            return None
        question = Question(
            slug=self.path.stem,
            pack=pack,
            path=self.path,
            meta=meta,
            prompt="",
            content_hash="",
            tree=self.tree,
            compile=lambda: program,
            parse=lambda: prose,
        )
        for document in question.documents:
            self._names(document, program.known)
        if any(fault.severity == "error" for fault in self.faults):
            return None
        return replace(question, prompt=self._prompt(question))

    def fault(self, place: Place, message: str, hint: str = "") -> None:
        self.faults.append(Fault(self.tree.line(place), message, hint))

    def _folder(self, meta: FrontMatter) -> None:
        folder = self.path.parent.name
        if folder != meta.topics[0]:
            known = "" if folder in TOPICS else "the folder is no topic"
            self.fault(
                ("topics",), f"the first topic is {meta.topics[0]}, but the file lies in {folder}/", known
            )

    def _sections(self, meta: FrontMatter, split: Sections) -> None:
        if meta.kind == "open" and not split.key_points:
            message = "an open question needs `## Key points`, which suggest the rating"
            self.faults.append(Fault(self.cut.body_line, message))
        known = {part.id for part in meta.parts}
        for id_, document in split.parts.items():
            if id_ not in known:
                self.faults.append(Fault(document.line, f"there is no part `{id_}` in the front matter"))

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

    def _prompt(self, question: Question) -> str:
        """The words of the prompt. All else is computed too: what fails here would fail before a learner."""
        try:
            variant = make_variant(question)
            unmet = drawing.unmet(question.program, variant.names)
            if unmet is not None:
                message = f"the written values do not satisfy `{unmet.source}`"
                self.faults.append(Fault(unmet.line, message))
            for document in question.documents:
                variant.render(document)
            return plain_text(question.sections.question, variant)
        except BrokenQuestionError as error:
            self.faults.append(Fault(error.line or 1, f"with the written values: {error}"))
        return ""
