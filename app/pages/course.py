"""How a learner came to a question: alone, in the queue, in a drill, as a follow-up. A part of its links."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from app.bank.variants import made_with
from app.practice.chains import LONGEST

NAMES: Final = ("practice", "drill", "chain")
ON: Final = ("1", "true", "yes", "on")
_SLUG: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Course:
    """`chain` holds the slugs that were asked before in a chain of follow-ups, the first one first."""

    practice: bool = False
    drill: int = 0
    chain: tuple[str, ...] = ()

    @property
    def query(self) -> list[tuple[str, str]]:
        parts = [("practice", "1")] if self.practice else []
        parts += [("drill", str(self.drill))] if self.drill else []
        parts += [("chain", ",".join(self.chain))] if self.chain else []
        return parts

    @property
    def led(self) -> bool:
        """Whether there is a next question of its own."""
        return self.practice or self.drill > 0

    @property
    def home(self) -> str:
        """The page of the course itself."""
        return f"/practice/drill/{self.drill}" if self.drill else "/practice"

    def next_after(self, slug: str) -> str:
        """Where the next question is had once this one is left."""
        if self.drill:
            return f"{self.home}/next"
        return f"/practice/next?{urlencode({'after': self.chain[0] if self.chain else slug})}"

    def follow_up_after(self, slug: str) -> str:
        """Where the interviewer's next question is had."""
        return (
            f"/practice/follow-up?{urlencode(Course(self.practice, self.drill, (*self.chain, slug)).query)}"
        )


ALONE: Final = Course()


def read_course(given: Mapping[str, str]) -> Course:
    """What a query says of it; anything that makes no sense is passed over."""
    drill = given.get("drill", "")
    chain = given.get("chain", "").split(",") if given.get("chain") else []
    return Course(
        practice=given.get("practice", "").lower() in ON,
        drill=int(drill) if drill.isascii() and drill.isdigit() and len(drill) <= 9 else 0,
        chain=tuple(slug for slug in chain[:LONGEST] if len(slug) <= 80 and _SLUG.fullmatch(slug)),
    )


def question_address(slug: str, version: int, seed: int, course: Course) -> str:
    """A version of a question with these numbers, in a course."""
    query = [("v", made_with(version)), ("seed", str(seed)), *course.query]
    return f"/questions/{slug}?{urlencode(query)}"
