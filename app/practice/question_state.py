"""What a learner's browser has done with a variant so far: its sitting, the answers, the drafts."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType

from sqlmodel import Session

import calculators
from app.accounts.browser_sessions import BrowserSession
from app.accounts.users import User
from app.bank.question import Question
from app.bank.variants import Variant
from app.practice import attempts, drafts, sittings
from app.practice.attempts import Answer
from app.practice.drafts import Draft
from app.practice.kept_text import Stamp
from app.practice.records import QuestionKey, VariantSnapshot
from app.practice.sittings import Sitting


@dataclass(frozen=True, slots=True)
class QuestionState:
    """`sitting` is None until there is something to remember."""

    sitting: Sitting | None
    answers: tuple[Answer, ...]
    drafts: Mapping[str, Draft]

    @property
    def revealed(self) -> bool:
        return self.sitting is not None and self.sitting.revealed

    @property
    def hints_used(self) -> int:
        return self.sitting.hints_used if self.sitting else 0

    def text(self, part: str) -> str:
        """What stands in the field of a part: what was typed last, or else the last answer."""
        if part in self.drafts:
            return self.drafts[part].text
        return next((answer.text for answer in reversed(self.answers) if answer.part == part), "")

    def stamp(self, part: str) -> Stamp:
        return self.drafts[part].stamp if part in self.drafts else Stamp()

    def set_aside(self, part: str) -> str:
        """What another window had typed there at the same time, for the learner to choose."""
        return (self.drafts[part].set_aside or "") if part in self.drafts else ""


def key_of(question: Question) -> QuestionKey:
    return QuestionKey(question.pack, question.slug)


def snapshot(variant: Variant) -> VariantSnapshot:
    """The variant as a sitting keeps it."""
    stored = variant.to_json()
    return VariantSnapshot(
        question=key_of(variant.question),
        seed=variant.seed,
        version=variant.question.meta.version,
        content_hash=variant.question.content_hash,
        library_version=calculators.LIBRARY_VERSION,
        params=stored["params"],
        right=stored["right"],
    )


def load(
    session: Session, user: User, browser: BrowserSession | None, variant: Variant, now: datetime
) -> QuestionState:
    """The state of the variant's page in this browser.

    A sitting with other numbers, which a link with edited parameters can have begun, counts only once its
    answer is revealed: from then on the parameters are the reader's to edit.
    """
    question = variant.question
    key = key_of(question)
    sitting = sittings.find_open(session, user, browser, key, variant.seed, question.meta.version, now)
    if sitting is not None and not sitting.revealed and sitting.params != snapshot(variant).params:
        sitting = None
    return QuestionState(
        sitting=sitting,
        answers=attempts.answers(session, user, sitting.id) if sitting else (),
        drafts=drafts.load(session, user, key, variant.seed, now),
    )


def begin(
    session: Session, user: User, browser: BrowserSession, variant: Variant, now: datetime
) -> VariantSnapshot:
    """The snapshot to act on, once a sitting with other numbers has been put aside."""
    question = variant.question
    key = key_of(question)
    taken = snapshot(variant)
    sitting = sittings.find_open(session, user, browser, key, variant.seed, question.meta.version, now)
    if sitting is not None and not sitting.revealed and sitting.params != taken.params:
        sittings.start_again(session, user, browser, key, variant.seed, now)
    return taken


def keep_texts(
    session: Session,
    user: User,
    variant: Variant,
    texts: Mapping[str, str],
    now: datetime,
    stamps: Mapping[str, Stamp] = MappingProxyType({}),
) -> None:
    """Keeps what a form brought along as drafts, so that no answer, hint or reveal loses it.

    `stamps` say how they were typed, where the form knows: a text that another window has saved since is set
    aside, not overwritten.
    """
    key = key_of(variant.question)
    kept = drafts.load(session, user, key, variant.seed, now)
    for part, text in texts.items():
        known = kept.get(part)
        stamp = stamps.get(part) or Stamp(known.stamp.revision if known else 0)
        if stamp.writer or text != (known.text if known else ""):
            drafts.save(session, user, key, variant.seed, part, text, stamp=stamp, now=now)


def with_texts(state: QuestionState, texts: Mapping[str, str], now: datetime) -> QuestionState:
    """The state with these texts in the fields, for a page that shows what could not be kept."""
    shown = {
        part: Draft(part, text, state.stamp(part), now, state.set_aside(part) or None)
        for part, text in texts.items()
    }
    return replace(state, drafts={**state.drafts, **shown})
