"""What practice is told of a question and of a request: plain values, of neither the bank nor the web."""

import hashlib
import json
import re
import secrets
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

Json = Any  # whatever JSON can hold

MAX_SEED: Final = 2**63 - 1
MAX_TEXT: Final = 20_000  # characters of an answer or a draft
_KEY: Final = re.compile(r"[\x21-\x7e]{1,64}")


class TextTooLong(ValueError):  # noqa: N818 (reads as what it is)
    """A text beyond `MAX_TEXT`."""

    def __init__(self, given: int) -> None:
        super().__init__(f"the text has {given:,} characters; at most {MAX_TEXT:,} are kept")


class QuestionKey(NamedTuple):
    """Which question: packs may share slugs, and the built-in bank is the pack without a name."""

    pack: str
    slug: str


@dataclass(frozen=True, slots=True)
class VariantSnapshot:
    """A variant as a sitting keeps it, so that a later edit of the question changes no verdict."""

    question: QuestionKey
    seed: int
    version: int
    content_hash: str
    library_version: str
    params: Json
    right: Json

    def __post_init__(self) -> None:
        if not 0 <= self.seed <= MAX_SEED:
            raise ValueError(f"seed is {self.seed}: allowed is a whole number from 0 to {MAX_SEED}")


def checked_text(text: str) -> str:
    """The text, unless it is longer than what is kept."""
    if len(text) > MAX_TEXT:
        raise TextTooLong(len(text))
    return text


def idempotency_key(key: str) -> str:
    """The key as stored: as it came, or its hash where no page of ours makes one so long or so odd.

    An empty key asks for nothing, so each of those is one of its own.
    """
    if not key:
        return secrets.token_hex(16)
    return key if _KEY.fullmatch(key) else digest(key)


def digest(*parts: str | int | None) -> str:
    """SHA-256 of the parts, told apart; in hexadecimal."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
