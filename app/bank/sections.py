"""The `##` sections of a question, its hints and its key points."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from app.bank.document import EMPTY, Document, build
from app.bank.problems import Fault, did_you_mean

if TYPE_CHECKING:
    from markdown_it.token import Token

SECTIONS = {
    "Question": "question",
    "Hints": "hints",
    "Approach": "approach",
    "Answer": "answer",
    "Key points": "key_points",
    "Pitfalls": "pitfalls",
    "Pro tip": "pro_tip",
}
REQUIRED = ("Question", "Answer")
MAX_HINTS = 8
MAX_KEY_POINTS = 20
MAX_WEIGHT = 5

_PART = re.compile(r"Part ([a-z][a-z0-9_]*)\Z", re.ASCII)
_KEY_POINT = re.compile(r"\[(-?[0-9]{1,2})(!?)\][ \t]*\{#([a-z0-9]+(?:-[a-z0-9]+)*)\}[ \t]+(?=\S)", re.ASCII)
_KEY_POINT_FORM = "- [3!] {#id} text, with ! for a must-have and a weight below 0 for a wrong claim"


@dataclass(frozen=True, slots=True)
class KeyPoint:
    """One thing that a good answer says; with a weight below 0, one that it does not say."""

    id: str
    weight: int
    must: bool
    text: Document
    line: int


@dataclass(frozen=True, slots=True)
class Sections:
    question: Document = EMPTY
    hints: tuple[Document, ...] = ()
    approach: Document = EMPTY
    answer: Document = EMPTY
    key_points: tuple[KeyPoint, ...] = ()
    pitfalls: Document = EMPTY
    pro_tip: Document = EMPTY
    parts: Mapping[str, Document] = field(default_factory=dict)  # the worked answer of a part, by its id

    @property
    def documents(self) -> Iterator[Document]:
        """Everything that is prose, in the order of a page."""
        yield self.question
        yield from self.hints
        yield self.approach
        yield self.answer
        yield from self.parts.values()
        yield from (point.text for point in self.key_points)
        yield self.pitfalls
        yield self.pro_tip


def split(tokens: Sequence[Token], first_line: int = 1) -> tuple[Sections, list[Fault]]:
    """Cut a body at its `##` headings; every fault at once."""
    faults: list[Fault] = []
    found: dict[str, Document | tuple[Document, ...] | tuple[KeyPoint, ...]] = {}
    parts: dict[str, Document] = {}
    for heading, line, content in _by_heading(tokens, first_line):
        if heading is None:
            if content:
                faults.append(Fault(line, "text before the first section", "begin with ## Question"))
        elif part := _PART.match(heading):
            if part[1] in parts:
                faults.append(Fault(line, f"the section `{heading}` is given twice", "join them"))
            parts[part[1]], wrong = build(content, line)
            faults += wrong
        elif heading not in SECTIONS:
            hint = did_you_mean(heading, SECTIONS)
            faults.append(Fault(line, f"`{heading[:60]}` is not a section of a question", hint))
        elif SECTIONS[heading] in found:
            faults.append(Fault(line, f"the section `{heading}` is given twice", "join them"))
        else:
            found[SECTIONS[heading]], wrong = _section(heading, content, line)
            faults += wrong
    for heading in REQUIRED:
        if SECTIONS[heading] not in found:
            faults.append(
                Fault(first_line, f"the section `## {heading}` is missing", "every question has one")
            )
    return Sections(**found, parts=parts), faults  # type: ignore[arg-type]  # _section gives each its type


def _by_heading(tokens: Sequence[Token], first_line: int) -> Iterator[tuple[str | None, int, list[Token]]]:
    """The tokens between two headings of the second level, with the heading and its line."""
    heading: str | None = None
    line = first_line
    content: list[Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.type == "heading_open" and token.tag == "h2" and token.level == 0:
            yield heading, line, content
            heading, line, content = tokens[index + 1].content.strip(), token.meta["line"], []
            index += 3
            continue
        content.append(token)
        index += 1
    yield heading, line, content


def _section(
    heading: str, content: list[Token], line: int
) -> tuple[Document | tuple[Document, ...] | tuple[KeyPoint, ...], list[Fault]]:
    if not content:
        return EMPTY if heading not in ("Hints", "Key points") else (), [
            Fault(line, f"`## {heading}` is empty", "write it, or take the heading out")
        ]
    if heading == "Hints":
        return _hints(content, line)
    if heading == "Key points":
        return _key_points(content, line)
    return build(content, line)


def _hints(content: list[Token], line: int) -> tuple[tuple[Document, ...], list[Fault]]:
    if not _is_one_list(content, "ordered_list"):
        return (), [Fault(line, "the hints are one numbered list and nothing else", "1. First hint")]
    hints: list[Document] = []
    faults: list[Fault] = []
    for item_line, item in _items(content):
        hint, wrong = build(item, item_line)
        faults += wrong if item else [Fault(item_line, "this hint is empty", "1. First hint")]
        hints.append(hint)
    if len(hints) > MAX_HINTS:
        faults.append(Fault(line, f"there are more than {MAX_HINTS} hints", "join some"))
    return tuple(hints), faults


def _key_points(content: list[Token], line: int) -> tuple[tuple[KeyPoint, ...], list[Fault]]:
    if not _is_one_list(content, "bullet_list"):
        return (), [Fault(line, "the key points are one list and nothing else", _KEY_POINT_FORM)]
    points: dict[str, KeyPoint] = {}
    faults: list[Fault] = []
    for item_line, item in _items(content):
        point = _key_point(item, item_line)
        if isinstance(point, Fault):
            faults.append(point)
        elif point.id in points:
            faults.append(
                Fault(item_line, f"the key point `{point.id}` is given twice", "an id is given once")
            )
        else:
            points[point.id] = point
    if len(points) > MAX_KEY_POINTS:
        faults.append(Fault(line, f"there are more than {MAX_KEY_POINTS} key points", "join some"))
    return tuple(points.values()), faults


def _key_point(item: list[Token], line: int) -> KeyPoint | Fault:
    if [token.type for token in item] != ["paragraph_open", "inline", "paragraph_close"]:
        return Fault(line, "a key point is a single paragraph", _KEY_POINT_FORM)
    inline = item[1]
    children = inline.children or []
    match = _KEY_POINT.match(children[0].content) if children and children[0].type == "text" else None
    # The text may begin with math or code, which is a token of its own.
    if match is None and len(children) > 1 and children[0].type == "text":
        match = _KEY_POINT.match(children[0].content + "x")
    if match is None:
        return Fault(line, "this is not a key point", _KEY_POINT_FORM)
    weight, must = int(match[1]), bool(match[2])
    if not 0 < abs(weight) <= MAX_WEIGHT:
        return Fault(
            line, f"a key point's weight is 1 to {MAX_WEIGHT}, or below 0 for a wrong claim", _KEY_POINT_FORM
        )
    if must and weight < 0:
        return Fault(line, "a wrong claim can not be a must-have", "take the ! away")
    children[0].content = children[0].content[match.end() :]
    return KeyPoint(match[3], weight, must, Document((inline,), line), line)


def _is_one_list(content: list[Token], kind: str) -> bool:
    level = content[0].level
    outer = [token.type for token in content if token.level == level]
    return outer == [f"{kind}_open", f"{kind}_close"]


def _items(content: list[Token]) -> Iterator[tuple[int, list[Token]]]:
    """The tokens of each item of a list, without the item's own."""
    level = content[0].level + 1
    item: list[Token] = []
    line = 0
    for token in content[1:-1]:
        if token.level == level and token.type == "list_item_open":
            item, line = [], token.meta["line"]
        elif token.level == level and token.type == "list_item_close":
            yield line, item
        else:
            item.append(token)
