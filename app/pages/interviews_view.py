"""Interviews in plain data: times and results in words, and each question of a report."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

from app.accounts.zones import zone_named
from app.bank.load import Bank
from app.bank.topics import TOPICS
from app.bank.variants import Variant
from app.pages import question_view, verdict_view
from app.pages.course import ALONE, question_address
from app.pages.question_view import KeyPointView, Prose
from app.pages.verdict_view import ChoiceReview, OwnText, Verdict
from app.practice import answering
from app.practice import interviews_results as results
from app.practice.drafts import Draft
from app.practice.interviews import Interview, Item, Summary
from app.practice.interviews_results import TopicResult
from app.practice.question_state import QuestionState
from calculators import quantities


@dataclass(frozen=True, slots=True)
class TopicRow:
    name: str
    asked: int
    result: str
    earlier: str
    time: str


@dataclass(frozen=True, slots=True)
class SummaryRow:
    """An earlier interview, or one in the list of all."""

    id: int
    title: str
    day: str
    asked: int
    result: str
    time: str
    state: str


@dataclass(frozen=True, slots=True)
class Entry:
    """A question of a report. Without a `prose` the bank has the question no more."""

    place: int
    title: str
    address: str
    topic: str
    follow_up_to: str
    result: str
    time: str
    hints: int
    late: bool
    answered: bool
    prose: Prose | None
    part_prompts: tuple[tuple[str, Markup], ...]
    verdict: Verdict | None
    written: tuple[OwnText, ...]
    choice_reviews: tuple[ChoiceReview, ...]
    key_points: tuple[KeyPointView, ...]
    missed: tuple[KeyPointView, ...]
    marked: bool
    changed: bool
    notes: tuple[OwnText, ...]


def clock(seconds: int) -> str:
    """A length of time as a clock shows it: 4:05, or 1:02:09."""
    minutes, rest = divmod(abs(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def left(seconds: int) -> str:
    """What the clock of a running interview says; static/js/interviews.js goes on with the same words."""
    if seconds <= 0:
        return f"Time is up: {clock(seconds)} over"
    return f"{clock(seconds)} left"


def percent(credit: float | None) -> str:
    return "–" if credit is None else quantities.format_quantity(credit, "ratio", figures=2)


def title_of(bank: Bank, item: Item) -> str:
    question = bank.at(item.question)
    return question.title if question else item.question.slug


def topic_name(topic: str) -> str:
    return TOPICS[topic].name if topic in TOPICS else topic


def result(item: Item, *, by_points: bool) -> str:
    """How the answer did, in a few words."""
    if not item.answered:
        return "passed" if item.passed else "not answered"
    if item.credit is None:
        return "to be marked" if by_points else "in words"
    if by_points:
        return percent(item.credit) if item.points is not None else f"{percent(item.credit)}, to be marked"
    if item.credit == 1:
        return "right"
    if all(answer.graded.outcome in ("right", "near") for answer in item.answers):
        return "near"
    several = len({answer.part for answer in item.answers}) > 1
    words = "partly right" if several and item.credit else "not right"
    return f"{words}, {percent(item.credit)} credit" if item.credit else words


def topic_row(topic: TopicResult) -> TopicRow:
    return TopicRow(
        topic_name(topic.topic),
        topic.asked,
        percent(topic.credit),
        percent(topic.earlier),
        clock(topic.seconds),
    )


def day(moment: datetime, zone: str) -> str:
    """The date by the clock there."""
    there = moment.astimezone(zone_named(zone))
    return f"{there.day} {there:%b %Y}"


def summary_row(summary: Summary, zone: str) -> SummaryRow:
    state = "running" if summary.ended_at is None else "abandoned" if summary.abandoned else ""
    return SummaryRow(
        id=summary.id,
        title=summary.title,
        day=day(summary.started_at, zone),
        asked=summary.asked,
        result=percent(summary.credit),
        time=f"{clock(summary.seconds)} of {clock(60 * summary.minutes)}",
        state=state,
    )


def entry(
    bank: Bank, interview: Interview, item: Item, drafts: Mapping[str, Draft], *, with_notes: bool
) -> Entry:
    """A question of the report; `with_notes` shows what was written for oneself alone too."""
    variant = results.variant_of(bank, item)
    state = QuestionState(item.sitting, item.answers, drafts)
    by_points = variant is not None and results.judged_by_points(variant)
    points = question_view.key_points(variant, frozenset(item.points or ())) if variant else ()
    before = interview.item(item.follows) if item.follows else None
    return Entry(
        place=item.place,
        title=title_of(bank, item),
        address=_address(variant) if variant else "",
        topic=topic_name(item.topic),
        follow_up_to=title_of(bank, before) if before else "",
        result=result(item, by_points=by_points),
        time=clock(item.seconds(interview.ended_at or interview.started_at)),
        hints=item.hints_used,
        late=interview.late(item),
        answered=item.answered,
        prose=question_view.prose(variant, revealed=True) if variant else None,
        part_prompts=tuple((part.id, part.prompt) for part in variant.parts) if variant else (),
        verdict=_verdict(variant, state) if variant else None,
        written=_written(item),
        choice_reviews=verdict_view.choice_reviews(variant, state) if variant else (),
        key_points=points,
        missed=_missed(variant, points) if variant and item.points is not None else (),
        marked=item.points is not None,
        changed=variant is not None and _changed(variant, item),
        notes=_notes(item, drafts) if with_notes else (),
    )


def _verdict(variant: Variant, state: QuestionState) -> Verdict | None:
    """None where it says no more than that an answer in words was kept."""
    verdict = verdict_view.verdict(variant, state)
    return None if verdict is not None and verdict.outcome == answering.WRITTEN else verdict


def _address(variant: Variant) -> str:
    meta = variant.question.meta
    return question_address(variant.question.slug, meta.version, variant.seed, ALONE)


def _changed(variant: Variant, item: Item) -> bool:
    return item.sitting is not None and item.sitting.version != variant.question.meta.version


def _missed(variant: Variant, points: tuple[KeyPointView, ...]) -> tuple[KeyPointView, ...]:
    """What a better answer would have said, and the slips that it made."""
    slips = {point.id for point in answering.key_points(variant) if point.weight < 0}
    return tuple(point for point in points if point.ticked == (point.id in slips))


def _written(item: Item) -> tuple[OwnText, ...]:
    """Answers in words, of which no verdict says what they were."""
    return tuple(
        OwnText(f"Answer to {answer.part}" if answer.part else "Answer", answer.text)
        for answer in item.answers
        if answer.graded.outcome == answering.WRITTEN
    )


def _notes(item: Item, drafts: Mapping[str, Draft]) -> tuple[OwnText, ...]:
    """What was thought aloud, the working, and what was typed and not submitted."""
    notes = [OwnText("Thinking aloud", item.note.text)]
    if item.note.set_aside:
        notes.append(OwnText("Thinking aloud, in another window", item.note.set_aside))
    working = dict.fromkeys(answering.working(answer) for answer in item.answers)
    notes += [OwnText("Working", text) for text in working]
    if not item.answered:
        notes += [OwnText("Typed, not submitted", draft.text) for draft in drafts.values()]
    return tuple(note for note in notes if note.text.strip())


def model_answer(prose: Prose) -> Markup:
    """The model answer with those of its parts."""
    parts = (Markup("<h4>Part {}</h4>").format(part) + text for part, text in prose.parts)
    return prose.answer + Markup().join(parts)
