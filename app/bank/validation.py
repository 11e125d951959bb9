"""Checking a front matter against its models: every fault at once, each with its line and a hint."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Protocol

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from app.bank.frontmatter import Place, Tree
from app.bank.problems import Fault, did_you_mean
from app.bank.schema import (
    NEEDED,
    RESERVED_PARAMS,
    RESERVED_PARTS,
    AnswerSpec,
    AskedAt,
    CalculatorUse,
    ChoiceSpec,
    Constant,
    Entry,
    FrontMatter,
    KeyPointSpec,
    Mistake,
    ParamSpec,
    PartSpec,
    PlotSpec,
    Source,
)

# The block of keys that stands at a place, for "did you mean"; * is any name or position.
_BLOCKS: Mapping[tuple[str, ...], type[Entry]] = {
    (): FrontMatter,
    ("asked_at", "*"): AskedAt,
    ("constants", "*"): Constant,
    ("params", "*"): ParamSpec,
    ("calculators", "*"): CalculatorUse,
    ("answer",): AnswerSpec,
    ("mistakes", "*"): Mistake,
    ("choices", "*"): ChoiceSpec,
    ("parts", "*"): PartSpec,
    ("parts", "*", "answer"): AnswerSpec,
    ("parts", "*", "mistakes", "*"): Mistake,
    ("parts", "*", "choices", "*"): ChoiceSpec,
    ("parts", "*", "key_points", "*"): KeyPointSpec,
    ("plot",): PlotSpec,
    ("sources", "*"): Source,
}


_EXAMPLES = {
    "title": "title: Memory of the full attention matrix",
    "kind": "kind: numeric",
    "level": "level: mid",
    "topics": "topics: [attention]",
    "version": "version: 1",
    "minutes": "minutes: 4",
    "status": "status: draft",
    "answer": "answer: {value: cache.total_bytes, family: bytes, unit: GiB, tolerance: 5%}",
    "choices": "choices: [{id: one, text: One, right: true}, {id: two, text: Two}]",
    "parts": "parts: [{id: a, prompt: ..., answer: {...}}, {id: b, prompt: ..., key_points: [...]}]",
    "source": 'source: "who says so, and where"',
    "tolerance": "tolerance: 5%",
    "family": "family: bytes",
    "say": "say: what went wrong, in a sentence",
}

# pydantic's own words are about Python's types.
_MESSAGES = {
    "tuple_type": ("must be a list", "[one, two]"),
    "dict_type": ("must be a block of keys", "{key: value}"),
    "model_type": ("must be a block of keys", "{key: value}"),
    "string_type": ("must be a text", "put it in quotes"),
    "int_type": ("must be a whole number", "a number without a point or quotes"),
    "bool_type": ("must be true or false", "without quotes"),
    "too_short": ("must not be empty", "write one, or take the key out"),
    "too_long": ("has too many entries", "split the question in two"),
    "string_too_short": ("must not be empty", "write it, or take the key out"),
    "string_too_long": ("is too long", "shorten it"),
    "string_pattern_mismatch": ("is no slug", "lower-case words and digits joined by -"),
}


def validate(tree: Tree) -> tuple[FrontMatter | None, list[Fault]]:
    """Check a front matter against the models; every fault at once, in the order of the file."""
    try:
        meta = FrontMatter.model_validate(tree.data)
    except ValidationError as error:
        wrong = [details for details in error.errors(include_url=False) if not _follows(details)]
        faults = [_fault(details, tree) for details in wrong]
        return None, sorted(set(faults), key=lambda fault: fault.line)
    faults = _beyond_types(meta, tree)
    return (None if faults else meta), faults


def _fault(details: ErrorDetails, tree: Tree) -> Fault:
    place = tuple(part for part in details["loc"] if part != "[key]")
    line = tree.line(place)
    where = ".".join(str(part) for part in place)
    if details["type"] == "extra_forbidden":
        key = str(place[-1])
        known = _known_keys(place[:-1])
        return Fault(line, f"unknown key `{where}`", did_you_mean(key, known) or "known: " + ", ".join(known))
    if details["type"] == "missing":
        return Fault(line, f"`{where}` is missing", _EXAMPLES.get(str(place[-1]), "add it"))
    context = details.get("ctx", {})
    plain = details["msg"][:1].lower() + details["msg"][1:], str(context.get("hint", ""))
    message, hint = _MESSAGES.get(details["type"], plain)
    if details["type"] == "literal_error":
        words = re.findall(r"'([^']+)'", str(context["expected"]))
        message, hint = "is none of the words that stand here", did_you_mean(str(details["input"]), words)
    hint = hint or _EXAMPLES.get(str(place[-1]) if place else "", "see docs/writing-questions.md")
    return Fault(line, f"`{where}`: {message}{_given(details['input'])}" if where else message, hint)


def _follows(details: ErrorDetails) -> bool:
    """Whether a list counts as empty only because what it holds was refused, and reported, already."""
    return details["type"] == "too_short" and bool(details["input"])


def _given(value: object) -> str:
    if isinstance(value, bool):
        return f", given: {str(value).lower()}"
    if isinstance(value, Fraction):
        return f", given: {float(value):.6g}"
    return f", given: {str(value)[:60]}" if isinstance(value, (str, int)) else ""


def _known_keys(place: tuple[str | int, ...]) -> list[str]:
    for pattern, block in _BLOCKS.items():
        if len(pattern) == len(place) and all(
            want in ("*", got) for want, got in zip(pattern, place, strict=True)
        ):
            return list(block.model_fields)
    return []


def _beyond_types(meta: FrontMatter, tree: Tree) -> list[Fault]:
    """What no single key shows: kinds and what belongs to them, ids given twice, names in two places."""
    faults: list[Fault] = []

    def fault(place: Place, message: str, hint: str = "") -> None:
        faults.append(Fault(tree.line(place), message, hint))

    _kind(meta, fault)
    _names_once(meta, fault)
    _parts(meta, fault)
    if len(set(meta.topics)) < len(meta.topics):
        fault(("topics",), "a topic is listed twice", "each once")
    _ids_once(meta.mistakes, ("mistakes",), fault)
    _choices(meta, (), fault)
    return faults


class _Report(Protocol):
    def __call__(self, place: Place, message: str, hint: str = "") -> None: ...


def _kind(meta: FrontMatter, fault: _Report) -> None:
    for kind, key in NEEDED.items():
        present = bool(getattr(meta, key))
        if meta.kind == kind and not present:
            fault(("kind",), f"a question of kind {kind} needs `{key}`", _EXAMPLES[key])
        if meta.kind != kind and present:
            fault(
                (key,),
                f"`{key}` belongs to a question of kind {kind}, this one is {meta.kind}",
                f"kind: {kind}",
            )
    if meta.mistakes and meta.kind != "numeric":
        fault(
            ("mistakes",),
            "`mistakes` belong to a question of kind numeric, or to a part",
            "a choice has its own say",
        )


def _names_once(meta: FrontMatter, fault: _Report) -> None:
    """Names of the expression language: each stands for one thing."""
    named: dict[str, str] = {}
    for group in ("constants", "params", "calculators", "let"):
        for name in getattr(meta, group):
            if name in named:
                fault((group, name), f"`{name}` is already a name under `{named[name]}`", "name one anew")
            if group == "params" and name in RESERVED_PARAMS:
                fault((group, name), f"`{name}` is no name for a parameter: addresses use it", "name it anew")
            named.setdefault(name, group)
    for number, part in enumerate(meta.parts):
        place: Place = ("parts", number, "id")
        if part.id in named:
            fault(
                place, f"part `{part.id}` has a name that is taken under `{named[part.id]}`", "name it anew"
            )
        if part.id in RESERVED_PARTS:
            fault(place, f"`{part.id}` is no name for a part: the page has a field of that name", "a, b, c")
        named.setdefault(part.id, "parts")


def _parts(meta: FrontMatter, fault: _Report) -> None:
    points: set[str] = set()
    for number, part in enumerate(meta.parts):
        place: Place = ("parts", number)
        _uses(meta.parts[: number + 1], place, fault)
        _ids_once(part.mistakes, (*place, "mistakes"), fault)
        _choices(part, place, fault)
        _ids_once(part.key_points, (*place, "key_points"), fault)
        for position, point in enumerate(part.key_points):
            if point.id in points:
                fault(
                    (*place, "key_points", position),
                    f"another part has a key point `{point.id}` too",
                    "an id is given once",
                )
        points |= {point.id for point in part.key_points}


def _uses(parts: Sequence[PartSpec], place: Place, fault: _Report) -> None:
    """A part uses numbers of parts before it, so that no two wait for each other."""
    *earlier, part = parts
    numbers = [other.id for other in earlier if other.answer is not None]
    here: Place = (*place, "uses")
    if part.uses and part.key_points:
        fault(here, f"part `{part.id}` is in words, which its learner judges", "take `uses` out")
    for position, used in enumerate(part.uses):
        if used in part.uses[:position]:
            fault(here, f"part `{part.id}` names `{used}` twice under uses", "each once")
        elif used in {other.id for other in earlier} - set(numbers):
            fault(
                here,
                f"part `{part.id}` uses `{used}`, which has no number for an answer",
                "use a part that is a number",
            )
        elif used not in numbers:
            known = f"numbers before it: {', '.join(numbers)}" if numbers else "no part before it is a number"
            fault(here, f"part `{part.id}` uses `{used}`, which is not an earlier part", known)


def _choices(owner: FrontMatter | PartSpec, place: Place, fault: _Report) -> None:
    ids = {choice.id for choice in owner.choices}
    _ids_once(owner.choices, (*place, "choices"), fault)
    if len(owner.choices) == 1:
        fault((*place, "choices"), "a choice needs two choices or more", "- {id: other, text: ...}")
    if not owner.choices:
        for key in ("mode", "last"):
            if key in owner.model_fields_set:
                fault(
                    (*place, key), f"`{key}` belongs to choices, of which there are none here", "take it out"
                )
    for position, pinned in enumerate(owner.last):
        if pinned in owner.last[:position]:
            fault((*place, "last"), f"`last` names `{pinned}` twice", "each once")
        elif ids and pinned not in ids:
            fault((*place, "last"), f"`last` names `{pinned}`, which is no choice", did_you_mean(pinned, ids))


def _ids_once(items: Sequence[Mistake | ChoiceSpec | KeyPointSpec], place: Place, fault: _Report) -> None:
    seen: set[str] = set()
    for number, item in enumerate(items):
        if item.id in seen:
            fault((*place, number), f"the id `{item.id}` is given twice", "an id is given once")
        seen.add(item.id)
