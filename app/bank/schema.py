"""What a question's front matter may say. Every key is known here; app.bank.validation refuses any other.

The descriptions are those that an editor shows (`ridgeway schema`).
"""

import re
from fractions import Fraction
from typing import Annotated, Any, Literal, Self, TypeAlias, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    WithJsonSchema,
    model_validator,
)

from app.bank.fields import Address, Family, Formula, Label, Name, Prose, Share, Slug, Topic, Value, refuse

Kind: TypeAlias = Literal["open", "numeric", "choice", "multi"]
Level: TypeAlias = Literal["junior", "mid", "senior", "staff"]
Mode: TypeAlias = Literal["single", "several"]
KINDS: tuple[str, ...] = get_args(Kind)
LEVELS: tuple[str, ...] = get_args(Level)
NEEDED = {"numeric": "answer", "choice": "choices", "multi": "parts"}  # the key that makes a kind
RESERVED_PARTS = frozenset({"working", "points"})  # under which the page drafts texts of its own
RESERVED_PARAMS = frozenset({"drill", "chain"})  # what a page's address says of the way to it
_PERCENT = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,6})?)\s*%\Z", re.ASCII)


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
    """Who asked it, as far as a source says so."""

    company: Label
    role: Label | None = None
    source: Label = Field(description="Who says so")
    url: Address | None = Field(None, description="Where; needed where it is published")
    confidence: Literal["first-hand", "published", "unconfirmed"]


class Constant(Entry):
    """A figure that is cited and not computed; it prints as it is written."""

    value: Value = Field(description="With its unit where it has one: 80 GB")
    source: Label = Field(description="The table or page that says so")
    family: Family | None = Field(None, description="Where the unit alone does not tell it")


class ParamSpec(Entry):
    """A parameter: what a variant draws (`choices`) and what the reader may set (`min` to `max`).

    It takes its type, unit and label from the calculator input of the same name, where there is one.
    """

    value: Value = Field(description="The value as written, of seed 0")
    choices: tuple[Value, ...] = Field((), description="What another seed draws from")
    min: Value | None = Field(None, description="The least that a reader may set; else the least choice")
    max: Value | None = Field(None, description="The most that a reader may set; else the largest choice")
    family: Family | None = Field(None, description="Of its unit, where no calculator input tells it")
    label: Label | None = Field(None, description="What the panel calls it")
    help: Label | None = None

    @model_validator(mode="before")
    @classmethod
    def _choices(cls, data: object) -> object:
        return _tuples(data, "choices", 64)


class CalculatorUse(Entry):
    """A calculator of the library. Inputs that have the name of a parameter are fed from it."""

    use: Annotated[str, StringConstraints(max_length=80)] = Field(
        description="Its slug; `ridgeway calc` lists them"
    )
    set: dict[str, Formula] = Field(
        {}, description="Inputs by name: expressions over params, let, constants and calculators before it"
    )


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
    raise refuse("is no tolerance", "5%, {factor: 1.2}, {figures: 3} or {decade: true}")


def _only(key: str, **value: Any) -> dict[str, Any]:
    return {"type": "object", "properties": {key: value}, "required": [key], "additionalProperties": False}


_TOLERANCE = {
    "description": "How far a right answer may be off; twice as far is near, for half of the credit",
    "oneOf": [
        {"type": "string", "pattern": r"^[0-9]{1,3}(\.[0-9]{1,6})?\s*%$"},
        {"type": "number", "minimum": 0, "maximum": 1},
        _only("factor", type="number", exclusiveMinimum=1, maximum=100),
        _only("figures", type="integer", minimum=1, maximum=12),
        _only("decade", const=True),
    ],
}


class AnswerSpec(Entry):
    """A right value, and how its text is read, printed and judged."""

    value: Formula = Field(
        description="In the family's base unit; in a part also `answer.a` of the parts it uses"
    )
    family: Family
    unit: str | None = Field(None, description="What a bare number means, and how {{ answer }} prints")
    tolerance: Annotated[Tolerance, BeforeValidator(_tolerance), WithJsonSchema(_TOLERANCE)]


class Mistake(Entry):
    """A known mistake: tried, in this order, once an answer is found not to be right."""

    id: Slug
    value: Formula = Field(description="What it leads to; may read `answer`")
    credit: Share = Field(Fraction(0), description="The share of the credit that is kept")
    say: Prose = Field(description="What went wrong, in a sentence; {{ }} computes")


class ChoiceSpec(Entry):
    """One choice. Seeds other than 0 shuffle them."""

    id: Slug
    text: Prose = Field(description="{{ }} computes")
    right: Formula = Field(False, description="true, or a condition where it depends on params")
    say: Prose | None = Field(None, description="What is told to whoever takes it")


class KeyPointSpec(Entry):
    """A key point of an open part; the file's own key points are a list under their heading."""

    id: Slug
    weight: Annotated[int, Field(ge=-5, le=5)] = Field(description="Below 0 for a wrong claim")
    must: bool = Field(False, description="Whether an answer without it fails")
    text: Prose


class PartSpec(Entry):
    """One part of a question of kind multi: a number, a choice, or words judged by key points."""

    id: Name
    prompt: Prose
    uses: tuple[str, ...] = Field(
        (),
        description="Earlier parts that `answer.a` is read of here: whoever had a wrong and went on from it "
        "is right here by their own a",
    )
    answer: AnswerSpec | None = None
    mistakes: tuple[Mistake, ...] = ()
    choices: tuple[ChoiceSpec, ...] = ()
    mode: Mode = "single"
    last: tuple[str, ...] = Field((), description="Choices that stay at the end when shuffled")
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
            raise refuse("a part has one of answer, choices and key_points", "split it into two parts")
        if self.mistakes and self.answer is None:
            raise refuse("mistakes belong to a part with an answer", "a choice has its own say")
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
    """Where a reader can look it up."""

    title: Label
    url: Address
    section: Label | None = Field(None, description="The section, table or page; the lint wants one")


def _tuples(data: object, key: str, longest: int) -> object:
    """YAML gives lists; the models are frozen and hold tuples, of a bounded length."""
    if isinstance(data, dict) and isinstance(data.get(key), list):
        if len(data[key]) > longest:
            raise refuse(f"`{key}` has more than {longest} entries", "split the question in two")
        return {**data, key: tuple(data[key])}
    return data


_LISTS = {"topics": 4, "asked_at": 20, "require": 16, "mistakes": 12, "choices": 12, "last": 4, "parts": 12}
_LISTS |= {"follow_ups": 12, "related": 12, "sources": 20}
_PART_LISTS = {"uses": 12, "mistakes": 12, "choices": 12, "last": 4, "key_points": 20}


class FrontMatter(Entry):
    """The front matter of a question."""

    title: Label
    kind: Kind
    level: Level
    topics: Annotated[tuple[Topic, ...], Field(min_length=1)] = Field(
        description="The first one names the folder"
    )
    version: Annotated[int, Field(ge=1)] = Field(
        description="Raised when answer, params, mistakes or rubric change"
    )
    minutes: Annotated[int, Field(ge=1, le=180)]
    status: Literal["draft", "reviewed", "verified"] = Field(
        description="verified: solved blind by a second solver; less carries a visible note"
    )
    asked_at: tuple[AskedAt, ...] = ()
    constants: Annotated[dict[Name, Constant], Field(max_length=32)] = Field(
        {}, description="Figures that are cited and not computed"
    )
    params: Annotated[dict[Name, ParamSpec], Field(max_length=24)] = Field(
        {}, description="What a variant draws, and what the reader may change"
    )
    calculators: Annotated[dict[Name, CalculatorUse], Field(max_length=12)] = Field(
        {}, description="Read as `name.output`, and `name.input` for what an input resolved to"
    )
    let: Annotated[dict[Name, Formula], Field(max_length=48)] = Field(
        {}, description="Expressions with a name"
    )
    require: tuple[Formula, ...] = Field((), description="Conditions that every drawn variant satisfies")
    answer: AnswerSpec | None = None
    mistakes: tuple[Mistake, ...] = ()
    choices: tuple[ChoiceSpec, ...] = ()
    mode: Mode = Field("single", description="How many choices are right")
    last: tuple[str, ...] = Field((), description="Choices that stay at the end when shuffled")
    parts: tuple[PartSpec, ...] = ()
    plot: PlotSpec | None = None
    follow_ups: tuple[Slug, ...] = Field((), description="What the interviewer asks next, deeper each time")
    related: tuple[Slug, ...] = ()
    sources: tuple[Source, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _lists(cls, data: object) -> object:
        for key, longest in _LISTS.items():
            data = _tuples(data, key, longest)
        return data
