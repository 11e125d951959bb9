"""A browser, and a variant to sit with."""

from dataclasses import dataclass, replace
from typing import Any
from uuid import uuid4

import pytest
from sqlmodel import Session

from app.accounts.browser_sessions import BrowserSession, open_session
from app.accounts.users import User
from app.practice import attempts, ratings
from app.practice.attempts import Graded, Submission, Submitted
from app.practice.ratings import Rated
from app.practice.records import QuestionKey, VariantSnapshot
from app.practice.schedule import Rating
from tests.conftest import FakeClock


@dataclass
class Practice:
    """Somebody who practises: what the tests do over and over, in one word each."""

    session: Session
    user: User
    browser: BrowserSession
    clock: FakeClock

    def variant(self, slug: str = "matrix", seed: int = 0, **changes: Any) -> VariantSnapshot:
        snapshot = VariantSnapshot(
            question=QuestionKey("", slug),
            seed=seed,
            version=1,
            content_hash="hash-1",
            library_version="1",
            params={"batch": 32},
            right={"": "2147483648"},
        )
        return replace(snapshot, **changes)

    def submit(
        self, text: str, *, slug: str = "matrix", seed: int = 0, key: str | None = None, part: str = "",
        outcome: str = "right", credit: float | None = 1.0,
    ) -> Submitted:  # fmt: skip
        return attempts.submit(
            self.session,
            self.user,
            self.browser,
            self.variant(slug, seed),
            Submission(uuid4().hex if key is None else key, part, text),
            Graded(outcome, credit),
            self.clock(),
        )

    def rate(
        self, rating: Rating, *, slug: str = "matrix", seed: int = 0, key: str | None = None,
        sitting_id: int | None = None,
    ) -> Rated:  # fmt: skip
        """Rates the open sitting of the question (opening one if need be), or the one given."""
        number = sitting_id or self.submit("an answer", slug=slug, seed=seed).sitting.id
        key = uuid4().hex if key is None else key
        return ratings.rate(self.session, self.user, number, rating, [], key=key, now=self.clock())


@pytest.fixture
def practice(session: Session, user: User, clock: FakeClock) -> Practice:
    zoned = replace(user, zone="Europe/Berlin", zone_known=True)
    _, browser = open_session(session, zoned, clock())
    return Practice(session, zoned, browser, clock)
