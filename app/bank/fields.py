"""The types of a front matter's values: names, texts, numbers, formulas, shares and addresses.

Each says what it accepts, what is wrong otherwise, and how the JSON Schema for editors describes it.
"""

import re
from fractions import Fraction
from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, StringConstraints, WithJsonSchema
from pydantic_core import PydanticCustomError

from app.bank.frontmatter import Scalar
from app.bank.problems import did_you_mean
from app.bank.topics import TOPICS
from calculators.quantities import FAMILIES

RESERVED_NAMES = frozenset({"seed", "v", "reveal", "practice", "answer"})
_WORDS = frozenset({"and", "or", "not", "in", "is", "if", "else", "for", "lambda", "true", "false", "none"})
NAME = "[a-z][a-z0-9_]{0,39}"
_ADDRESS = r"https://[^\s/?#@]+\.[^\s@]+"


def refuse(message: str, hint: str = "") -> PydanticCustomError:
    return PydanticCustomError("question", "{message}", {"message": message, "hint": hint})


def _name(value: object) -> object:
    if not isinstance(value, str) or not re.fullmatch(NAME, value):
        raise refuse("is no name", "lower-case letters, digits and _, a letter first, at most 40 characters")
    if value in RESERVED_NAMES:
        raise refuse("this name is reserved", "not one of " + ", ".join(sorted(RESERVED_NAMES)))
    if value in _WORDS:
        raise refuse("this name is a word of the expression language", "add a word to it")
    return value


def _scalar(value: object) -> object:
    if isinstance(value, (bool, int, Fraction, str)):
        return value
    raise refuse("must be a number or a word", "quote an expression that holds : or #")


def _topic(value: object) -> object:
    if value not in TOPICS:
        raise refuse("is not a topic", did_you_mean(str(value), TOPICS))
    return value


def _share(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, (int, Fraction)) or not 0 <= value <= 1:
        raise refuse("must be a number from 0 to 1", "the share of the credit that is kept, as in 0.3")
    return Fraction(value)


def _https(value: object) -> object:
    if not isinstance(value, str) or not re.fullmatch(_ADDRESS, value) or len(value) > 500:
        raise refuse("must be an https:// address", "as in https://arxiv.org/abs/2205.14135")
    return value


def _text(longest: int) -> StringConstraints:
    return StringConstraints(strip_whitespace=True, min_length=1, max_length=longest)


def _schema(**keywords: Any) -> WithJsonSchema:
    return WithJsonSchema(keywords)


_SCALAR = _schema(type=["number", "string", "boolean"])

Name: TypeAlias = Annotated[str, BeforeValidator(_name), _schema(type="string", pattern=f"^{NAME}$")]
Slug: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=80)]
Topic: TypeAlias = Annotated[str, BeforeValidator(_topic), _schema(type="string", enum=list(TOPICS))]
Label: TypeAlias = Annotated[str, _text(120)]
Prose: TypeAlias = Annotated[str, _text(2000)]
# A family that is not known is told where the program is compiled, which knows what stands beside it.
Family: TypeAlias = Annotated[str, _schema(type="string", enum=list(FAMILIES))]
Value: TypeAlias = Annotated[Scalar, BeforeValidator(_scalar), _SCALAR]
Formula: TypeAlias = Annotated[Scalar, BeforeValidator(_scalar), _SCALAR]  # a number, or an expression
Share: TypeAlias = Annotated[
    Fraction, BeforeValidator(_share), _schema(type="number", minimum=0, maximum=1, default=0)
]
Address: TypeAlias = Annotated[
    str, BeforeValidator(_https), _schema(type="string", pattern=f"^{_ADDRESS}$", maxLength=500)
]
