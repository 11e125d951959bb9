"""The verdict on one answer."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

Outcome = Literal["right", "near", "mistake", "wrong", "format"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of an answer.

    `reading` is what the text was read as ("34.4 GB"), `value` the same in base units; both are None where
    there is no number. `credit` is between 0 and 1, and None for an answer that was not understood: it costs
    nothing. `mistake_id` names the mistake that was recognised. `own_parts` are the learner's own earlier
    parts from which what this answer met follows; it is empty where that is the truth. `decades` is how far
    an estimate is off: |log10(answer / truth)|.
    """

    outcome: Outcome
    credit: float | None
    message: str
    reading: str | None = None
    value: int | Fraction | None = None
    mistake_id: str | None = None
    own_parts: tuple[str, ...] = ()
    decades: float | None = None
