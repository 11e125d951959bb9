"""The front matter as plain data with the line of every entry.

libyaml tokenises, in a fortieth of the time of a parser in Python; the tree is built here from its events,
because a question file is written by strangers and computed with. What a plain scalar means is decided here
too, as in YAML 1.2: numbers stay exact (0.1 is one tenth, 1e9 an integer), and only `true` and `false` are
booleans, `No` being a word. A key given twice is refused instead of the last one winning. Anchors, aliases,
tags and deep nesting do not exist, so that a small file cannot grow.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

import yaml
from yaml import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    MarkedYAMLError,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    YAMLError,
)

from app.bank.problems import Fault

MAX_CHARACTERS = 64 * 1024
MAX_DEPTH = 8
MAX_ENTRIES = 4000
MAX_EXPONENT = 400

Scalar: TypeAlias = bool | int | Fraction | str
Data: TypeAlias = "Scalar | list[Data] | dict[str, Data] | None"
Place: TypeAlias = tuple[str | int, ...]

_INTEGER = re.compile(r"[-+]?[0-9]{1,400}\Z", re.ASCII)
_DECIMAL = re.compile(
    r"[-+]?(?:[0-9]{1,400}\.?[0-9]{0,400}|\.[0-9]{1,400})(?:[eE]([-+]?[0-9]{1,6}))?\Z", re.ASCII
)
_NOT_NUMBERS = frozenset({".inf", "-.inf", "+.inf", ".nan"})
_ADVICE = {
    "cannot start any token": "indent with spaces, and quote a text that begins with a sign",
    "mapping values are not allowed": "quote a text that holds a colon and a space, or mend the indentation",
    "expected ',' or": "a bracket or a quotation mark is not closed, or a text with a comma needs quotes",
    "unknown escape": "a backslash in double quotes begins an escape: use single quotes",
    "scanning a quoted scalar": "a quotation mark is not closed",
    "block sequence entries": "a list begins on a line of its own, or stands in brackets",
    "while parsing a block": "the indentation does not match, or a quotation mark ends a text early",
    "could not find expected ':'": "a line is `key: value`, or belongs to the text above it and is indented",
}
# A platform without a wheel of the C library has the slower parser of the same events.
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_FENCE = re.compile(r"---[ \t]*\Z")


class FrontMatterError(Exception):
    """The front matter cannot be read at all."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        super().__init__(fault.message)


@dataclass(frozen=True, slots=True)
class Parts:
    """A file cut in two; lines count from 1 in the file."""

    yaml: str
    yaml_line: int
    body: str
    body_line: int


def split(text: str) -> Parts:
    """Cut a file at the two `---` lines."""
    lines = text.split("\n")
    if not _FENCE.match(lines[0]):
        raise FrontMatterError(Fault(1, "the file does not begin with front matter", "the first line is ---"))
    for number, line in enumerate(lines[1:], start=1):
        if _FENCE.match(line):
            return Parts("\n".join(lines[1:number]), 2, "\n".join(lines[number + 1 :]), number + 2)
    raise FrontMatterError(Fault(1, "the front matter does not end", "close it with a line ---"))


@dataclass(slots=True)
class Tree:
    """The data of a front matter; `lines` knows where each entry stands in the file."""

    data: dict[str, Data]
    lines: dict[Place, int] = field(default_factory=dict)

    def line(self, place: Place) -> int:
        """The line of an entry, or of the nearest entry that encloses it."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 1)


def read(text: str, first_line: int = 1) -> Tree:
    """Read a front matter, or raise FrontMatterError with the line in the file."""
    if len(text) > MAX_CHARACTERS:
        raise FrontMatterError(
            Fault(
                first_line, f"the front matter is longer than {MAX_CHARACTERS:,} characters", "cut it in two"
            )
        )
    reader = _Reader(first_line)
    try:
        return reader.tree(text)
    except MarkedYAMLError as error:
        context = error.context or ""
        opened = "flow" in context or "quoted" in context  # what is not closed is told where it was opened
        mark = error.context_mark if opened and error.context_mark else error.problem_mark
        line = first_line + (mark.line if mark else 0)
        problem = error.problem or context or "not readable"
        if "nesting" in problem:
            raise FrontMatterError(
                Fault(line, f"the front matter is nested deeper than {MAX_DEPTH} levels", "flatten it")
            ) from error
        told = f"{context}: {problem}"
        hint = next((advice for words, advice in _ADVICE.items() if words in told), "")
        raise FrontMatterError(Fault(line, f"YAML: {problem}", hint)) from error
    except YAMLError as error:
        raise FrontMatterError(
            Fault(first_line, f"YAML: {str(error).splitlines()[0]}", "a line is `key: value`")
        ) from error


class _Reader:
    def __init__(self, first_line: int) -> None:
        self.first_line = first_line
        self.lines: dict[Place, int] = {(): first_line}
        self.entries = 0

    def tree(self, text: str) -> Tree:
        events: Iterator[Event] = yaml.parse(text, Loader=_LOADER)
        documents = 0
        data: Data = None
        for event in events:
            if isinstance(event, DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise self.refusal(
                        event, "the front matter is more than one YAML document", "one --- ends it"
                    )
            elif isinstance(event, NodeEvent):
                data = self.node(event, events, ())
        if not isinstance(data, dict):
            raise FrontMatterError(
                Fault(self.first_line, "the front matter is not a list of keys", "a line is `key: value`")
            )
        return Tree(data, self.lines)

    def node(self, event: Event, events: Iterator[Event], place: Place) -> Data:
        self.entries += 1
        if self.entries > MAX_ENTRIES:
            raise self.refusal(
                event, f"the front matter has more than {MAX_ENTRIES:,} entries", "cut it in two"
            )
        if len(place) > MAX_DEPTH:
            raise self.refusal(
                event, f"the front matter is nested deeper than {MAX_DEPTH} levels", "flatten it"
            )
        if isinstance(event, AliasEvent) or getattr(event, "anchor", None):
            raise self.refusal(
                event, "anchors and aliases (& and *) are not allowed", "write the value out, or quote it"
            )
        if getattr(event, "tag", None):
            raise self.refusal(event, "tags (!) are not allowed", "write the plain value, or quote it")
        if isinstance(event, ScalarEvent):
            return self.scalar(event)
        if isinstance(event, SequenceStartEvent):
            return self.sequence(events, place)
        if isinstance(event, MappingStartEvent):
            return self.mapping(events, place)
        raise self.refusal(event, "not readable as YAML", "a line is `key: value`")

    def sequence(self, events: Iterator[Event], place: Place) -> list[Data]:
        items: list[Data] = []
        for event in events:
            if isinstance(event, SequenceEndEvent):
                break
            here = (*place, len(items))
            self.lines[here] = self.line_of(event)
            items.append(self.node(event, events, here))
        return items

    def mapping(self, events: Iterator[Event], place: Place) -> dict[str, Data]:
        entries: dict[str, Data] = {}
        for event in events:
            if isinstance(event, MappingEndEvent):
                break
            if not isinstance(event, ScalarEvent) or event.tag or event.anchor:
                raise self.refusal(event, "a key is not a plain word", "a line is `key: value`")
            key = event.value
            here = (*place, key)
            if key in entries:
                raise self.refusal(event, f"`{key}` is given twice", f"first on line {self.lines[here]}")
            self.lines[here] = self.line_of(event)
            entries[key] = self.node(next(events), events, here)
        return entries

    def scalar(self, event: ScalarEvent) -> Scalar | None:
        text = event.value
        if not event.implicit[0]:  # quoted, or a block: a text whatever it looks like
            return str(text)
        if text in ("", "~", "null"):
            return None
        if text in ("true", "false"):
            return bool(text == "true")
        if text.lower() in _NOT_NUMBERS:
            raise self.refusal(event, f"{text} is not a finite number", "write a number, or quote a word")
        if _INTEGER.match(text):
            return int(text)
        if match := _DECIMAL.match(text):
            if abs(int(match[1] or 0)) > MAX_EXPONENT:
                raise self.refusal(
                    event,
                    f"the exponent of {text[:40]} is beyond {MAX_EXPONENT}",
                    "quote it where it is a text",
                )
            number = Fraction(text)
            return number.numerator if number.denominator == 1 else number
        return str(text)

    def line_of(self, event: Event) -> int:
        return self.first_line + (event.start_mark.line if event.start_mark else 0)

    def refusal(self, event: Event, message: str, hint: str = "") -> FrontMatterError:
        return FrontMatterError(Fault(self.line_of(event), message, hint))
