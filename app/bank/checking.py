"""Every check of one file that is read for the first time, or has changed."""

from dataclasses import replace
from pathlib import Path

from app.bank import drawing, validation
from app.bank.document import Document, plain_text
from app.bank.frontmatter import Parts, Place, Tree
from app.bank.problems import BrokenQuestionError, Fault, did_you_mean
from app.bank.program import Attributes, compile_program, unknown_names
from app.bank.question import Question
from app.bank.schema import FrontMatter
from app.bank.sections import Sections
from app.bank.substitutions import AnswerSubstitution
from app.bank.texts import Body, read_prose
from app.bank.topics import TOPICS
from app.bank.variants import make_variant

_OTHERWISE = "write other values, or loosen what reads them"


class Checker:
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
            hint = f"move it to {meta.topics[0]}/" + ("" if folder in TOPICS else "; the folder is no topic")
            message = f"the first topic is {meta.topics[0]}, but the file lies in {folder}/"
            self.fault(("topics",), message, hint)

    def _sections(self, meta: FrontMatter, split: Sections) -> None:
        if meta.kind == "open" and not split.key_points:
            message = "an open question needs `## Key points`, which suggest the rating"
            self.faults.append(Fault(self.cut.body_line, message, "- [3!] {#id} what a good answer says"))
        known = {part.id for part in meta.parts}
        for id_, document in split.parts.items():
            if id_ not in known:
                message = f"there is no part `{id_}` in the front matter"
                self.faults.append(Fault(document.line, message, did_you_mean(id_, known) or "parts: ..."))

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
            hint = "{{ answer.part }}" if parts else "say in words what is right"
            self.faults.append(Fault(line, "{{ answer }}: this question has no single answer", hint))
        elif part is not None and part not in (parts or ()):
            message = f"{{{{ answer.{part} }}}}: there is no part `{part}` with an answer"
            hint = did_you_mean(part, parts or ()) or "say in words what is right"
            self.faults.append(Fault(line, message, hint))

    def _prompt(self, question: Question) -> str:
        """The words of the prompt. All else is computed too: what fails here would fail before a learner."""
        try:
            variant = make_variant(question)
            unmet = drawing.unmet(question.program, variant.names)
            if unmet is not None:
                message = f"the written values do not satisfy `{unmet.source}`"
                self.faults.append(Fault(unmet.line, message, _OTHERWISE))
            for document in question.documents:
                variant.render(document)
            return plain_text(question.sections.question, variant)
        except BrokenQuestionError as error:
            message = f"with the written values: {error}"
            self.faults.append(Fault(error.line or 1, message, error.hint or _OTHERWISE))
        return ""
