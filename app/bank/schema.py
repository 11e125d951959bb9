"""What a question's front matter may say. Every key is known here; app.bank.validation refuses any other."""

import re
from fractions import Fraction
from typing import Annotated, Literal, Self, TypeAlias, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    model_validator,
)
from pydantic_core import PydanticCustomError

from app.bank.frontmatter import Scalar
from app.bank.problems import did_you_mean
from app.bank.topics import TOPICS

Kind: TypeAlias = Literal["open", "numeric", "choice", "multi"]
Level: TypeAlias = Literal["junior", "mid", "senior", "staff"]
Mode: TypeAlias = Literal["single", "several"]
KINDS: tuple[str, ...] = get_args(Kind)
LEVELS: tuple[str, ...] = get_args(Level)
RESERVED_NAMES = frozenset({"seed", "v", "reveal", "practice", "answer"})
RESERVED_PARTS = frozenset({"working", "points"})  # under which the page drafts texts of its own
_WORDS = frozenset({"and", "or", "not", "in", "is", "if", "else", "for", "lambda", "true", "false", "none"})
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}\Z", re.ASCII)
_PERCENT = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,6})?)\s*%\Z", re.ASCII)


def _refuse(message: str, hint: str = "") -> PydanticCustomError:
    return PydanticCustomError("question", "{message}", {"message": message, "hint": hint})


def _name(value: object) -> object:
    if not isinstance(value, str) or not _NAME.match(value):
        raise _refuse("is no name", "lower-case letters, digits and _, a letter first, at most 40 characters")
    if value in RESERVED_NAMES:
        raise _refuse("this name is reserved", "not one of " + ", ".join(sorted(RESERVED_NAMES)))
    if value in _WORDS:
        raise _refuse("this name is a word of the expression language", "add a word to it")
    return value


def _scalar(value: object) -> object:
    if isinstance(value, (bool, int, Fraction, str)):
        return value
    raise _refuse("must be a number or a word", "quote an expression that holds : or #")


def _topic(value: object) -> object:
    if value not in TOPICS:
        raise _refuse("is not a topic", did_you_mean(str(value), TOPICS))
    return value


def _share(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, (int, Fraction)) or not 0 <= value <= 1:
        raise _refuse("must be a number from 0 to 1", "the share of the credit that is kept, as in 0.3")
    return Fraction(value)


def _https(value: object) -> object:
    if (
        not isinstance(value, str)
        or not re.match(r"https://[^\s/?#@]+\.[^\s@]+\Z", value)
        or len(value) > 500
    ):
        raise _refuse("must be an https:// address", "as in https://arxiv.org/abs/2205.14135")
    return value


def _text(longest: int) -> StringConstraints:
    return StringConstraints(strip_whitespace=True, min_length=1, max_length=longest)


Name: TypeAlias = Annotated[str, BeforeValidator(_name)]
Slug: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)]
Label: TypeAlias = Annotated[str, _text(120)]
Prose: TypeAlias = Annotated[str, _text(2000)]
Value: TypeAlias = Annotated[Scalar, BeforeValidator(_scalar)]
Formula: TypeAlias = Annotated[Scalar, BeforeValidator(_scalar)]  # a number as it stands, or an expression
Share: TypeAlias = Annotated[Fraction, BeforeValidator(_share)]
Address: TypeAlias = Annotated[str, BeforeValidator(_https)]


class Entry(BaseModel):
    """A block of keys. A key without a value (`asked_at:`) counts as not given."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, arbitrary_types_allowed=True)

    @model_validator(mode="before")
    @classmethod
    def _without_empty(cls, data: object) -> object:
        if isinstance(data, dict):
            return {key: value for key, value in data.items() if value is not None}
        return data


class AskedAt(Entry):
    company: Label
    role: Label | None = None
    source: Label
    url: Address | None = None
    confidence: Literal["first-hand", "published", "unconfirmed"]


class Constant(Entry):
    value: Value
    source: Label
    family: str | None = None


class ParamSpec(Entry):
    """A parameter: what a variant draws (`choices`) and what the reader may set (`min` to `max`)."""

    value: Value
    choices: tuple[Value, ...] = ()
    min: Value | None = None
    max: Value | None = None
    family: str | None = None
    label: Label | None = None
    help: Label | None = None

    @model_validator(mode="before")
    @classmethod
    def _choices(cls, data: object) -> object:
        return _tuples(data, "choices", 64)


class CalculatorUse(Entry):
    use: Annotated[str, StringConstraints(max_length=80)]
    set: dict[str, Formula] = {}


class Tolerance(Entry):
    """How far an answer may be off: a share of the truth, a factor, significant figures, or the decade."""

    form: Literal["relative", "factor", "figures", "decade"]
    size: Fraction


def _tolerance(given: object) -> object:
    if isinstance(given, Tolerance):
        return given
    if isinstance(given, str) and (match := _PERCENT.match(given)) and Fraction(match[1]) <= 100:
        return Tolerance(form="relative", size=Fraction(match[1]) / 100)
    if isinstance(given, (int, Fraction)) and not isinstance(given, bool) and 0 <= given <= 1:
        return Tolerance(form="relative", size=Fraction(given))
    if isinstance(given, dict) and len(given) == 1:
        [(form, size)] = given.items()
        number = isinstance(size, (int, Fraction)) and not isinstance(size, bool)
        if form == "factor" and number and 1 < size <= 100:
            return Tolerance(form="factor", size=Fraction(size))
        if form == "figures" and number and size in range(1, 13):
            return Tolerance(form="figures", size=Fraction(size))
        if form == "decade" and size is True:
            return Tolerance(form="decade", size=Fraction(1))
    raise _refuse("is no tolerance", "5%, {factor: 1.2}, {figures: 3} or {decade: true}")


class AnswerSpec(Entry):
    value: Formula
    family: str
    unit: str | None = None
    tolerance: Annotated[Tolerance, BeforeValidator(_tolerance)]


class Mistake(Entry):
    id: Slug
    value: Formula
    credit: Share = Fraction(0)
    say: Prose


class ChoiceSpec(Entry):
    id: Slug
    text: Prose
    right: Formula = False
    say: Prose | None = None


class KeyPointSpec(Entry):
    """A key point of an open part; the file's own key points are a list under their heading."""

    id: Slug
    weight: Annotated[int, Field(ge=-5, le=5)]
    must: bool = False
    text: Prose


class PartSpec(Entry):
    """One part of a question of kind multi: a number, a choice, or words judged by key points."""

    id: Name
    prompt: Prose
    uses: tuple[str, ...] = ()
    answer: AnswerSpec | None = None
    mistakes: tuple[Mistake, ...] = ()
    choices: tuple[ChoiceSpec, ...] = ()
    mode: Mode = "single"
    last: tuple[str, ...] = ()
    key_points: tuple[KeyPointSpec, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _lists(cls, data: object) -> object:
        for key, longest in _PART_LISTS.items():
            data = _tuples(data, key, longest)
        return data

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if (self.answer is not None) + bool(self.choices) + bool(self.key_points) != 1:
            raise _refuse("a part has one of answer, choices and key_points", "split it into two parts")
        if self.mistakes and self.answer is None:
            raise _refuse("mistakes belong to a part with an answer", "a choice has its own say")
        return self


class PlotSpec(Entry):
    """The plot beside the answer: over which parameter, which `calculator.output`, and levels beside it."""

    over: str
    output: str
    lines: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _lines(cls, data: object) -> object:
        return _tuples(data, "lines", 4)


class Source(Entry):
    title: Label
    url: Address
    section: Label | None = None


def _tuples(data: object, key: str, longest: int) -> object:
    """YAML gives lists; the models are frozen and hold tuples, of a bounded length."""
    if isinstance(data, dict) and isinstance(data.get(key), list):
        if len(data[key]) > longest:
            raise _refuse(f"`{key}` has more than {longest} entries", "split the question in two")
        return {**data, key: tuple(data[key])}
    return data


_LISTS = {"topics": 4, "asked_at": 20, "require": 16, "mistakes": 12, "choices": 12, "last": 4, "parts": 12}
_LISTS |= {"follow_ups": 12, "related": 12, "sources": 20}
_PART_LISTS = {"uses": 12, "mistakes": 12, "choices": 12, "last": 4, "key_points": 20}


class FrontMatter(Entry):
    title: Label
    kind: Kind
    level: Level
    topics: Annotated[tuple[Annotated[str, BeforeValidator(_topic)], ...], Field(min_length=1)]
    version: Annotated[int, Field(ge=1)]
    minutes: Annotated[int, Field(ge=1, le=180)]
    status: Literal["draft", "reviewed", "verified"]
    asked_at: tuple[AskedAt, ...] = ()
    constants: Annotated[dict[Name, Constant], Field(max_length=32)] = {}
    params: Annotated[dict[Name, ParamSpec], Field(max_length=24)] = {}
    calculators: Annotated[dict[Name, CalculatorUse], Field(max_length=12)] = {}
    let: Annotated[dict[Name, Formula], Field(max_length=48)] = {}
    require: tuple[Formula, ...] = ()
    answer: AnswerSpec | None = None
    mistakes: tuple[Mistake, ...] = ()
    choices: tuple[ChoiceSpec, ...] = ()
    mode: Mode = "single"
    last: tuple[str, ...] = ()
    parts: tuple[PartSpec, ...] = ()
    plot: PlotSpec | None = None
    follow_ups: tuple[Slug, ...] = ()
    related: tuple[Slug, ...] = ()
    sources: tuple[Source, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _lists(cls, data: object) -> object:
        for key, longest in _LISTS.items():
            data = _tuples(data, key, longest)
        return data
