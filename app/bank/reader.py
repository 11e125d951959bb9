"""One file into one question, or into everything that is wrong with it.

A file that a cache knows to be sound is only half read: its front matter is validated, and its program and
prose are compiled when somebody opens the question.
"""

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from app.bank import frontmatter, validation
from app.bank.cache import Cache, Sound
from app.bank.frontmatter import FrontMatterError, Parts
from app.bank.problems import BrokenQuestionError, Fault
from app.bank.program import Program, compile_program
from app.bank.question import Prose, Question

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
    # Not at the top: a start whose questions are cached does without Markdown.
    from app.bank.checking import Checker
    from app.bank.texts import read_body

    body = read_body(cut, path.parent)
    checker = Checker(tree, cut, path, body)
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
        raise FrontMatterError(Fault(1, f"the file is larger than {MAX_BYTES:,} bytes", "cut it in two"))
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
        from app.bank.texts import read_body, read_prose

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
