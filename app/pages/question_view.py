"""The question page as plain data: what each part of it says for one learner and one variant."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from markupsafe import Markup

import calculators
from app.bank.load import Bank
from app.bank.question import Question
from app.bank.variants import Variant
from app.practice import answering
from app.practice.ratings import Choice as RatingChoice
from app.practice.ratings import Rated
from app.practice.schedule import Rating

MAX_RELATED = 5
NO_HTML = Markup()
KINDS = {"open": "in words", "numeric": "numeric", "choice": "choice", "multi": "several parts"}
STATUSES = {
    "draft": ("draft", "Nobody but its author has read this question yet: its numbers may be wrong."),
    "reviewed": ("✓ reviewed", "Read by a reviewer; not yet solved by somebody who had not seen the answer."),
    "verified": ("✓ verified", "Solved by somebody who had not seen the answer, with the same result."),
}
RATINGS = {Rating.AGAIN: "Again", Rating.HARD: "Hard", Rating.GOOD: "Good", Rating.EASY: "Easy"}


@dataclass(frozen=True, slots=True)
class QuestionView:
    """What the page says about the question itself."""

    kind: str
    status: str
    status_meaning: str
    status_notice: str
    varies: bool
    variant_name: str
    submit_label: str
    follow_ups: tuple[Question, ...]
    related: tuple[Question, ...]
    provenance: str


@dataclass(frozen=True, slots=True)
class Prose:
    """The question's documents for a variant. All but the prompt are empty until the reveal."""

    question: Markup
    prompts: tuple[tuple[str, Markup], ...] = ()  # of the parts, once their fields no longer show them
    answer: Markup = NO_HTML
    parts: tuple[tuple[str, Markup], ...] = ()
    approach: Markup = NO_HTML
    pitfalls: Markup = NO_HTML
    pro_tip: Markup = NO_HTML


@dataclass(frozen=True, slots=True)
class Hints:
    shown: tuple[Markup, ...]
    left: int

    @property
    def next_number(self) -> int:
        return len(self.shown) + 1


@dataclass(frozen=True, slots=True)
class KeyPointView:
    id: str
    text: Markup
    weight: str
    ticked: bool


@dataclass(frozen=True, slots=True)
class RatingButton:
    value: int
    label: str
    when: str
    suggested: bool
    given: bool


def question_view(bank: Bank, variant: Variant) -> QuestionView:
    question = variant.question
    status, meaning = STATUSES[question.meta.status]
    return QuestionView(
        kind=KINDS[question.meta.kind],
        status=status,
        status_meaning=meaning,
        status_notice="" if question.meta.status == "verified" else meaning,
        varies=any(not chosen.param.fixed for chosen in variant.params.values()),
        variant_name=_variant_name(variant),
        submit_label="Save the answer" if question.meta.kind == "open" else "Check the answer",
        follow_ups=_named(bank, question.meta.follow_ups),
        related=related(bank, question),
        provenance=(
            f"{question.slug}, version {question.meta.version}. Its numbers are computed by release "
            f"{calculators.LIBRARY_VERSION} of the cost library, from figures that its sources name."
        ),
    )


def _variant_name(variant: Variant) -> str:
    name = f"Variant {variant.seed}" if variant.seed else "The numbers as written"
    return f"{name}, edited" if variant.edited else name


def related(bank: Bank, question: Question) -> tuple[Question, ...]:
    """Those that the file names, then others of its topics, of its calculators and of its level."""
    listed = [*question.meta.related]
    for topic in question.meta.topics:
        listed += [slug for slug, other in bank.questions.items() if topic in other.meta.topics]
    used = {calculator.slug for calculator in question.program.calculators.values()}
    for slug, other in bank.questions.items():
        if used & {calculator.slug for calculator in other.program.calculators.values()}:
            listed.append(slug)
    listed += [slug for slug, other in bank.questions.items() if other.meta.level == question.meta.level]
    left_out = {question.slug, *question.meta.follow_ups}
    slugs = [slug for slug in dict.fromkeys(listed) if slug not in left_out]
    return _named(bank, slugs)[:MAX_RELATED]


def _named(bank: Bank, slugs: Iterable[str]) -> tuple[Question, ...]:
    found = (bank.get(slug) for slug in slugs)
    return tuple(question for question in found if question is not None)


def prose(variant: Variant, *, revealed: bool) -> Prose:
    sections = variant.question.sections
    prompt = variant.render(sections.question)
    if not revealed:
        return Prose(prompt)
    return Prose(
        question=prompt,
        prompts=tuple((part.id, part.prompt) for part in variant.parts),
        answer=variant.render(sections.answer),
        parts=tuple((part, variant.render(document)) for part, document in sections.parts.items()),
        approach=variant.render(sections.approach),
        pitfalls=variant.render(sections.pitfalls),
        pro_tip=variant.render(sections.pro_tip),
    )


def hints(variant: Variant, used: int) -> Hints:
    documents = variant.question.sections.hints
    return Hints(tuple(variant.render(each) for each in documents[:used]), max(len(documents) - used, 0))


def key_points(variant: Variant, ticked: frozenset[str]) -> tuple[KeyPointView, ...]:
    return tuple(
        KeyPointView(
            id=point.id,
            text=point.text if isinstance(point.text, Markup) else variant.render(point.text),
            weight=_weight(point.weight, must=point.must),
            ticked=point.id in ticked,
        )
        for point in answering.key_points(variant)
    )


def _weight(weight: int, *, must: bool) -> str:
    if weight < 0:
        return f"−{-weight}, a slip"
    return f"{weight}, a must" if must else str(weight)


def rating_buttons(
    choices: Iterable[RatingChoice], suggested: Rating | None, rated: Rated | None, today: date
) -> tuple[RatingButton, ...]:
    return tuple(
        RatingButton(
            value=int(choice.rating),
            label=RATINGS[choice.rating],
            when=_when(choice, today),
            suggested=choice.rating == (rated.rating if rated else suggested),
            given=rated is not None and rated.rating == choice.rating,
        )
        for choice in choices
    )


def _when(choice: RatingChoice, today: date) -> str:
    if choice.rating == Rating.AGAIN and choice.moves_schedule:
        return "today"
    if choice.due_day is None:
        return "no date"
    return day_text(choice.due_day, today)


def day_text(day: date, today: date) -> str:
    """A study day for people: today, tomorrow, 8 Dec, and with its year where it is another one."""
    ahead = (day - today).days
    if -1 <= ahead <= 1:
        return ("yesterday", "today", "tomorrow")[ahead + 1]
    return f"{day.day} {day:%b}" if day.year == today.year else f"{day.day} {day:%b %Y}"


def rated_text(rated: Rated, choices: Iterable[RatingChoice], today: date) -> str:
    """What the rating has led to."""
    label = RATINGS[rated.rating]
    due = next(choice.due_day for choice in choices if choice.rating == rated.rating)
    if due is None:
        return f"Rated {label}, for this drill only: the question stays new."
    comes_back = day_text(due, today)
    on = "" if comes_back in ("today", "tomorrow", "yesterday") else "on "
    if not rated.may_move:
        return f"Rated {label}, for this drill only: it comes back {on}{comes_back}, as before."
    if rated.rating == Rating.AGAIN and rated.moves_schedule:
        return f"Rated {label}. It comes back once more today, and then {on}{comes_back}."
    return f"Rated {label}. It comes back {on}{comes_back}, with other numbers."
